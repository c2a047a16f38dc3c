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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.KeyTerms;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.OwnerOrigin;
import io.github.bloomguard.generation.OwnerTerms;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OwnerView}: how a reader believes the versions of an owner that a
 * record tells of.
 */
class OwnerViewTests {

	private static final long NOW = Duration.ofDays(1).toMillis();

	private static final Proof PROVEN = new Proof(100, 10, true, false);

	private static final Trust BELIEVED = new Trust(new Rollout(0, NOW - 1000), PROVEN, Doubt.NONE);

	private static final String FIRST = Origin.inThisForm("first") + "-catalogue.database-1";

	private static final String SECOND = Origin.inThisForm("second") + "-catalogue.database-1";

	private final OwnerView view = new OwnerView("products", "catalogue", "redis", FilterMode.ENFORCE, Mode.BEHIND);

	private final List<OwnerOrigin> owned = new ArrayList<>();

	private final List<Generation> generations = new ArrayList<>();

	private @Nullable ModeSwitch switched;

	@Test
	void oneVersionThatIsBelievedIsAsked() {
		loaded(FIRST, NOW, BELIEVED, terms());
		assertThat(asked()).containsExactly(FIRST);
		assertThat(standing().answering()).isTrue();
	}

	@Test
	void allVersionsInUseAreAsked() {
		loaded(FIRST, NOW, BELIEVED, terms());
		loaded(SECOND, NOW, BELIEVED, terms());
		assertThat(asked()).containsExactlyInAnyOrder(FIRST, SECOND);
		assertThat(standing().answering()).isTrue();
	}

	@Test
	void versionThatIsInUseAndNotLoadedIsWaitedFor() {
		loaded(FIRST, NOW, BELIEVED, terms());
		this.owned.add(new OwnerOrigin(SECOND, NOW, Trust.NONE, terms()));
		assertThat(asked()).isEmpty();
		assertThat(reason()).contains("waits until its owner, the application 'catalogue', has loaded it");
	}

	@Test
	void versionThatIsNotBelievedLetsCallsPass() {
		loaded(FIRST, NOW, BELIEVED, terms());
		loaded(SECOND, NOW, new Trust(BELIEVED.rollout(), Proof.NONE, Doubt.NONE), terms());
		assertThat(standing().answering()).isFalse();
		assertThat(standing().state()).isEqualTo(FilterState.PROVING);
	}

	@Test
	void versionThatMeetsARivalLetsCallsPass() {
		loaded(FIRST, NOW, new Trust(new Rollout(0, NOW - 1000, NOW - 5000, 0, 0), PROVEN, Doubt.NONE),
				new OwnerTerms(true, FilterMode.ENFORCE, Duration.ofMinutes(10), 100, false, false,
						new KeyTerms(true, false, List.of()), "redis"));
		assertThat(standing().state()).isEqualTo(FilterState.SETTLING);
		assertThat(standing().answering()).isFalse();
	}

	@Test
	void refutedVersionIsNotAsked() {
		loaded(FIRST, NOW, new Trust(BELIEVED.rollout(), Proof.NONE, new Doubt(1, NOW - 10, NOW - 10, 0)), terms());
		assertThat(standing().state()).isEqualTo(FilterState.REFUTED);
		assertThat(standing().asked()).isFalse();
	}

	@Test
	void doubtAboutOneVersionHasAnswersVerifiedBeforeTheyAreGiven() {
		loaded(FIRST, NOW, BELIEVED, terms());
		loaded(SECOND, NOW, new Trust(BELIEVED.rollout(), PROVEN, new Doubt(1, NOW - 10, NOW - 10, 0)), terms());
		assertThat(standing().answering()).isTrue();
		assertThat(standing().verification()).isEqualTo(Mode.BEFORE);
	}

	@Test
	void versionThatIsGoneIsNotAsked() {
		loaded(FIRST, NOW - Duration.ofMinutes(3).toMillis(), new Trust(BELIEVED.rollout(), Proof.NONE, Doubt.NONE),
				terms());
		loaded(SECOND, NOW, BELIEVED, terms());
		assertThat(asked()).containsExactly(SECOND);
		assertThat(standing().answering()).isTrue();
	}

	@Test
	void ownerThatIsNotSeenAnyMoreIsNotAsked() {
		loaded(FIRST, NOW - Duration.ofMinutes(3).toMillis(), BELIEVED, terms());
		assertThat(asked()).isEmpty();
		assertThat(reason()).contains("no instance of its owner, the application 'catalogue', was seen since");
	}

