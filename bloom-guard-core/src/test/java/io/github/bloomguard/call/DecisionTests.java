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

package io.github.bloomguard.call;

import java.util.Arrays;
import java.util.List;

import io.github.bloomguard.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Decision}.
 */
class DecisionTests {

	private static final List<Decision> ALL = List.of(Decision.ABSENT, Decision.LET_THROUGH, Decision.REMEMBERED,
			Decision.maybe(7), Decision.maybe(7).asUncertain(), Decision.UNKNOWN);

	@Test
	void listenersAreToldWhatWasDecidedAndNotByWhichProtocol() {
		assertThat(ALL).extracting(Decision::verdict).containsExactly(Verdict.values());
		assertThat(ALL).allSatisfy((decision) -> {
			assertThat(decision.verdict().membership()).isEqualTo(decision.membership());
			assertThat(decision.verdict().answered()).isEqualTo(decision.answered());
		});
		assertThat(Arrays.stream(Verdict.values()).filter(Verdict::answered)).containsExactly(Verdict.ABSENT,
				Verdict.REMEMBERED);
		assertThat(Decision.MAYBE.verdict()).isEqualTo(Verdict.MAYBE);
	}

}
