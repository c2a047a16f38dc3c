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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.github.bloomguard.chaos.Turn.Paused;
import io.github.bloomguard.chaos.Turn.Step;
import io.github.bloomguard.chaos.World.Outcome;

/**
 * Walks through all interleavings of the atomic steps of some actors.
 * <p>
 * There are no threads. The code of an actor is run from its beginning again and again;
 * it gets the known results of the steps that it has made, and the run ends where it
 * waits for a step that it has not made. What it does next depends on those results only,
 * so they are its whole state, and its code is run once for each of them. Two
 * interleavings that lead to the same world with the same results for each actor have the
 * same future, of which one is walked through. The walk goes breadth first, so the first
 * violation has the fewest steps.
 */
final class Interleavings {

	private final List<Mind> minds = new ArrayList<>();

	private final Map<World, Integer> worldNumbers = new HashMap<>();

	private final List<World> worlds = new ArrayList<>();

	private final LongMap outcomes = new LongMap();

	private int steps;

	/**
	 * Add an actor.
	 * @param name the name
	 * @param code what it does
	 * @return the actor
	 */
	Mind actor(String name, Consumer<Turn> code) {
		Mind mind = new Mind(this.minds.size(), name, code);
		this.minds.add(mind);
		return mind;
	}

	Result walk(World start) {
		this.minds.forEach((mind) -> mind.position(List.of()));
		States states = new States(this.minds.size());
		states.add(number(start), 0, -1);
		Result result = new Result();
		for (int state = 0; state < states.size(); state++) {
			int world = states.world(state);
			List<Choice> choices = choices(states, state);
			for (Choice choice : choices) {
				long outcome = outcome(world, choice);
				if (outcome < 0) {
					continue;
				}
				result.transitions++;
				int position = (int) outcome;
				if (states.add((int) (outcome >>> 32), states.moved(state, choice.actor(), position), state)) {
					Position reached = this.minds.get(choice.actor()).positions.get(position);
					reached.answers.forEach((answer) -> result.answers.merge(answer, 1, Integer::sum));
					if (!reached.violations.isEmpty()) {
						result.violation = reached.violations.get(0);
						result.trace = trace(states, states.size() - 1);
						return result;
					}
				}
			}
			result.ends += choices.isEmpty() ? 1 : 0;
		}
		result.states = states.size();
		result.worlds = this.worlds.size();
		this.minds.forEach((mind) -> result.positions.put(mind.name, mind.positions.size()));
		return result;
	}

	private List<Choice> choices(States states, int state) {
		List<Choice> choices = new ArrayList<>();
		for (int actor = 0; actor < this.minds.size(); actor++) {
			for (Choice choice : this.minds.get(actor).positions.get(states.position(state, actor)).choices) {
				if (choice.unseen()) {
					return List.of(choice);
				}
				choices.add(choice);
			}
		}
		return choices;
	}

	/**
	 * Return the number of the next world in the upper half, and that of the actor's next
	 * position in the lower one; negative if the step can't be made yet.
	 */
	private long outcome(int world, Choice choice) {
		long key = ((long) world << 32) | choice.number();
		long known = this.outcomes.get(key);
		if (known < 0) {
			Outcome<?> outcome = choice.step().effect().apply(this.worlds.get(world));
			if (outcome == null) {
				return -1;
			}
			int position = this.minds.get(choice.actor()).after(choice, outcome.result());
			known = ((long) number(outcome.world()) << 32) | position;
			this.outcomes.put(key, known);
		}
		return known;
	}

	/**
	 * Return the steps that led to a state, which are found by trying them again.
	 */
	private List<String> trace(States states, int last) {
		List<String> steps = new ArrayList<>();
		for (int state = last; states.before(state) >= 0; state = states.before(state)) {
			for (Choice choice : choices(states, states.before(state))) {
				long outcome = outcome(states.world(states.before(state)), choice);
				if ((int) (outcome >>> 32) == states.world(state) && states.positions(state) == states
					.moved(states.before(state), choice.actor(), (int) outcome)) {
					steps.add(this.minds.get(choice.actor()).name + ": " + choice.step().name());
					break;
				}
			}
		}
		Collections.reverse(steps);
		return steps;
	}

	private int number(World world) {
		return this.worldNumbers.computeIfAbsent(world, (added) -> {
			this.worlds.add(added);
			return this.worlds.size() - 1;
		});
	}

	/**
	 * What was found.
	 */
	static final class Result {

		private int states;

		private int transitions;

		private int ends;

		private int worlds;

		private final Map<String, Integer> positions = new TreeMap<>();

		private final Map<String, Integer> answers = new TreeMap<>();

		private String violation;

		private List<String> trace = List.of();

