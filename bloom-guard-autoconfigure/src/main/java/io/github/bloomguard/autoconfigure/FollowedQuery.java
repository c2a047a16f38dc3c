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

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.jspecify.annotations.Nullable;

/**
 * A {@code warm-up.query} of a filter that follows the change log: it must give the very
 * columns of the table of which the log has the rows.
 *
 * @param text the query without what is quoted as a text, {@code null} if there is none
 */
record FollowedQuery(@Nullable String text) {

	private static final Pattern TEXTS = Pattern.compile("'[^']*'");

	private static final Pattern FORM = Pattern.compile(
			"\\s*select\\s+(?<columns>[^()]+?)\\s+from\\s+(?<table>[^\\s,;()]+)(?<where>\\s+where\\b.*?)?\\s*;?\\s*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	/**
	 * What brings other tables into a query, or leaves rows out for another reason than
	 * their own values.
	 */
	private static final Pattern MORE = Pattern.compile(
			"\\b(select|union|intersect|except|group|having|limit|offset|fetch|current_\\w+|now)\\b",
			Pattern.CASE_INSENSITIVE);

	static FollowedQuery of(@Nullable String query) {
		return new FollowedQuery((query != null) ? TEXTS.matcher(query).replaceAll("''") : null);
	}

	boolean isGiven() {
		return this.text != null;
	}

	/**
	 * Return whether rows may be left out.
	 */
	boolean isConditional() {
		return this.text == null || Pattern.compile("\\bwhere\\b", Pattern.CASE_INSENSITIVE).matcher(this.text).find();
	}

	void check(FeedSpecification specification) {
		if (this.text != null && !gives(this.text, specification)) {
			throw new InvalidGuardException(
					specification.property("enabled") + " is true, and bloom-guard.filters." + specification.filter()
							+ ".warm-up.query gives other keys than the columns " + specification.keyColumns() + " of "
							+ specification.table(),
					"Write: select " + String.join(", ", specification.keyColumns()) + " from " + specification.table()
							+ ", perhaps with a condition on other columns of that table; for"
							+ " another query, set changes.enabled to false and use catch-up.query");
		}
	}

	private static boolean gives(String query, FeedSpecification specification) {
		Matcher form = FORM.matcher(query);
		return form.matches() && (form.group("where") == null || !MORE.matcher(form.group("where")).find())
				&& names(List.of(form.group("columns").split(","))).equals(names(specification.keyColumns()))
				&& name(form.group("table")).equals(name(specification.table()));
	}

	private static List<String> names(List<String> columns) {
		return columns.stream().map(FollowedQuery::name).toList();
	}

	private static String name(String name) {
		return name.trim().replaceAll("[\"`]", "").toLowerCase(Locale.ROOT);
	}

}
