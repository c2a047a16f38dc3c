package io.github.bloomguard.interceptor;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The names of the configured filters.
 *
 * @param known gives the names
 */
record FilterNames(Supplier<? extends Collection<String>> known) {

	/**
	 * Return a name if it is that of a filter, and otherwise refuse the annotation.
	 */
	String check(Declaration declaration, String name) {
		Collection<String> names = this.known.get();
		if (!StringUtils.hasText(name)) {
			throw declaration.invalid("names no filter",
					"write @" + declaration.annotation().getSimpleName() + "(filter = \"...\") with " + choice(names));
		}
		if (!names.contains(name)) {
			String closest = closest(name, names);
			throw declaration.invalid("filter", name, "names a filter that is not configured",
					((closest != null) ? "did you mean '" + closest + "'? Write " : "write ") + choice(names)
							+ ", or configure bloom-guard.filters." + name,
					null);
		}
		return name;
	}

	private static String choice(Collection<String> names) {
		return names.isEmpty() ? "a filter configured under bloom-guard.filters (there is none yet)"
				: "one of the filters configured under bloom-guard.filters: " + String.join(", ", names);
	}

	/**
	 * Return the one that is meant by a name with a slip, {@code null} if it is none.
	 */
	static @Nullable String closest(String name, Collection<String> names) {
		int limit = Math.max(1, name.length() / 3);
		return names.stream()
			.filter((candidate) -> distance(name, candidate) <= limit)
			.min(Comparator.comparingInt((candidate) -> distance(name, candidate)))
			.orElse(null);
	}

	/**
	 * Count the letters to insert, delete or replace, whatever their case.
	 */
	private static int distance(String left, String right) {
		String from = left.toLowerCase(Locale.ROOT);
		String to = right.toLowerCase(Locale.ROOT);
		int[] row = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = diagonal + ((from.charAt(i - 1) != to.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[to.length()];
	}

}
