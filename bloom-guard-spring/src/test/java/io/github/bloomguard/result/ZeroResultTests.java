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

package io.github.bloomguard.result;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ZeroResult}.
 */
class ZeroResultTests {

	@ParameterizedTest
	@ValueSource(strings = { "count", "countById", "count_by_id", "selectCount", "numberOfOrders", "deleteById" })
	void nameThatBeginsWithAWordForCountingCounts(String method) {
		assertThat(ZeroResult.isCount(method)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "priceOf", "countryOf", "getCount", "findCountById", "stock", "viewCount" })
	void numberMayBeAValueOfTheRowOtherwise(String method) {
		assertThat(ZeroResult.isCount(method)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "isFree", "isNameFree", "isFreeByName", "isSkuUnknown", "isUsernameAvailable", "notExists",
			"doesNotExistById", "hasNoOrders", "existsNot", "is_new" })
	void nameMayAskForWhatIsNotThere(String method) {
		assertThat(ZeroResult.asksForAbsence(method)).isTrue();
		assertThat(ZeroResult.asksForExistence(method)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "existsById", "isActive", "hasOrders", "contains", "isNotificationSent", "isFreeShipping",
			"check", "removeById" })
	void otherQuestionsAreAnsweredWithNo(String method) {
		assertThat(ZeroResult.asksForAbsence(method)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "exists", "existsById" })
	void existenceIsAskedForByTheFirstWord(String method) {
		assertThat(ZeroResult.asksForExistence(method)).isTrue();
		assertThat(ZeroResult.asksForExistence("existsence" + method)).isFalse();
	}

}
