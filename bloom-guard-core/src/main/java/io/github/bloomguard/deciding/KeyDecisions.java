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

package io.github.bloomguard.deciding;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.instance.FilterSnapshot;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.statistics.FilterStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Decides about keys: the filter first, then the sentinel, and once more behind the
 * barrier if the filter may not know of a row that is visible already.
 * <p>
 * Sources and converters of the application are asked on the caller's thread.
 */
public final class KeyDecisions {

	public static final Answer<Decision> UNKNOWN = Answer.of(Decision.UNKNOWN);

	private static final Answer<Decision> ABSENT = Answer.of(Decision.ABSENT);

	private static final Answer<Decision> LET_THROUGH = Answer.of(Decision.LET_THROUGH);

	private static final Answer<Decision> MAYBE = Answer.of(Decision.MAYBE);

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterLookup lookup;

	private final AbsenceBarrier barrier;

	private final CallbackExecutor handOver;

	private final FilterStatistics statistics;

	private final PassedKeys passedKeys = new PassedKeys();

	/**
	 * Shared by the calls of one epoch. Any thread may replace it.
	 */
	private volatile Answer<Decision> passing = MAYBE;

	public KeyDecisions(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup, AbsenceBarrier barrier,
			CallbackExecutor handOver, FilterStatistics statistics) {
		this.settings = settings;
		this.filter = filter;
		this.lookup = lookup;
		this.barrier = barrier;
		this.handOver = handOver;
		this.statistics = statistics;
	}

	/**
	 * Decide about a call.
	 */
	public Answer<Decision> decide(Object key, ScopedSentinels sentinels) {
		Answer<Decision> answer = decide(this.filter.snapshot(), key, Asker.CALL, sentinels);
		Decision known = answer.known();
		if (known == null) {
			return answer.map(this::count);
		}
		count(known);
		return answer;
	}

	/**
	 * Decide about a key that is not the one of a call, without its sentinels, which tell
	 * about one method.
	 */
	public Answer<Decision> decide(Object key, Asker asker, ScopedSentinels sentinels) {
		return decide(this.filter.snapshot(), key, asker, sentinels.withTtl(Duration.ZERO));
	}

	private Answer<Decision> decide(FilterSnapshot snapshot, Object key, Asker asker, ScopedSentinels sentinels) {
		Membership here = this.lookup.askMemory(snapshot, key);
		if (here == Membership.ABSENT && isWithoutBarrier()) {
			return answer(here, snapshot, asker, UncommittedInserts.areThere(this.settings.name()));
		}
		if (here == Membership.MAYBE && sentinels.areNone() && this.lookup.isTelling(key)) {
			return answer(here, snapshot, asker, false);
		}
		Question question = question(key, asker, sentinels);
		Answer<Decision> verdict = handedOver(ask(question, here, snapshot));
		return isWithoutBarrier() ? verdict : verdict.replaceIf(asker::needsBarrier, () -> behindBarrier(question));
	}

	/**
	 * Return whether a call for a key would be answered with nothing, if the filter were
	 * believed. While it can't tell, calls go through, and this is asked again.
	 * @param pause until then, and twice as long each time, as an outage may be long
	 */
	public CompletableFuture<Boolean> isAnswered(Object key, ScopedSentinels sentinels, Duration pause) {
		FilterSnapshot snapshot = this.filter.snapshot();
		return ask(question(key, Asker.RECHECK, sentinels), this.lookup.askMemory(snapshot, key), snapshot).future()
			.thenCompose((verdict) -> (verdict.membership() != Membership.UNKNOWN)
					? CompletableFuture.completedFuture(verdict.answered() || verdict.membership() == Membership.ABSENT)
					: this.filter.clock()
						.after(pause)
						.thenComposeAsync((nothing) -> isAnswered(key, sentinels, pause.multipliedBy(2)),
								this.handOver.always()));
	}

	public Answer<Candidates> decide(List<? extends @Nullable Object> keys) {
		boolean newRows = UncommittedInserts.areThere(this.settings.name());
		ManyKeys asked = new ManyKeys(keys, this.lookup);
		return Answer.from(ask(asked))
			.via((answers) -> this.handOver.handOver(answers, asked::deadline))
			.map((answers) -> candidates(answers, newRows));
	}

