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

package io.github.bloomguard.declaration;

import java.util.Collection;
import java.util.Locale;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.util.StringUtils;

/**
 * Makes operations of annotations, and refuses those that can't work.
 */
record GuardOperationParser(Supplier<? extends Collection<String>> filterNames, GuardExpressionParser expressions) {

	private static final String HIDDEN = "; a test whose application.yml hides that of src/main needs"
			+ " @AutoConfigureBloomGuard, or bloom-guard.enabled=false";

	GuardOperationParser withFilters(List<String> names) {
		return new GuardOperationParser(() -> names, this.expressions);
	}

	GuardOperation parse(Declaration declaration) {
		checkFilter(declaration);
		boolean many = declaration.has("keys");
		GuardExpression key = many ? keys(declaration) : key(new GuardExpression.Source(declaration, "key"));
		if (declaration.isGuard() && key.isArgument()) {
			checkCase(declaration);
		}
		return new GuardOperation(declaration, key, many, declaration.has("condition")
				? this.expressions.condition(new GuardExpression.Source(declaration, "condition")) : null);
	}

	private void checkFilter(Declaration declaration) {
		Collection<String> names = this.filterNames.get();
		String name = declaration.filter();
		if (!StringUtils.hasText(name)) {
			throw declaration.invalid("names no filter",
					"write " + declaration.name() + "(filter = \"...\") with " + choice(names));
		}
		if (!names.contains(name)) {
			names.stream().filter((other) -> uniform(other).equals(uniform(name))).findFirst().ifPresent((other) -> {
				throw declaration.invalid("filter", name, "names a filter whose name is spelt '" + other + "'",
						"write filter = \"" + other + "\", or write bloom-guard.filters." + name + " instead of "
								+ other + " wherever it is configured: Spring Boot takes both for one name",
						null);
			});
			throw declaration.invalid("filter", name, "names a filter that is not configured", "write " + choice(names)
					+ ", or configure bloom-guard.filters." + name + (names.isEmpty() ? HIDDEN : ""), null);
		}
	}

	/**
	 * Return what Spring Boot compares of a part of a property's name.
	 */
	private static String uniform(String name) {
		return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
	}

	private static String choice(Collection<String> names) {
		return names.isEmpty() ? "a filter configured under bloom-guard.filters (there is none yet)"
				: "one of the filters configured under bloom-guard.filters: " + String.join(", ", names);
	}

	private GuardExpression key(GuardExpression.Source source) {
		if (StringUtils.hasText(source.text())) {
			return this.expressions.key(source);
		}
		int parameters = source.method().parameterCount();
		if (parameters != 1) {
			throw source.declaration()
				.invalid("has no key, and the method has " + parameters + " parameters instead of one",
						"write key = \"#name\" for the parameter that is the key");
		}
		return this.expressions.key(source.instead("#p0"));
	}

	private GuardExpression keys(Declaration declaration) {
		if (declaration.has("key")) {
			throw declaration.invalid("has both key = \"" + declaration.text("key") + "\" and keys = \""
					+ declaration.text("keys") + "\"",
					"write key for a single key, or keys for a Collection or an array of them");
		}
		GuardExpression.Source source = new GuardExpression.Source(declaration, "keys");
		return declaration.isGuard() ? this.expressions.parameter(source) : this.expressions.keys(source);
	}

	/**
	 * Spring Data derives from such a name that case is ignored; the filter does not.
	 */
	private static void checkCase(Declaration declaration) {
		if (declaration.method().ignoresCase()) {
			throw declaration.invalid(
					"finds rows in any case, but the filter only those that are equal in the column of their keys",
					"write key = \"#name.toLowerCase()\" and let the filter have its keys in lower case; if the column"
							+ " ignores case, give the method a name that does not say so");
		}
	}

}
