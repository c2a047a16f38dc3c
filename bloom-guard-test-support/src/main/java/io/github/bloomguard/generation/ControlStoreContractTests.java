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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.Swap;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.warmup.BuildFailedException;
import io.github.bloomguard.warmup.BuildLease;
import io.github.bloomguard.warmup.GenerationBuilder;
import io.github.bloomguard.warmup.KeyScan;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What holds for every {@link ControlStore}. A back end extends this.
 */
public abstract class ControlStoreContractTests {

	protected static final Duration LEASE = Duration.ofMinutes(1);

	protected static final Duration HOUR = Duration.ofHours(1);

	protected static final String ORIGIN = "origin";

	protected static final String ME = "me";

	protected static final String OTHER = "other";

	private long overflownAfter;

	protected ControlStore store;

	@BeforeEach
	void createStore() {
		this.store = newStore(ORIGIN, HOUR);
	}

	/**
	 * Return a store of the filter {@code products}, of which nothing is known when a
	 * test begins. All stores of one test share what they know.
	 * @param origin where the keys come from
	 * @return the store
	 */
	protected abstract ControlStore newStore(String origin, FilterSettings settings);

	/**
	 * Return where the bits of its generations are.
	 */
	protected abstract FilterStore filters();

	protected final ControlStore newStore(String origin, Duration journalRetention) {
		return newStore(origin, new FilterSettingsBuilder().journalRetention(journalRetention).build());
	}

	@Test
	void recordThatDoesNotExistIsEmpty() {
		ControlRecord record = read();
		assertThat(record.epoch()).isZero();
		assertThat(record.generations()).isEmpty();
		assertThat(record.active(ORIGIN)).isNull();
		assertThat(record.journalSince()).isZero();
	}

	@Test
	void generationIsReadAsItWasWritten() {
		Generation generation = begin(ME);
		assertThat(read().generations()).singleElement().satisfies((read) -> {
			assertThat(read.phase()).isEqualTo(Phase.LOADING);
			assertThat(read).usingRecursiveComparison().ignoringFields("createdAt").isEqualTo(generation);
			assertThat(read.createdAt().toEpochMilli()).isEqualTo(generation.createdAt().toEpochMilli());
		});
	}

	@Test
	void generationMovesFromLoadingToActiveAndRetiresItsPredecessor() {
		Generation first = activate(ME);
		assertThat(phase(first)).isEqualTo(Phase.ACTIVE);
		Generation second = activate(ME);
		assertThat(phase(first)).isEqualTo(Phase.RETIRED);
		assertThat(phase(second)).isEqualTo(Phase.ACTIVE);
		assertThat(read().active(ORIGIN)).extracting(Generation::id).isEqualTo(second.id());
		assertThat(read().live()).hasSize(2);
		new RecordSteps(this.store).drop(List.of(first.id())).join();
		assertThat(read().generations()).extracting(Generation::id).containsExactly(second.id());
	}

	@Test
	void loadingGenerationIsNotLive() {
		Generation generation = begin(ME);
		assertThat(read().live()).isEmpty();
		assertThat(new RecordSteps(this.store).goLive(ME, generation.id(), "").join()).isTrue();
		assertThat(read().live()).hasSize(1);
		assertThat(read().active(ORIGIN)).isNull();
	}

