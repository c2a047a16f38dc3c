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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;

/**
 * The keys 1 to a number, as a source that counts how often it is read.
 */
public final class Keys implements KeySource {

	private final String filter;

	private final AtomicInteger reads = new AtomicInteger();

	private volatile long last;

	private volatile Runnable beforeRead = () -> {
	};

	public Keys(String filter, long last) {
		this.filter = filter;
		this.last = last;
	}

	@Override
	public String filter() {
		return this.filter;
	}

	@Override
	public Stream<?> keys() {
		this.reads.incrementAndGet();
		this.beforeRead.run();
		return LongStream.rangeClosed(1, this.last).boxed();
	}

	public int reads() {
		return this.reads.get();
	}

	public void setLast(long last) {
		this.last = last;
	}

	public void beforeRead(Runnable action) {
		this.beforeRead = action;
	}

}