		/**
		 * Return what was violated.
		 * @return the first violation, {@code null} if there is none
		 */
		String violation() {
			return this.violation;
		}

		/**
		 * Return how often an actor came to its end with an answer.
		 * @return the numbers by the answers
		 */
		Map<String, Integer> answers() {
			return this.answers;
		}

		@Override
		public String toString() {
			return (this.violation != null)
					? this.violation + ", after " + this.trace.size() + " steps:\n  " + String.join("\n  ", this.trace)
					: "%,d states, %,d steps, %,d ends, %,d worlds, positions %s, answers %s".formatted(this.states,
							this.transitions, this.ends, this.worlds, this.positions, this.answers);
		}

	}

	/**
	 * An actor: its code, and all positions in it that were reached.
	 */
	final class Mind {

		private final int actor;

		private final String name;

		private final Consumer<Turn> code;

		private Predicate<String> unseen = (step) -> false;

		private UnaryOperator<List<Made>> essence = (known) -> known;

		private final Map<Map<String, Object>, Integer> numbers = new HashMap<>();

		private final Map<List<String>, Integer> ends = new HashMap<>();

		private final List<Position> positions = new ArrayList<>();

		Mind(int actor, String name, Consumer<Turn> code) {
			this.actor = actor;
			this.name = name;
			this.code = code;
		}

		/**
		 * Declare that steps have no influence on what any other actor does or is told,
		 * now or later, nor the other way round. They are made at once, because when
		 * makes no difference.
		 * @param steps tells them by their names
		 * @return this
		 */
		Mind withUnseen(Predicate<String> steps) {
			this.unseen = steps;
			return this;
		}

		/**
		 * Declare what still matters of what has happened.
		 * @param essence gives a shorter or more common history with the same future
		 * @return this
		 */
		Mind withEssence(UnaryOperator<List<Made>> essence) {
			this.essence = essence;
			return this;
		}

		int after(Choice choice, Object result) {
			List<Made> all = new ArrayList<>(choice.known());
			all.add(new Made(choice.step().name(), result));
			int number = position(all);
			return position(this.essence.apply(List.copyOf(all)), number);
		}

		private int position(List<Made> essence, int same) {
			int number = position(essence);
			if (!this.positions.get(number).names().equals(this.positions.get(same).names())) {
				throw new IllegalStateException(this.name + " goes on in another way after " + essence);
			}
			return number;
		}

		private int position(List<Made> known) {
			Map<String, Integer> counts = new HashMap<>();
			Map<String, Object> results = new HashMap<>();
			known.forEach((made) -> results.put(made.name() + "#" + counts.merge(made.name(), 1, Integer::sum),
					made.result()));
			Integer number = this.numbers.get(results);
			if (number == null) {
				Turn turn = run(results);
				number = turn.isAtItsEnd()
						? this.ends.computeIfAbsent(turn.answers(), (answers) -> add(turn, List.of()))
						: add(turn, choices(turn, known));
				this.numbers.put(results, number);
			}
			return number;
		}

		private Turn run(Map<String, Object> results) {
			Turn turn = new Turn(results);
			try {
				this.code.accept(turn);
			}
			catch (RuntimeException | Paused ex) {
				if (turn.next().isEmpty()) {
					throw ex;
				}
			}
			turn.checkThatAllKnownStepsWereMadeAgain();
			return turn;
		}

		private List<Choice> choices(Turn turn, List<Made> known) {
			List<Choice> choices = new ArrayList<>();
			for (Step step : turn.next()) {
				choices.add(
						new Choice(this.actor, step, Interleavings.this.steps++, this.unseen.test(step.name()), known));
			}
			return choices;
		}

		private int add(Turn turn, List<Choice> choices) {
			this.positions
				.add(new Position(choices, turn.violations(), choices.isEmpty() ? turn.answers() : List.of()));
			return this.positions.size() - 1;
		}

	}

	/**
	 * Where an actor stands.
	 *
	 * @param choices the steps that it can make next
	 * @param violations what was violated
	 * @param answers what it was told, at its end
	 */
	private record Position(List<Choice> choices, List<String> violations, List<String> answers) {

		List<String> names() {
			return this.choices.stream().map((choice) -> choice.step().name()).toList();
		}

	}

	/**
	 * Whose step is made next.
	 *
	 * @param actor the number of the actor
	 * @param step the step
	 * @param number different from that of all other choices
	 * @param unseen whether it is made at once
	 * @param known the steps that the actor has made before
	 */
	private record Choice(int actor, Step step, int number, boolean unseen, List<Made> known) {

	}

	/**
	 * A step that an actor has made.
	 *
	 * @param name what was done
	 * @param result what it was told
	 */
	record Made(String name, Object result) {

	}

}
