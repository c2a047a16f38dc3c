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

package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.chaos.World.Outcome;

/**
 * One run of the code of one actor, from its beginning up to the steps that it has not
 * made yet. The results of those that it has made are known; those that it wants to make
 * next are collected in {@code next}.
 */
final class Turn {

	private final Map<String, Object> known;

	private final Map<String, Integer> calls = new HashMap<>();

	private final List<Step> next = new ArrayList<>();

	private boolean ended;

	private boolean paused;

	private final List<String> violations = new ArrayList<>();

	private final List<String> answers = new ArrayList<>();

	Turn(Map<String, Object> known) {
		this.known = known;
	}

	/**
	 * Make a step, without waiting for it.
	 * @param <T> the type of the result
	 * @param name what is done
	 * @param effect what that does to the world
	 * @return the result; it never comes in this run if the step has not been made yet
	 */
	@SuppressWarnings("unchecked")
	<T> CompletableFuture<T> start(String name, Function<World, Outcome<T>> effect) {
		String label = name + "#" + this.calls.merge(name, 1, Integer::sum);
		if (this.known.containsKey(label)) {
			return CompletableFuture.completedFuture((T) this.known.get(label));
		}
		if (!this.ended && !this.paused) {
			this.next.add(new Step(label, name, effect::apply));
		}
		return new CompletableFuture<>();
	}

	/**
	 * Make a step and wait for it, though perhaps not for others that were started.
	 * @param <T> the type of the result
	 * @param name what is done
	 * @param effect what that does to the world
	 * @return the result
	 */
	<T> T make(String name, Function<World, Outcome<T>> effect) {
		return await(start(name, effect));
	}

	/**
	 * Go no further before a result is there.
	 * @param <T> the type of the result
	 * @param result the result
	 * @return the result
	 */
	<T> T await(CompletableFuture<T> result) {
		if (this.paused || !result.isDone()) {
			throw pause();
		}
		return result.join();
	}

	/**
	 * Go no further before all steps have been made.
	 */
	void awaitAll() {
		awaitAllBut();
	}

	/**
	 * Go no further before all steps have been made, but for those that nobody waits for.
	 * @param background the beginnings of the names of these
	 */
	void awaitAllBut(String... background) {
		if (this.paused
				|| !this.next.stream().allMatch((step) -> Stream.of(background).anyMatch(step.name()::startsWith))) {
			throw pause();
		}
	}

	/**
	 * Make no more steps in this run, also if the code under test takes the error for the
	 * failure of one of its own futures.
	 */
	private Paused pause() {
		this.paused = true;
		return new Paused();
	}

	/**
	 * Make no steps any more, not even those that were started.
	 */
	void end() {
		this.next.clear();
		this.ended = true;
	}

	List<Step> next() {
		return this.next;
	}

	void violated(String problem) {
		this.violations.add(problem);
	}

	List<String> violations() {
		return this.violations;
	}

	/**
	 * Note an answer, to be counted.
	 * @param answer the answer
	 */
	void answered(String answer) {
		this.answers.add(answer);
	}

	List<String> answers() {
		return this.answers;
	}

	boolean isAtItsEnd() {
		return this.next.isEmpty() && this.violations.isEmpty();
	}

	void checkThatAllKnownStepsWereMadeAgain() {
		this.known.keySet().forEach((label) -> {
			int number = label.lastIndexOf('#');
			if (this.calls.getOrDefault(label.substring(0, number), 0) < Integer
				.parseInt(label.substring(number + 1))) {
				throw new IllegalStateException("Not made again: " + label);
			}
		});
	}

	/**
	 * A step that can be made next.
	 *
	 * @param label what is done, different from all other steps of the actor
	 * @param name what is done
	 * @param effect what that does to the world; gives {@code null} if it has to wait
	 */
	record Step(String label, String name, Function<World, Outcome<?>> effect) {

	}

	/**
	 * Unwinds the stack of an actor that waits. An error, because the code under test
	 * handles exceptions.
	 */
	static final class Paused extends Error {

		private static final long serialVersionUID = 1L;

		Paused() {
			super("waits", null, false, false);
		}

	}

}
