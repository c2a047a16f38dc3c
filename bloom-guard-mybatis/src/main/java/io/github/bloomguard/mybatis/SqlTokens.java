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

package io.github.bloomguard.mybatis;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A text of SQL, cut into tokens without comments: in lower case and without quotes, so
 * that those that were quoted stand as names only.
 */
final class SqlTokens {

	private static final Pattern TOKEN = Pattern.compile(
			"--[^\\n]*+|/\\*.*?\\*/|'[^']*+'|\"(?:[^\"]++|\"\")*+\""
					+ "|`[^`]*+`|\\[[\\p{L}_][^\\]]*+\\]|[\\p{L}_][\\p{L}\\p{N}_$#]*+|[0-9][0-9.]*+|\\S",
			Pattern.DOTALL);

	/**
	 * Tokens where no literal and no comment is certain: what is in them stands there,
	 * too.
	 */
	private static final Pattern UNCERTAIN = Pattern
		.compile("\"[^\"';]++\"|`[^`';]++`|\\[[\\p{L}_][^\\]';]*+\\]|[\\p{L}_][\\p{L}\\p{N}_$]*+|[0-9][0-9.]*+|\\S");

	/**
	 * Text that databases read differently: escapes in literals, other quotes.
	 */
	private static final Pattern AMBIGUOUS = Pattern
		.compile("\\\\|(?<![\\p{L}\\p{N}_$])(?:\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*+)?\\$|[nN]?[qQ]')|\\?\\?");

	/**
	 * The like of a token: a comment that is executed, has another, or is an operator,
	 * and a name with quotes.
	 */
	private static final Pattern AMBIGUOUS_TOKEN = Pattern
		.compile("/\\*(?:M?!.*|.+/\\*.*)|--(?=\\S).*[;=?'\"`].*|[`\\[].*['\"].*", Pattern.DOTALL);

	private static final Set<String> MODIFIERS = Set.of("into", "low_priority", "delayed", "high_priority", "ignore",
			"overwrite", "or", "abort", "fail", "rollback", "only", "table", "all");

	private final List<String> tokens;

	/**
	 * How many parameters stand before each token, and in all.
	 */
	private final int[] parameters;

	private final boolean ambiguous;

	SqlTokens(String sql) {
		List<MatchResult> found = TOKEN.matcher(sql).results().toList();
		this.ambiguous = AMBIGUOUS.matcher(sql).find() || found.stream().anyMatch((token) -> isAmbiguous(token, sql));
		Stream<String> certain = found.stream()
			.map(MatchResult::group)
			.filter((token) -> !token.startsWith("--") && !token.startsWith("/*"));
		Stream<String> uncertain = this.ambiguous
				? Stream.concat(Stream.of(";"), UNCERTAIN.matcher(sql).results().map(MatchResult::group))
				: Stream.empty();
		this.tokens = Stream.concat(certain, uncertain).map(SqlTokens::unquoted).toList();
		this.parameters = new int[this.tokens.size() + 1];
		for (int i = 0; i < this.tokens.size(); i++) {
			this.parameters[i + 1] = this.parameters[i] + (is(i, "?") ? 1 : 0);
		}
	}

	/**
	 * Return whether databases read a token differently, also as the end of a comment of
	 * MySQL's, which {@code #} begins and the line ends.
	 */
	private static boolean isAmbiguous(MatchResult token, String sql) {
		String text = token.group();
		return AMBIGUOUS_TOKEN.matcher(text).matches() || (text.indexOf('\n') >= 0
				&& sql.substring(sql.lastIndexOf('\n', token.start()) + 1, token.start()).indexOf('#') >= 0);
	}

	static String unquoted(String name) {
		boolean quoted = name.length() > 1 && "\"`[".indexOf(name.charAt(0)) >= 0;
		return (quoted ? name.substring(1, name.length() - 1) : name).toLowerCase(Locale.ROOT);
	}

	boolean areAmbiguous() {
		return this.ambiguous;
	}

	int size() {
		return this.tokens.size();
	}

	/**
	 * Return the token at an index, an empty one if there is none.
	 */
	String get(int i) {
		return (i >= 0 && i < size()) ? this.tokens.get(i) : "";
	}

	boolean is(int i, String... tokens) {
		return List.of(tokens).contains(get(i));
	}

	boolean isName(int i) {
		return !get(i).isEmpty() && (Character.isLetter(get(i).charAt(0)) || get(i).charAt(0) == '_');
	}

	/**
	 * Return whether a statement begins at an index.
	 */
	boolean begins(int i) {
		return i == 0 || is(i - 1, ";");
	}

	/**
	 * Return whether any index is as asked.
	 */
	boolean any(IntPredicate asked) {
		return IntStream.range(0, size()).anyMatch(asked);
	}

	/**
	 * Return the index of the next such token, the size if there is none.
	 */
	int find(String token, int from) {
		return IntStream.range(from, size()).filter((i) -> is(i, token)).findFirst().orElse(Math.max(from, size()));
	}

	/**
	 * Return the token before what says which table is meant.
	 */
	String beforeModifiers(int from) {
		int i = from;
		while (MODIFIERS.contains(get(i))) {
			i--;
		}
		return get(i);
	}

	/**
	 * Return the end of the name of a table or routine, {@code -1} if there is none.
	 */
	int endOfName(int from) {
		int i = from;
		while (MODIFIERS.contains(get(i))) {
			i++;
		}
		if (!isName(i)) {
			return -1;
		}
		i++;
		while (is(i, ".")) {
			i += 2;
		}
		return i;
	}

	/**
	 * Return how many parameters stand before an index.
	 */
	int parametersBefore(int end) {
		return this.parameters[end];
	}

}