	public Decision count(Decision verdict) {
		this.statistics.decided(verdict);
		return verdict;
	}

	private Answer<Decision> handedOver(Answer<Decision> answer) {
		return answer.via((verdict) -> {
			long deadline = this.lookup.deadline();
			return this.handOver.handOver(verdict, () -> deadline);
		});
	}

	public boolean isWithoutBarrier() {
		return this.barrier == AbsenceBarrier.NONE;
	}

	private Question question(Object key, Asker asker, ScopedSentinels sentinels) {
		String form = this.lookup.form(key);
		boolean newRows = UncommittedInserts.areThere(this.settings.name());
		boolean certain = this.lookup.canTell(key, form);
		return new Question(key, form, asker, certain, certain && !this.filter.leavesOut(form), newRows, sentinels,
				!newRows && areUsed(sentinels));
	}

	public boolean areUsed(ScopedSentinels sentinels) {
		return this.filter.mode() == FilterMode.ENFORCE && sentinels.areUsed();
	}

	/**
	 * A key that has passed before passes again without Redis, but only while the filter
	 * could answer.
	 */
	private Answer<Decision> ask(Question question, Membership here, FilterSnapshot snapshot) {
		boolean passed = here == Membership.UNKNOWN && question.asker().mayPass() && !question.withSentinels()
				&& this.passedKeys.contains(question.form(), snapshot.epoch()) && this.filter.isAnswering();
		Membership known = passed ? Membership.MAYBE : here;
		Answer<Decision> answer = answer(question, known, snapshot);
		if (known == Membership.UNKNOWN) {
			return this.lookup.bounded(
					this.lookup.ask(snapshot, question.form())
						.thenCompose((told) -> askSentinel(question, noted(question, told, snapshot), snapshot)),
					answer.await());
		}
		return mayBeRemembered(question, known, snapshot)
				? this.lookup.bounded(askSentinel(question, known, snapshot), answer.await()) : answer;
	}

	/**
	 * Return what Redis has told of a key, and note if a call may pass.
	 */
	private Membership noted(Question question, Membership told, FilterSnapshot snapshot) {
		Membership known = (told == Membership.ABSENT && !question.certain()) ? Membership.MAYBE : told;
		if (question.asker().mayPass() && known == Membership.MAYBE) {
			this.passedKeys.add(question.form(), snapshot.epoch());
		}
		return known;
	}

	private CompletableFuture<Decision> askSentinel(Question question, Membership known, FilterSnapshot snapshot) {
		Decision verdict = answer(question, known, snapshot).await();
		return mayBeRemembered(question, known, snapshot)
				? question.sentinels()
					.ask(this.lookup.sentinel(question.key(), question.form()))
					.thenApply((remembered) -> remembered ? Decision.REMEMBERED : verdict)
				: CompletableFuture.completedFuture(verdict);
	}

	private static boolean mayBeRemembered(Question question, Membership known, FilterSnapshot snapshot) {
		return known == Membership.MAYBE && question.withSentinels() && !question.sentinels().areNone()
				&& snapshot.standing().settled();
	}

	/**
	 * A key about which the filter can't tell goes through each time, or may do so by the
	 * form of another one, so its load is limited, and nothing that is not found is a
	 * false positive.
	 */
	private Answer<Decision> answer(Question question, Membership known, FilterSnapshot snapshot) {
		Answer<Decision> answer = answer(known, snapshot, question.asker(), question.newRows());
		return (known == Membership.MAYBE && !question.telling()) ? answer.map(Decision::asUncertain) : answer;
	}

	/**
	 * Decide anew when the keys of all rows are added that are visible now.
	 */
	private Answer<Decision> behindBarrier(Question question) {
		return Answer.from(this.barrier.pass())
			.via((passed) -> this.handOver.handOver(passed, this.lookup::deadline))
			.then((passed) -> passed ? handedOver(askAnew(question)) : UNKNOWN);
	}

	private Answer<Decision> askAnew(Question question) {
		FilterSnapshot snapshot = this.filter.snapshot();
		return ask(question, this.lookup.askMemory(snapshot, question.key()), snapshot);
	}