	@Test
	void generationCanNotSkipAPhaseOrMoveBack() {
		Generation generation = begin(ME);
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(new RecordSteps(this.store).goLive(ME, generation.id(), "").join()).isTrue();
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), read().journalSince()).join()).isTrue();
		assertThat(new RecordSteps(this.store).goLive(ME, generation.id(), "").join()).isFalse();
		assertThat(new RecordSteps(this.store).goLive(ME, "unknown", "").join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
	}

	@Test
	void stepWhoseReplyWasLostMayBeRepeated() {
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		Generation generation = newGeneration();
		assertThat(new RecordSteps(this.store).begin(ME, generation, HOUR, Duration.ZERO).join()).isTrue();
		assertRepeated(() -> new RecordSteps(this.store).begin(ME, generation, HOUR, Duration.ZERO).join());
		assertThat(new RecordSteps(this.store).goLive(ME, generation.id(), "shapes").join()).isTrue();
		assertRepeated(() -> new RecordSteps(this.store).goLive(ME, generation.id(), "shapes").join());
		long since = read().journalSince();
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), since).join()).isTrue();
		assertRepeated(() -> new RecordSteps(this.store).activate(ME, generation.id(), since).join());
		assertRepeated(() -> new RecordSteps(this.store).begin(ME, generation, HOUR, Duration.ZERO).join());
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
	}

	private void assertRepeated(BooleanSupplier step) {
		long epoch = read().epoch();
		assertThat(step.getAsBoolean()).isTrue();
		assertThat(read().epoch()).isEqualTo(epoch);
	}

	@Test
	void eachOriginHasItsOwnActiveGeneration() {
		Generation mine = activate(ME);
		Generation others = activate(ME, "another");
		assertThat(read().active(ORIGIN)).extracting(Generation::id).isEqualTo(mine.id());
		assertThat(read().active("another")).extracting(Generation::id).isEqualTo(others.id());
		assertThat(read().live()).hasSize(2);
		Generation next = activate(ME);
		assertThat(phase(mine)).isEqualTo(Phase.RETIRED);
		assertThat(phase(others)).isEqualTo(Phase.ACTIVE);
		assertThat(read().active(ORIGIN)).extracting(Generation::id).isEqualTo(next.id());
	}

	@Test
	void whatIsHalfBuiltIsRetiredByWhoeverHoldsTheLease() {
		Generation loading = begin(ME);
		this.store.release(ME).join();
		this.store.acquire(OTHER, LEASE).join();
		assertThat(new RecordSteps(this.store).retire(ME).join()).isEmpty();
		assertThat(new RecordSteps(this.store).retire(OTHER).join()).extracting(Generation::id)
			.containsExactly(loading.id());
	}

	@Test
	void differentKeysAreCountedForTheirOriginHoweverOftenTheyAreReported() {
		Evidence evidence = absent("00000001", "00000002", "00000003");
		assertThat(this.store.refresh(evidence).join().trust().proof().absent()).as("without a record").isZero();
		activate(ME);
		this.store.refresh(evidence).join();
		this.store.refresh(absent("00000003", "00000004")).join();
		this.store.refresh(evidence).join();
		this.store.refresh(new Evidence(List.of(), List.of("00000001", "00000009"), List.of(), false, false)).join();
		assertThat(read().trust().proof()).extracting(Proof::absent, Proof::found, Proof::complete)
			.containsExactly(4L, 2L, false);
		assertThat(newStore("another", HOUR).refresh(absent("00000001")).join().trust().proof().absent()).isOne();
		activate(ME);
		assertThat(read().trust().proof().absent()).as("a rebuild changes nothing").isEqualTo(4);
	}

	@Test
	void proofThatIsCompleteStaysSo() {
		activate(ME);
		this.store.refresh(new Evidence(List.of("00000001"), List.of("00000002"), List.of(), false, false)).join();
		this.store.refresh(new Evidence(List.of(), List.of(), List.of(), true, false)).join();
		activate(ME);
		assertThat(read().trust().proof()).extracting(Proof::absent, Proof::found, Proof::complete)
			.containsExactly(1L, 1L, true);
		assertThat(newStore("another", HOUR).read().join().trust().proof().complete()).isFalse();
	}

	@Test
	void keysThatWereFoundAlthoughTheyAreAbsentAreCountedForTheirOriginAndLeaveADoubt() {
		Evidence wrong = new Evidence(List.of(), List.of(), List.of("00000001", "00000002"), false, false);
		activate(ME);
		assertThat(read().trust().doubt()).isEqualTo(Doubt.NONE);
		this.store.refresh(new Evidence(List.of(), List.of(), List.of(), true, false)).join();
		Doubt first = this.store.refresh(wrong).join().trust().doubt();
		assertThat(first.wrong()).isEqualTo(2);
		assertThat(first.at()).isEqualTo(first.since()).isBetween(read().trust().rollout().begun(), read().now());
		this.store.refresh(new Evidence(List.of(), List.of(), List.of("00000002", "00000003"), false, false)).join();
		Doubt second = read().trust().doubt();
		assertThat(second.wrong()).as("different keys").isEqualTo(3);
		assertThat(second.since()).isEqualTo(first.since());
		assertThat(second.at()).isGreaterThanOrEqualTo(first.at());
		assertThat(newStore("another", HOUR).read().join().trust().doubt()).isEqualTo(Doubt.NONE);
		activate(ME);
		assertThat(read().trust().doubt()).as("a rebuild changes nothing").isEqualTo(second);
		new RecordSteps(this.store).acknowledge().join();
		assertThat(read().trust().doubt()).as("acknowledged").isEqualTo(second.acknowledged());
		assertThat(read().trust().proof().complete()).isTrue();
	}

	@Test
	void rowThatNoSourceHasIsNotedForItsOrigin() {
		activate(ME);
		this.store.refresh(new Evidence(List.of(), List.of(), List.of(), true, true)).join();
		Doubt doubt = read().trust().doubt();
		assertThat(doubt.callersOnly()).isBetween(read().trust().rollout().begun(), read().now());
		assertThat(doubt.callersOnlyAt(0)).isEqualTo(Doubt.NONE);
		new RecordSteps(this.store).acknowledge().join();
		this.store.refresh(Evidence.NONE).join();
		assertThat(read().trust().doubt()).as("nothing that can be acknowledged").isEqualTo(doubt);
		assertThat(newStore("another", HOUR).read().join().trust().doubt()).isEqualTo(Doubt.NONE);
	}

	@Test
	void generationWithoutASingleKeyIsToldFromOthers() {
		activate(ME);
		assertThat(read().trust().proof().empty()).isFalse();
		Generation generation = begin(ME);
		new RecordSteps(this.store).goLive(ME, generation.id(), "").join();
		new RecordSteps(this.store).activate(ME, generation.id(), read().journalSince()).join();
		assertThat(read().trust().proof().empty()).isTrue();
	}

	@Test
	void originArrivesWithTheInstanceThatHasBeenRunningForLongest() {
		activate(ME);
		Rollout first = read().trust().rollout();
		assertThat(first.begun()).isEqualTo(first.arrived());
		Generation generation = newGeneration();
		this.store.acquire(ME, LEASE).join();
		assertThat(new RecordSteps(this.store).begin(ME, generation, HOUR, HOUR).join()).isTrue();
		new RecordSteps(this.store).goLive(ME, generation.id(), "shapes").join();
		assertThat(read().trust().rollout().begun()).as("of the active one").isEqualTo(first.begun());
		new RecordSteps(this.store).activate(ME, generation.id(), read().journalSince()).join();
		Rollout second = read().trust().rollout();
		assertThat(second.begun() - second.arrived()).isEqualTo(HOUR.toMillis());
		activate(ME);
		assertThat(read().trust().rollout().arrived()).isEqualTo(second.arrived());
		assertThat(newStore("another", HOUR).read().join().trust().rollout().arrived()).as("of another origin")
			.isZero();
	}

	@Test
	void originThatDiffersInTheVersionOfTheSchemaHasArrivedWithTheFirst() {
		begin("keys-database-1", HOUR);
		begin("keys-database-2", Duration.ZERO);
		begin("keys-other-1", Duration.ZERO);
		long first = arrived("keys-database-1");
		assertThat(arrived("keys-database-2")).isEqualTo(first);
		assertThat(arrived("keys-other-1")).isGreaterThan(first);
	}

	private void begin(String origin, Duration running) {
		this.store.acquire(ME, LEASE).join();
		assertThat(new RecordSteps(this.store).begin(ME, newGeneration(origin), HOUR, running).join()).isTrue();
	}

	private long arrived(String origin) {
		return newStore(origin, HOUR).read().join().trust().rollout().arrived();
	}

	@Test
	void whatWasWrongBeforeItWasProvenHasToProveItselfAnew() {
		activate(ME);
		Evidence wrong = new Evidence(List.of("00000005"), List.of(), List.of("00000003"), false, false);
		this.store.refresh(new Evidence(List.of("00000001"), List.of("00000002"), List.of(), false, false)).join();
		Awaitility.await().until(() -> read().now() > read().trust().rollout().begun());
		Trust trust = this.store.refresh(wrong).join().trust();
		assertThat(trust.proof()).isEqualTo(Proof.NONE);
		assertThat(trust.doubt().wrong()).isOne();
		assertThat(trust.isWrong(read().now())).isTrue();
		this.store.refresh(absent("00000001")).join();
		assertThat(read().trust().proof().absent()).as("counts anew").isOne();
		new RecordSteps(this.store).acknowledge().join();
		assertThat(read().trust().isWrong(read().now())).as("acknowledged").isFalse();
		long at = this.store.refresh(wrong).join().trust().doubt().at();
		Awaitility.await().until(() -> read().now() > at);
		activate(ME);
		assertThat(read().trust().isWrong(read().now())).as("another one was loaded since").isFalse();
	}

	@Test
	void whatWasProvenStaysSoWhenItIsWrong() {
		activate(ME);
		this.store.refresh(new Evidence(List.of("00000001"), List.of("00000002"), List.of("00000003"), true, false))
			.join();
		this.store.refresh(new Evidence(List.of(), List.of(), List.of("00000004"), false, false)).join();
		assertThat(read().trust().proof()).isEqualTo(new Proof(1, 1, true, false));
		assertThat(read().trust().doubt().wrong()).isEqualTo(2);
	}

	@Test
	void modeIsSwitchedInEachOriginOfAnApplicationUntilThatIsTakenBack() {
		assertThat(read().switched()).isNull();
		ModeSwitch off = new ModeSwitch(FilterMode.OFF, Instant.ofEpochMilli(1_800_000_000_000L), "a|b c");
		new RecordSteps(this.store).switchTo(off).join();
		assertThat(read().switched()).isEqualTo(off);
		assertThat(read().journalSince()).as("the record has begun").isPositive();
		assertThat(read().sameServer()).isTrue();
		activate(ME);
		assertThat(newStore("another", HOUR).read().join().switched()).isEqualTo(off);
		ModeSwitch shadow = new ModeSwitch(FilterMode.SHADOW, off.at().plusSeconds(1), null);
		new RecordSteps(this.store).restore(shadow).join();
		assertThat(read().switched()).as("there is another one").isEqualTo(off);
		new RecordSteps(this.store).switchTo(shadow).join();
		assertThat(read().switched()).isEqualTo(shadow);
		new RecordSteps(this.store).switchTo(null).join();
		assertThat(read().switched()).isNull();
		new RecordSteps(this.store).restore(shadow).join();
		assertThat(read().switched()).isEqualTo(shadow);
		assertThat(read().active(ORIGIN)).isNotNull();
	}

	@Test
	void modeIsSwitchedInOneApplicationOrInAllOnPurpose() {
		ControlStore shop = newStore("id-shop.one-1", HOUR);
		ControlStore nextShop = newStore("sku-shop.?-unknown", HOUR);
		ControlStore stock = newStore("id-stock.one-1", HOUR);
		ModeSwitch off = new ModeSwitch(FilterMode.OFF, Instant.ofEpochMilli(1_800_000_000_000L), null);
		new RecordSteps(shop).switchTo(off).join();
		assertThat(switched(shop)).isEqualTo(off);
		assertThat(switched(nextShop)).isEqualTo(off);
		assertThat(switched(stock)).isNull();
		ModeSwitch shadow = new ModeSwitch(FilterMode.SHADOW, off.at().plusSeconds(1), "ops", true);
		new RecordSteps(stock).switchEverywhere(shadow).join();
		assertThat(Stream.of(shop, nextShop, stock)).extracting(ControlStoreContractTests::switched)
			.containsOnly(shadow);
		new RecordSteps(shop).switchTo(off).join();
		assertThat(switched(shop)).isEqualTo(off);
		assertThat(switched(stock)).isEqualTo(shadow);
		new RecordSteps(shop).switchTo(null).join();
		assertThat(switched(shop)).as("taken back for itself").isNull();
		assertThat(switched(nextShop)).isNull();
		assertThat(switched(stock)).isEqualTo(shadow);
		new RecordSteps(shop).restore(off).join();
		assertThat(switched(shop)).as("taken back meanwhile").isNull();
		new RecordSteps(shop).switchEverywhere(null).join();
		assertThat(switched(shop)).isNull();
		assertThat(switched(stock)).isNull();
		new RecordSteps(stock).restore(shadow).join();
		assertThat(switched(shop)).isEqualTo(shadow);
	}

	private static @Nullable ModeSwitch switched(ControlStore store) {
		return store.read().join().switched();
	}

	private static Evidence absent(String... hashes) {
		return new Evidence(List.of(hashes), List.of(), List.of(), false, false);
	}

	@Test
	void epochGrowsWithEachChangeAndOnlyThen() {
		List<Long> epochs = new ArrayList<>();
		epochs.add(read().epoch());
		append("a");
		epochs.add(read().epoch());
		Generation generation = begin(ME);
		epochs.add(read().epoch());
		new RecordSteps(this.store).goLive(ME, generation.id(), "").join();
		epochs.add(read().epoch());
		new RecordSteps(this.store).activate(ME, generation.id(), read().journalSince()).join();
		epochs.add(read().epoch());
		activate(ME);
		epochs.add(read().epoch());
		new RecordSteps(this.store).drop(List.of(generation.id())).join();
		epochs.add(read().epoch());
		assertThat(epochs).isSortedAccordingTo(Comparator.naturalOrder()).doesNotHaveDuplicates();
		append("b");
		this.store.renew(ME, LEASE).join();
		new RecordSteps(this.store).drop(List.of("unknown")).join();
		this.store.release(ME).join();
		assertThat(read().epoch()).isEqualTo(epochs.get(epochs.size() - 1));
	}

	@Test
	void thereIsOneBuilderAtATime() {
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isFalse();
		assertThat(this.store.renew(OTHER, LEASE).join()).isFalse();
		this.store.release(OTHER).join();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isFalse();
		this.store.release(ME).join();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isTrue();
	}

	@Test
	void leaseEndsUnlessItIsRenewed() {
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isFalse();
		assertThat(this.store.renew(ME, Duration.ofMillis(50)).join()).isTrue();
		Awaitility.await().until(() -> this.store.acquire(OTHER, LEASE).join());
		assertThat(this.store.renew(ME, LEASE).join()).isFalse();
	}

	@Test
	void builderWhoseLeaseWasTakenOverChangesNothing() {
		Generation loading = begin(ME);
		this.store.release(ME).join();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isTrue();
		assertThatMeChangesNothing(loading);
		this.store.release(OTHER).join();
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		assertThat(new RecordSteps(this.store).goLive(ME, loading.id(), "").join()).isTrue();
		this.store.release(ME).join();
		assertThatMeChangesNothing(loading);
		assertThat(this.store.acquire(OTHER, LEASE).join()).isTrue();
		assertThatMeChangesNothing(loading);
	}

	private void assertThatMeChangesNothing(Generation mine) {
		ControlRecord before = read();
		assertThat(new RecordSteps(this.store).goLive(ME, mine.id(), "").join()).isFalse();
		assertThat(new RecordSteps(this.store).activate(ME, mine.id(), before.journalSince()).join()).isFalse();
		assertThat(new RecordSteps(this.store).begin(ME, newGeneration(), HOUR, Duration.ZERO).join()).isFalse();
		assertThat(this.store.renew(ME, LEASE).join()).isFalse();
		this.store.release(ME).join();
		assertThat(read()).usingRecursiveComparison().ignoringFields("now").isEqualTo(before);
	}

	@Test
	void recordIsSwappedOnlyIfItIsWhatWasRead() {
		Generation loading = begin(ME);
		RecordState read = this.store.state().join();
		RecordState next = read.goLive(loading.id(), "shapes");
		assertThat(this.store.swap(OTHER, read, next).join()).isEqualTo(Swap.FENCED);
		assertThat(this.store.swap(ME, read, next).join()).isEqualTo(Swap.MADE);
		assertThat(this.store.swap(ME, read, read.goLive(loading.id(), "others")).join()).isEqualTo(Swap.MOVED);
		assertThat(this.store.swap(ME, read, read).join()).as("although nothing is changed").isEqualTo(Swap.MOVED);
		assertThat(Objects.requireNonNull(this.store.state().join().listed().get(loading.id())).shapes())
			.isEqualTo("shapes");
	}

	protected final CompletableFuture<Swap> activateAsRead(RecordState read, Generation live) {
		return this.store.swap(ME, read, read.activate(live.id(), read.journalSince()));
	}

	protected final CompletableFuture<Swap> retireAsRead(RecordState read) {
		return this.store.swap(ME, read, read.retire());
	}

	@Test
	void nextBuilderRetiresWhatIsHalfBuiltAndKeepsTheRest() {
		Generation active = activate(ME);
		Generation loading = begin(ME);
		this.store.release(ME).join();
		Generation next = begin(OTHER);
		assertThat(phase(loading)).isEqualTo(Phase.RETIRED);
		new RecordSteps(this.store).goLive(OTHER, next.id(), "").join();
		begin(OTHER);
		assertThat(phase(next)).isEqualTo(Phase.RETIRED);
		assertThat(phase(active)).isEqualTo(Phase.ACTIVE);
	}

	@Test
	void journalGivesTheKeysPageByPage() {
		List<String> keys = IntStream.range(0, 2500).mapToObj(String::valueOf).toList();
		this.store.append(keys.subList(0, 1000), List.of()).join();
		begin(ME);
		this.store.append(keys.subList(1000, 2500), List.of()).join();
		assertThat(journal()).isEqualTo(keys);
		JournalPage page = this.store.journal("0-0", 3).join();
		assertThat(page.keys()).hasSizeBetween(3, 1500).isEqualTo(keys.subList(0, page.keys().size()));
		assertThat(this.store.journal(page.last(), 2).join().keys()).startsWith(keys.get(page.keys().size()));
	}

	@Test
	void journalIsTrimmedUnlessSomethingIsBuilt() {
		ControlStore brief = newStore(ORIGIN, Duration.ofMillis(1));
		appendALot(brief);
		appendALot(brief);
		assertThat(journal()).hasSizeLessThan(4000);
		begin(ME);
		appendALot(brief);
		appendALot(brief);
		assertThat(journal()).hasSizeGreaterThanOrEqualTo(4000);
	}

	@Test
	void journalThatTakesTooMuchMemoryIsBegunAnew() {
		ControlStore small = newStore(ORIGIN, smallJournal().build());
		ControlRecord before = append("a");
		Generation generation = begin(ME);
		assertThat(new RecordSteps(this.store).goLive(ME, generation.id(), "").join()).isTrue();
		long epoch = read().epoch();
		long appended = overflow(small, before.journalSince());
		assertThat(appended).as("a megabyte has many keys").isGreaterThan(1000);
		assertThat(read().epoch()).as("no add need be repeated").isEqualTo(epoch);
		assertThat(read().journalSince()).as("complete when nobody needs what was forgotten")
			.isGreaterThan(read().now() + HOUR.toMillis() / 2);
		assertThat(journal()).hasSizeBetween(1, 1000);
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), before.journalSince()).join()).isFalse();
		assertThat(small.remove(List.of("b"), read().now(), read().now() - 1000).join())
			.as("which keys were added is not known")
			.isZero();
		overflow(small, read().journalSince());
	}

	@Test
	void buildDuringWhichTooManyKeysAreAddedBeginsAnewWhenNoneOfThemIsNeeded() throws Exception {
		Duration needed = Duration.ofMillis(300);
		FilterSettings settings = smallJournal().addedRetention(needed).build();
		ControlStore small = newStore(ORIGIN, settings);
		ScheduledExecutorService scheduler = mock();
		given(scheduler.scheduleAtFixedRate(any(), anyLong(), anyLong(), any())).willReturn(mock());
		GenerationBuilder builder = new GenerationBuilder(filters(), small, new RecordSteps(small), scheduler,
				MonotonicClock.SYSTEM, settings, () -> Duration.ZERO);
		append(small, "early");
		long since = read().journalSince();
		assertThatExceptionOfType(BuildFailedException.class).isThrownBy(() -> build(builder, (to, pass, sink) -> {
			overflow(small, since);
			sink.accept(List.of("row"));
		}));
		assertThat(read().active(ORIGIN)).isNull();
		AtomicLong scannedAt = new AtomicLong();
		build(builder, (to, pass, sink) -> {
			scannedAt.set(read().now());
			append(small, "new");
			sink.accept(List.of("row", "early"));
		});
		assertThat(scannedAt.get() - this.overflownAfter).isGreaterThanOrEqualTo(needed.toMillis());
		Generation active = Objects.requireNonNull(read().active(ORIGIN));
		StoredFilter filter = filters().open(active.bits(), active.specification());
		assertThat(Stream.of("row", "early", "new")
			.map((key) -> filter.lookup(active.elements(List.of(key)).get(0)).join())).containsOnly(Membership.MAYBE);
		assertThat(filter.lookup(active.elements(List.of("gone")).get(0)).join()).isEqualTo(Membership.ABSENT);
	}

	private static void build(GenerationBuilder builder, KeyScan scan) throws Exception {
		try (BuildLease lease = builder.acquire().orElseThrow()) {
			builder.build(lease, newGeneration(), scan);
		}
	}

	private static FilterSettingsBuilder smallJournal() {
		return new FilterSettingsBuilder().journalMemory(1 << 20);
	}

	/**
	 * Append keys until the journal is another one.
	 * @return how many
	 */
	private long overflow(ControlStore small, long since) {
		long appended = 0;
		for (ControlRecord record = read(); record.journalSince() == since; record = read()) {
			this.overflownAfter = record.now();
			assertThat(appended).as("of at least ten bytes").isLessThan(100_000);
			long first = appended;
			append(small, LongStream.range(first, first + 500).mapToObj((i) -> "key " + i).toArray(String[]::new));
			appended += 500;
		}
		return appended;
	}

	protected final void appendALot(ControlStore target) {
		target.append(IntStream.range(0, 2000).mapToObj(String::valueOf).toList(), List.of()).join();
		long now = read().now();
		Awaitility.await().pollDelay(Duration.ZERO).until(() -> read().now() > now + 1);
	}

	protected final List<String> journal() {
		List<String> keys = new ArrayList<>();
		JournalPage page = this.store.journal("0-0", 700).join();
		while (!page.last().isEmpty()) {
			keys.addAll(page.keys());
			page = this.store.journal(page.last(), 700).join();
		}
		return keys;
	}

	protected final ControlRecord append(String... keys) {
		return append(this.store, keys);
	}

	protected static ControlRecord append(ControlStore store, String... keys) {
		return store.append(List.of(keys), List.of()).join().record();
	}

	protected final Generation begin(String token) {
		return begin(token, ORIGIN);
	}

	protected final Generation begin(String token, String origin) {
		return begin(token, newGeneration(origin));
	}

	private Generation begin(String token, Generation generation) {
		this.store.acquire(token, LEASE).join();
		assertThat(new RecordSteps(this.store).begin(token, generation, HOUR, Duration.ZERO).join()).isTrue();
		return generation;
	}

	protected final Generation activate(String token) {
		return activate(token, ORIGIN);
	}

	protected final Generation activate(String token, String origin) {
		return activate(token, newGeneration(origin));
	}

	protected final Generation activate(String token, Generation generation) {
		begin(token, generation);
		assertThat(new RecordSteps(this.store).goLive(token, generation.id(), "shapes").join()).isTrue();
		assertThat(new RecordSteps(this.store).activate(token, generation.id(), read().journalSince()).join()).isTrue();
		return generation;
	}

	protected static Generation newGeneration() {
		return newGeneration(ORIGIN);
	}

	protected static Generation newGeneration(String origin) {
		return Generation.loading(new FilterSpecification("products", 1000, 0.01), 500, origin);
	}

	protected final Phase phase(Generation generation) {
		return read().generations()
			.stream()
			.filter((candidate) -> candidate.id().equals(generation.id()))
			.findFirst()
			.orElseThrow()
			.phase();
	}

	protected final ControlRecord read() {
		return this.store.read().join();
	}

}
