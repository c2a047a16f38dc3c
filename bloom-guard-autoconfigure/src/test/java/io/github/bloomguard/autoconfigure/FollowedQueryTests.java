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

package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link FollowedQuery}.
 */
class FollowedQueryTests {

	private static final FeedSpecification FEED = new FeedSpecification("products", "", "shop.Product",
			List.of("tenant", "id"), Duration.ZERO, false, true);

	@ParameterizedTest
	@ValueSource(strings = { "select tenant, id from shop.product",
			" SELECT\n\"tenant\", `id` FROM shop.Product WHERE active AND name <> 'select limit' ORDER BY id ;" })
	void queryOfTheColumnsIsFollowed(String query) {
		assertThatNoException().isThrownBy(() -> FollowedQuery.of(query).check(FEED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "select id, tenant from shop.product", "select id from shop.product",
			"select lower(tenant), id from shop.product", "select tenant, id + 1 from shop.product",
			"select distinct tenant, id from shop.product", "select tenant, id from product",
			"select tenant, id from shop.product limit 10", "select tenant, id from shop.product where id > 0 limit 10",
			"select p.tenant, p.id from shop.product p left join archive a on a.id = p.id",
			"select tenant, id from shop.product, archive",
			"select tenant, id from shop.product union select tenant, id from archive",
			"select tenant, id from shop.product where active union select tenant, id from archive",
			"select tenant, id from shop.product where id in (select id from stock)",
			"select tenant, id from shop.product where shown < now()",
			"with p as (select 1) select tenant, id from p" })
	void queryThatMayGiveOtherKeysIsRefused(String query) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> FollowedQuery.of(query).check(FEED))
			.withMessageContaining("warm-up.query gives other keys than the columns [tenant, id] of shop.Product")
			.satisfies((refusal) -> assertThat(refusal.getRemedy())
				.startsWith("Write: select tenant, id from shop.Product, "));
	}

	@Test
	void rowsMayBeLeftOutByAConditionOrByASourceThatIsNotKnown() {
		assertThat(FollowedQuery.of("select id from product").isConditional()).isFalse();
		assertThat(FollowedQuery.of("select id from product where active").isConditional()).isTrue();
		assertThat(FollowedQuery.of(null).isConditional()).isTrue();
		assertThatNoException().isThrownBy(() -> FollowedQuery.of(null).check(FEED));
	}

}
