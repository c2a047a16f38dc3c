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

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.MirrorChannel.Sender;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.instance.AcknowledgementTracker.PendingAdd;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of one filter: that of this instance, and those of others.
 */
final class Mirrors implements MirrorChannel.Receiver {

	private final ControlStore control;

	private final OwnMirror own;

	private final AcknowledgementTracker others;

	Mirrors(ControlStore control, FilterSettings settings, MonotonicClock clock, Runnable renewal) {
		this.control = control;
		this.own = new OwnMirror(control, settings, () -> control.channel().open(this), clock, renewal);
		this.others = new AcknowledgementTracker(settings.name(), control, clock);
	}

	OwnMirror own() {
		return this.own;
	}

	CompletableFuture<Refreshed> refresh(Evidence evidence) {
		return this.own.refresh(evidence);
	}

	/**
	 * Return whether a mirror, or none, is what this instance has, and no other one is
	 * being made that has to read the journal. A mirror ends if the process has slept.
	 */
	boolean isSettled(@Nullable Mirror shown) {
		this.own.endIfSlept();
		return this.own.current() == shown;
	}

	/**
	 * Let a mirror go on that has all of the journal, which has not changed.
	 * @param now in milliseconds of the server's clock
	 */
	void unchanged(Mirror mirror, long now) {
		this.own.unchanged(mirror, now);
	}

	MirrorStatus status(@Nullable Mirror answering) {
		Mirror mirror = this.own.current();
		MirrorStatus.State state = !this.own.isUsed() ? MirrorStatus.State.OFF
				: (mirror == null) ? MirrorStatus.State.NONE : (mirror == answering && !mirror.isEnded())
						? MirrorStatus.State.ANSWERING : MirrorStatus.State.WAITING;
		return new MirrorStatus(state, (mirror != null) ? mirror.sizeInBytes() : 0,
				(mirror != null && mirror.progress() != null) ? mirror.progress().position().toString() : null,
				(mirror != null) ? null : this.own.problem(), this.others.count(), this.others.waited());
	}

	PendingAdd expect() {
		return this.others.expect();
	}

	/**
	 * Add keys to this instance's mirror before they are appended. It is their author
	 * then, and has them even if the reply gets lost.
	 * @return the mirror, {@code null} if there is none
	 */
	@Nullable LeaseHolder addToOwn(List<String> keys) {
		Mirror mirror = this.own.current();
		if (mirror == null) {
			return null;
		}
		mirror.add(keys);
		return mirror.holder();
	}

	CompletableFuture<Void> await(PendingAdd pending, List<String> keys, @Nullable LeaseHolder author,
			Appended appended) {
		Mirror mirror = this.own.current();
		if (mirror != null && mirror.holder().equals(author)) {
			mirror.forgetRemoved(keys);
		}
		else if (mirror != null) {
			mirror.add(keys);
		}
		CompletableFuture<Void> end = pending.await(appended);
		if (!end.isDone()) {
			this.control.channel().open(this);
		}
		return end;
	}

	@Override
	public void added(Sender adder, List<String> keys) {
		Mirror mirror = this.own.current();
		if (mirror != null && !adder.instance().equals(mirror.holder().instance())) {
			mirror.add(keys);
			this.control.channel().acknowledge(adder, mirror.holder());
		}
	}

	@Override
	public void acknowledged(long token, LeaseHolder by) {
		this.others.acknowledged(token, by);
	}

	@Override
	public void applied(LeaseHolder holder, JournalPosition position) {
		this.others.applied(holder, position);
	}

	@Override
	public void ended(LeaseHolder holder) {
		this.others.ended(holder);
	}

	void follow(@Nullable ActiveGeneration active) {
		this.own.follow(active);
	}

	void open() {
		this.own.open();
	}

	CompletableFuture<Void> close() {
		return this.own.close().whenComplete((nothing, failure) -> this.control.channel().close());
	}

	/**
	 * A record that was read, with the mirror if that has everything that was there.
	 */
	record Refreshed(ControlRecord record, @Nullable Mirror mirror) {

	}

}
