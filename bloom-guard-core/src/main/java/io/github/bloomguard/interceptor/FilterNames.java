package io.github.bloomguard.interceptor;

import java.util.Collection;
import java.util.function.Supplier;

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
			String closest = Declaration.closest(name, names);
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

}
