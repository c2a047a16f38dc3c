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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.RecordState;
import org.jspecify.annotations.Nullable;

/**
 * The record of a filter that another application owns. A reader reads it, reports rows
 * that were called absent, has a mirror, and may add keys. It builds nothing, removes
 * nothing and changes nothing that the owner's instances have agreed on.
 */
record ReadOnlyControl(ControlStore store) implements ControlStore {

	@Override
	public String origin() {
		return this.store.origin();
	}

	@Override
	public boolean isOfReader() {
		return true;
	}

	@Override
	public CompletableFuture<ControlRecord> read() {
		return this.store.read();
	}

	/**
	 * A reader proves nothing: which keys exist is the owner's to show.
	 */
	private static Evidence reported(Evidence evidence) {
		return new Evidence(List.of(), List.of(), evidence.wrong(), false, evidence.callersOnly());
	}

	@Override
	public CompletableFuture<ControlRecord> refresh(Evidence evidence) {
		return this.store.refresh(reported(evidence));
	}

	@Override
	public CompletableFuture<Renewal> refresh(Evidence evidence, LeaseHolder holder, JournalPosition after) {
		return this.store.refresh(reported(evidence), holder, after);
	}

	@Override
	public CompletableFuture<MirrorLease> acquireMirrorLease(LeaseHolder holder) {
		return this.store.acquireMirrorLease(holder);
	}

	@Override
	public CompletableFuture<Void> releaseMirrorLease(LeaseHolder holder) {
		return this.store.releaseMirrorLease(holder);
	}

	@Override
	public CompletableFuture<Boolean> revokeMirrorLease(LeaseHolder holder, JournalPosition lacking) {
		return this.store.revokeMirrorLease(holder, lacking);
	}

	@Override
	public MirrorChannel channel() {
		return this.store.channel();
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known, MirrorChannel.Sender sender,
			@Nullable LeaseHolder author) {
		return this.store.append(keys, known, sender, author);
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known) {
		return this.store.append(keys, known);
	}

	@Override
	public CompletableFuture<Void> checkAppend() {
		return this.store.checkAppend();
	}

	@Override
	public CompletableFuture<Long> remove(List<String> keys, long decided, long addedSince) {
		return CompletableFuture.completedFuture(0L);
	}

	@Override
	public boolean awaitsReplicas() {
		return this.store.awaitsReplicas();
	}

	@Override
	public CompletableFuture<ControlRecord> confirm() {
		return this.store.confirm();
	}

	@Override
	public CompletableFuture<Boolean> acquire(String token, Duration lease) {
		return refused();
	}

	@Override
	public CompletableFuture<Boolean> renew(String token, Duration lease) {
		return refused();
	}

	@Override
	public CompletableFuture<Void> release(String token) {
		return refused();
	}

	@Override
	public CompletableFuture<RecordState> state() {
		return this.store.state();
	}

	@Override
	public CompletableFuture<Swap> swap(@Nullable String token, RecordState before, RecordState after) {
		return refused();
	}

	private static <T> CompletableFuture<T> refused() {
		return CompletableFuture
			.failedFuture(new UnsupportedOperationException("Only the owner of the filter changes its record"));
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		return this.store.journal(after, count);
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count, LeaseHolder except) {
		return this.store.journal(after, count, except);
	}

}