	private CompletableFuture<ManyKeys> ask(ManyKeys keys) {
		CompletableFuture<ManyKeys> asked = keys.ask(this.handOver.always());
		if (isWithoutBarrier()) {
			return asked;
		}
		return asked.thenCompose((answers) -> !answers.anyAbsent() ? CompletableFuture.completedFuture(answers)
				: this.barrier.pass()
					.thenCompose((passed) -> passed ? answers.reset().ask(this.handOver.always())
							: CompletableFuture.completedFuture(answers.withoutAbsent())));
	}

	private Candidates candidates(ManyKeys keys, boolean newRows) {
		BitSet possible = new BitSet(keys.size());
		BitSet absent = new BitSet();
		BitSet verified = new BitSet();
		boolean decided = true;
		for (int i = 0; i < keys.size(); i++) {
			Membership answer = keys.answer(i);
			Decision verdict = (keys.form(i) != null) ? verdict(keys, i, answer, newRows) : Decision.UNKNOWN;
			verified.set(i, verdict.answered());
			if (keys.form(i) != null) {
				count(verdict);
			}
			possible.set(i, !verdict.answered());
			absent.set(i, verdict == Decision.LET_THROUGH);
			decided &= keys.form(i) == null || answer != Membership.UNKNOWN;
		}
		return new Candidates(possible, absent, verified,
				!decided ? Decision.UNKNOWN : (possible.isEmpty() ? Decision.ABSENT : Decision.MAYBE));
	}

	private Decision verdict(ManyKeys keys, int index, Membership answer, boolean newRows) {
		Decision verdict = answer(answer, keys.snapshot(), Asker.CALL, newRows).await();
		return (answer == Membership.MAYBE && !keys.isTelling(index)) ? verdict.asUncertain() : verdict;
	}

	/**
	 * If recent adds are not known, a key may be forgotten whose row is committed after a
	 * load that begins now, so that nothing may be remembered after the load.
	 */
	private Answer<Decision> answer(Membership membership, FilterSnapshot snapshot, Asker asker, boolean newRows) {
		return switch (membership) {
			case ABSENT -> newRows ? UNKNOWN : absent(snapshot.standing(), asker);
			case MAYBE ->
				snapshot.hasJournalOf(this.settings.adding().longestTransaction()) ? passing(snapshot.epoch()) : MAYBE;
			case UNKNOWN -> UNKNOWN;
		};
	}

	private static Answer<Decision> absent(Standing standing, Asker asker) {
		if (standing.answering()) {
			return ABSENT;
		}
		return (standing.settled() || asker.findsOut()) ? LET_THROUGH : UNKNOWN;
	}

	private Answer<Decision> passing(long epoch) {
		Answer<Decision> passing = this.passing;
		if (passing.await().epoch() != epoch) {
			passing = Answer.of(Decision.maybe(epoch));
			this.passing = passing;
		}
		return passing;
	}

	/**
	 * A key that memory alone can't decide about.
	 *
	 * @param certain whether the filter may call the key absent
	 * @param telling whether it says something of the key that the filter lets it pass
	 * @param newRows whether the caller's transaction may see rows that are invisible to
	 * others
	 * @param withSentinels whether the sentinels are asked if the filter lets the key
	 * pass
	 */
	private record Question(Object key, String form, Asker asker, boolean certain, boolean telling, boolean newRows,
			ScopedSentinels sentinels, boolean withSentinels) {

	}

	/**
	 * What a key is asked for.
	 */
	public enum Asker {

		/**
		 * A call, which finds out whether there is a row if it is not answered.
		 */
		CALL,

		/**
		 * A question of the application, without a call.
		 */
		QUESTION,

		/**
		 * A look at what a question would be told.
		 */
		PREVIEW,

		/**
		 * A second look after a row was found: is its key still called absent?
		 */
		RECHECK;

		/**
		 * Return whether a key may pass because another one has asked for it.
		 */
		boolean mayPass() {
			return this == CALL || this == QUESTION;
		}

		/**
		 * Return whether what a filter calls absent that may lack rows of older instances
		 * is of interest.
		 */
		boolean findsOut() {
			return this == CALL || this == RECHECK;
		}

		/**
		 * Return whether a verdict is given only when the keys of all rows are added that
		 * are visible now.
		 */
		boolean needsBarrier(Decision verdict) {
			return (this == CALL) ? verdict.answered() : verdict.membership() == Membership.ABSENT;
		}

	}

}
