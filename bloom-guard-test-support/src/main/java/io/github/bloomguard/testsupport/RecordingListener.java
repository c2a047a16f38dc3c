/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.testsupport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what the guard tells, such as {@code "products false positive"}.
 */
public final class RecordingListener implements BloomGuardListener {

	private final List<String> events = Collections.synchronizedList(new ArrayList<>());

	private volatile @Nullable Thread lastThread;

	@Override
	public void onVerdict(String filter, Verdict verdict) {
		this.lastThread = Thread.currentThread();
		record(filter, verdict.membership() + (verdict.answered() ? " answered" : " through"));
	}

	@Override
	public void onFalsePositive(String filter) {
		record(filter, "false positive");
	}

	@Override
	public void onFalseNegative(String filter) {
		record(filter, "false negative");
	}

	@Override
	public void onRejected(String filter) {
		record(filter, "rejected");
	}

	@Override
	public void onAdded(String filter, int keys) {
		record(filter, "added " + keys);
	}

	@Override
	public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
		record(filter, "is " + to);
	}

	@Override
	public void onFloodStarted(String filter) {
		record(filter, "flood started");
	}

	@Override
	public void onFloodEnded(String filter) {
		record(filter, "flood ended");
	}

	private void record(String filter, String event) {
		this.events.add(filter + " " + event);
	}

	public List<String> events() {
		return List.copyOf(this.events);
	}

	/**
	 * Return the thread of the last verdict.
	 * @return the thread
	 */
	public @Nullable Thread lastThread() {
		return this.lastThread;
	}

	public void clear() {
		this.events.clear();
	}

}
