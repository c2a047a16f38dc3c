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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.github.bloomguard.generation.Generation.Phase;
import org.jspecify.annotations.Nullable;

/**
 * What builders and people change of a control record. {@link RecordState} decides what a
 * step makes of it, and the {@link ControlStore} swaps it. Those with a {@code token}
 * change nothing unless it is that of the present builder.
 */
public class RecordSteps {

	private final ControlStore store;

	public RecordSteps(ControlStore store) {
		this.store = store;
	}

	/**
	 * List a new generation and retire what a former builder left half built. From now on
	 * the journal is not trimmed until the generation is active.
	 * @param keep how far back the journal must be kept
	 * @param running for how long the builder has been running with the origin
	 * @return whether the token was good
	 */
	public CompletableFuture<Boolean> begin(String token, Generation generation, Duration keep, Duration running) {
		return RecordStep.asBuilder(this.store, token, (record) -> record.begin(generation, keep, running))
			.thenApply(Optional::isPresent);
	}

	/**
	 * Make a loading generation live.
	 * @param shapes the shapes of its keys, to be reported if they turn out to be wrong
	 * @return whether the token was good and the generation {@link Phase#LOADING} or
	 * {@link Phase#LIVE} already
	 */
	public CompletableFuture<Boolean> goLive(String token, String id, String shapes) {
		return RecordStep.asBuilder(this.store, token, (record) -> record.goLive(id, shapes))
			.thenApply((made) -> made.map((record) -> record.phase(id)).filter(Phase.LIVE::equals).isPresent());
	}

	/**
	 * Make a live generation the active one of its origin and retire the one before.
	 * @param journalSince since when the journal had been complete when the build began
	 * @return whether the token was good, the generation {@link Phase#LIVE} or
	 * {@link Phase#ACTIVE} already, and the journal still the same
	 */
	public CompletableFuture<Boolean> activate(String token, String id, long journalSince) {
		return RecordStep.asBuilder(this.store, token, (record) -> record.activate(id, journalSince))
			.thenApply((made) -> made.map((record) -> record.phase(id)).filter(Phase.ACTIVE::equals).isPresent());
	}

	/**
	 * Retire what is not needed: generations that another builder left half built, and
	 * those of origins that were not asked for a while.
	 * @return all that are retired, none if the token was not good
	 */
	public CompletableFuture<List<Generation>> retire(String token) {
		return RecordStep.asBuilder(this.store, token, RecordState::retire)
			.thenApply((made) -> made.map(RecordState::retired).orElse(List.of()));
	}

	/**
	 * Drop retired generations whose bits are gone.
	 */
	public CompletableFuture<Void> drop(Collection<String> ids) {
		return RecordStep.asAnybody(this.store, (record) -> record.drop(ids)).thenApply((made) -> null);
	}

	/**
	 * End what doubt there is.
	 */
	public CompletableFuture<Void> acknowledge() {
		return RecordStep.asAnybody(this.store, (record) -> record.acknowledge(this.store.origin()))
			.thenApply((made) -> null);
	}

	/**
	 * Give the filter another mode in all instances of the application.
	 * @param to {@code null} to take that back
	 */
	public CompletableFuture<Void> switchTo(@Nullable ModeSwitch to) {
		return switchModes((switches) -> switches.with(application(), to));
	}

	/**
	 * Give the filters of this name another mode in all applications.
	 * @param to {@code null} to take all switches back
	 */
	public CompletableFuture<Void> switchEverywhere(@Nullable ModeSwitch to) {
		return switchModes((switches) -> switches.withAll(to));
	}

	/**
	 * Bring a switch back that a lost record had.
	 */
	public CompletableFuture<Void> restore(ModeSwitch lost) {
		return switchModes((switches) -> switches.restored(application(), lost));
	}

	private CompletableFuture<Void> switchModes(UnaryOperator<ModeSwitches> step) {
		return RecordStep.asAnybody(this.store, (record) -> record.switchModes(step)).thenApply((made) -> null);
	}

	private String application() {
		return Origin.application(this.store.origin());
	}

}
