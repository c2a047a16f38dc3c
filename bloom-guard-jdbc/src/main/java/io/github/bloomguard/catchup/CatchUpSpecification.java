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

import java.time.Duration;
import java.util.regex.Pattern;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Configures how a filter catches up with rows that others write.
 *
 * @param query SQL query for the rows after {@code :mark}, in the order of their
 * checkpoints: the columns of the key, then the checkpoint; or one column that is both
 * @param start SQL query for the checkpoint before a scan
 */
public record CatchUpSpecification(String filter, String query, String start, Duration interval) {

	private static final Pattern MARK = Pattern.compile("(?<![:\\w]):mark\\b");

	public CatchUpSpecification {
		FilterChecks checks = new FilterChecks(filter);
		checks.that(MARK.matcher(query).find(), "catch-up.query", "'" + query + "', which has no :mark",
				"Let it select the rows after the checkpoint, such as"
						+ " 'select id from product where id > :mark order by id'");
		checks.that(interval.compareTo(Duration.ZERO) > 0, "catch-up.interval", interval,
				"Set it to the time after which a row that others write must be known, such as 10s");
	}

	/**
	 * Create a specification from properties that may not be set.
	 * @return {@code null} if neither query has text
	 * @throws InvalidGuardException if only one of the queries is set, or one is invalid
	 */
	public static @Nullable CatchUpSpecification of(String filter, @Nullable String query, @Nullable String start,
			Duration interval) {
		if (!StringUtils.hasText(query) && !StringUtils.hasText(start)) {
			return null;
		}
		FilterChecks checks = new FilterChecks(filter);
		if (start == null) {
			throw checks.invalid("catch-up.query",
					"'" + query + "', but " + checks.property("catch-up.start") + " is not set",
					"Set it to a query for the highest checkpoint, such as 'select coalesce(max(id), 0) from product'");
		}
		if (query == null) {
			throw checks.invalid("catch-up.start",
					"'" + start + "', but " + checks.property("catch-up.query") + " is not set",
					"Set it to a query for the rows after the checkpoint, such as"
							+ " 'select id from product where id > :mark order by id', or remove the other");
		}
		return new CatchUpSpecification(filter, query, start, interval);
	}

}