	@Test
	void instancesThatOnlyAddKeysAreNotWaitedFor() {
		loaded(FIRST, NOW, BELIEVED, terms());
		this.owned.add(new OwnerOrigin(SECOND, NOW, Trust.NONE, new OwnerTerms(false, FilterMode.ENFORCE, Duration.ZERO,
				100, false, false, KeyTerms.UNKNOWN, "redis")));
		assertThat(asked()).containsExactly(FIRST);
	}

	@Test
	void ownerThatTellsNothingIsNotAsked() {
		loaded(FIRST, NOW, BELIEVED, null);
		assertThat(asked()).isEmpty();
		assertThat(reason()).contains("does not tell which keys may be called absent");
	}

	@Test
	void ownerThatKeepsKeysInAnotherFormIsNotAsked() {
		loaded("999_first-catalogue.database-1", NOW, BELIEVED, terms());
		assertThat(asked()).isEmpty();
		assertThat(reason()).contains("keeps keys in another form");
	}

	@Test
	void ownerWithAnotherTypeOfFilterIsNotAsked() {
		loaded(FIRST, NOW, BELIEVED, new OwnerTerms(true, FilterMode.ENFORCE, Duration.ZERO, 100, false, false,
				new KeyTerms(true, false, List.of()), "redis-bloom"));
		assertThat(asked()).isEmpty();
		assertThat(reason()).contains("keeps it as the type 'redis-bloom', and here it has the type 'redis'");
	}

	@Test
	void rowsThatDependOnTheCallerAreAskedForBeforeTheAnswer() {
		loaded(FIRST, NOW, BELIEVED, new OwnerTerms(true, FilterMode.ENFORCE, Duration.ZERO, 100, true, false,
				new KeyTerms(true, false, List.of()), "redis"));
		assertThat(standing().verification()).isEqualTo(Mode.BEFORE);
		assertThat(standing().callersOnly()).isTrue();
	}

	@Test
	void switchAtRunTimeCountsInsteadOfTheConfiguredModeOfTheOwner() {
		OwnerTerms shadow = new OwnerTerms(true, FilterMode.SHADOW, Duration.ZERO, 100, false, false,
				new KeyTerms(true, false, List.of()), "redis");
		loaded(FIRST, NOW, BELIEVED, shadow);
		assertThat(this.view.mode(record())).isEqualTo(FilterMode.SHADOW);
		this.switched = new ModeSwitch(FilterMode.ENFORCE, Instant.EPOCH, null);
		assertThat(this.view.mode(record())).isEqualTo(FilterMode.ENFORCE);
	}

	@Test
	void ownerThatWasConfiguredOffIsSaidToBeOff() {
		this.owned.add(new OwnerOrigin(FIRST, NOW, Trust.NONE, new OwnerTerms(true, FilterMode.OFF, Duration.ZERO, 100,
				false, false, new KeyTerms(true, false, List.of()), "redis")));
		assertThat(asked()).isEmpty();
		assertThat(this.view.judge(record(), false, false, found()).state()).isEqualTo(FilterState.OFF);
	}

	private static OwnerTerms terms() {
		return new OwnerTerms(true, FilterMode.ENFORCE, Duration.ZERO, 100, false, false,
				new KeyTerms(true, false, List.of()), "redis");
	}

	private void loaded(String origin, long used, Trust trust, @Nullable OwnerTerms terms) {
		this.owned.add(new OwnerOrigin(origin, used, trust, terms));
		this.generations.add(new Generation(origin, new FilterSpecification("products", 1000, 0.01), 1000, "salt",
				origin, Instant.EPOCH, Generation.Phase.ACTIVE));
	}

	private ControlRecord record() {
		return new ControlRecord(1, this.generations, Trust.NONE, true, 1, JournalPosition.START, NOW, 0, 0,
				this.switched, this.owned, 0);
	}

	private List<String> asked() {
		return this.view.asked(record()).stream().map(Generation::origin).toList();
	}

	private Standing standing() {
		return this.view.judge(record(), true, false, found());
	}

	private @Nullable String reason() {
		return standing().reason();
	}

	private static CallEvidence found() {
		return new CallEvidence(() -> {
			throw new IllegalStateException();
		}, () -> {
		});
	}

}
