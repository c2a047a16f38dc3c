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

package io.github.bloomguard.catchup;

import java.util.function.Supplier;

import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.generation.Generation;
import org.jspecify.annotations.Nullable;

/**
 * What is claimed of each generation: <em>the keys of all rows that were committed before
 * a position are in it.</em> A claim is true in any instance, so two that follow at the
 * same time, as a frozen one may for a moment, do no harm.
 */
final class Claims {

	private final CheckpointStore checkpoints;

	private final Supplier<ChangeLog> log;

	/**
	 * The latest claim that this instance knows of. A lower one may replace a higher one,
	 * which costs a moment.
	 */
	private volatile Claim latest = Claim.NONE;

	Claims(CheckpointStore checkpoints, Supplier<ChangeLog> log) {
		this.checkpoints = checkpoints;
		this.log = log;
	}

	void begin(Generation generation) {
		if (!this.checkpoints.start(generation.id(), this.log.get().begin().checkpoint()).join()) {
			throw new IllegalStateException("Another builder took over before the scan");
		}
	}

	Claim read(Generation generation) {
		Claim read = new Claim(generation.id(),
				this.checkpoints.read(generation.id()).join().map(this.log.get()::position).orElse(FilePosition.NONE));
		this.latest = read;
		return read;
	}

	Claim latest(@Nullable Generation generation) {
		Claim latest = this.latest;
		return (generation != null && latest.generation().equals(generation.id())) ? latest : Claim.NONE;
	}

	/**
	 * Claim more, unless another instance has done so meanwhile, or the generation is
	 * gone.
	 */
	boolean move(Claim from, LogPosition position) {
		boolean moved = this.checkpoints.move(from.generation(), from.position().checkpoint(), position.checkpoint())
			.join();
		this.latest = moved ? new Claim(from.generation(), position) : Claim.NONE;
		return moved;
	}

	record Claim(String generation, LogPosition position) {

		static final Claim NONE = new Claim("", FilePosition.NONE);

		boolean isKnown() {
			return !this.position.equals(FilePosition.NONE);
		}

		/**
		 * Return whether it claims all up to a position: nothing of another log.
		 */
		boolean covers(LogPosition position) {
			return this.position.isOfLogOf(position) && this.position.reaches(position);
		}

	}

}
