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

package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.annotation.BloomRemove;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Makes operations of annotations, and refuses those that can't work.
 */
record GuardOperationParser(Supplier<? extends Collection<String>> filterNames, GuardExpressionParser expressions,
		StringValueResolver placeholders) {

	private static final Pattern IGNORING_CASE = Pattern.compile("Ignor(e|ing)Case");

	private static final String HIDDEN = "; a test whose application.yml hides that of src/main needs"
			+ " @AutoConfigureBloomGuard, or bloom-guard.enabled=false";

	GuardOperationParser withFilters(List<String> names) {
		return new GuardOperationParser(() -> names, this.expressions, this.placeholders);
	}

	GuardOperation parse(BloomGuarded annotation, AnnotatedMethod method) {
		Declaration declaration = new Declaration(BloomGuarded.class, method);
		String filter = filter(declaration, annotation.filter());
		KeysParameter keys = keys(declaration, annotation);
		boolean conditional = StringUtils.hasText(annotation.condition());
		GuardExpression key = (keys == null)
				? key(new GuardExpression.Source(declaration, "key", annotation.key(), false, conditional)) : null;
		if (key == null || key.isArgument()) {
			checkCase(declaration);
		}
		return new GuardOperation(declaration, filter, key, keys,
				condition(new GuardExpression.Source(declaration, "condition", annotation.condition(), false, false)),
				emptyTtl(declaration, annotation.emptyTtl()), Missing.of(declaration, annotation.missing(), filter));
	}

	KeyOperation parse(BloomAdd annotation, AnnotatedMethod method) {
		return parse(new Declaration(BloomAdd.class, method), annotation.filter(), annotation.key(), annotation.keys(),
				annotation.condition(), !annotation.before());
	}

	KeyOperation parse(BloomRemove annotation, AnnotatedMethod method) {
		return parse(new Declaration(BloomRemove.class, method), annotation.filter(), annotation.key(),
				annotation.keys(), annotation.condition(), true);
	}

	private KeyOperation parse(Declaration declaration, String filter, String key, String keys, String condition,
			boolean withResult) {
		String name = filter(declaration, filter);
		boolean conditional = StringUtils.hasText(condition);
		boolean many = StringUtils.hasText(keys);
		checkKeyOrKeys(declaration, key, keys);
		return new KeyOperation(name,
				many ? this.expressions
					.keys(new GuardExpression.Source(declaration, "keys", keys, withResult, conditional))
						: key(new GuardExpression.Source(declaration, "key", key, withResult, conditional)),
				many, condition(new GuardExpression.Source(declaration, "condition", condition, withResult, false)));
	}

	private String filter(Declaration declaration, String name) {
		Collection<String> names = this.filterNames.get();
		if (!StringUtils.hasText(name)) {
			throw declaration.invalid("names no filter",
					"write @" + declaration.annotation().getSimpleName() + "(filter = \"...\") with " + choice(names));
		}
		if (!names.contains(name)) {
			throw declaration.invalid("filter", name, "names a filter that is not configured", "write " + choice(names)
					+ ", or configure bloom-guard.filters." + name + (names.isEmpty() ? HIDDEN : ""), null);
		}
		return name;
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

	static boolean ignoresCase(Method method) {
		return IGNORING_CASE.matcher(method.getName()).find();
	}

	/**
	 * Spring Data derives from such a name that case is ignored; the filter does not.
	 */
	private static void checkCase(Declaration declaration) {
		if (ignoresCase(declaration.method().method())) {
			throw declaration.invalid(
					"finds rows in any case, but the filter only those that are equal in the column of their keys",
					"write key = \"#name.toLowerCase()\" and let the filter have its keys in lower case; if the column"
							+ " ignores case, give the method a name that does not say so");
		}
	}

	private static void checkKeyOrKeys(Declaration declaration, String key, String keys) {
		if (StringUtils.hasText(key) && StringUtils.hasText(keys)) {
			throw declaration.invalid("has both key = \"" + key + "\" and keys = \"" + keys + "\"",
					"write key for a single key, or keys for a Collection or an array of them");
		}
	}

	private @Nullable KeysParameter keys(Declaration declaration, BloomGuarded annotation) {
		String text = annotation.keys();
		if (!StringUtils.hasText(text)) {
			return null;
		}
		checkKeyOrKeys(declaration, annotation.key(), text);
		Integer parameter = this.expressions
			.parameter(new GuardExpression.Source(declaration, "keys", text, false, false));
		if (parameter == null) {
			throw declaration.invalid("keys", text, "is not the name of a parameter",
					"write #name, #p0 or #a0 of a Collection or an array, and nothing else", null);
		}
		return KeysParameter.of(declaration, text, parameter);
	}

	private @Nullable GuardExpression condition(GuardExpression.Source source) {
		return StringUtils.hasText(source.text()) ? this.expressions.condition(source) : null;
	}

	private @Nullable Duration emptyTtl(Declaration declaration, String text) {
		if (!StringUtils.hasText(text)) {
			return null;
		}
		Duration emptyTtl;
		try {
			String resolved = this.placeholders.resolveStringValue(text);
			emptyTtl = DurationFormatterUtils.detectAndParse((resolved != null) ? resolved.trim() : "");
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw declaration.invalid("emptyTtl", text, "is not a duration", "write a duration such as 30s or PT30S",
					ex);
		}
		if (emptyTtl.isNegative()) {
			throw declaration.invalid("emptyTtl", text, "is negative",
					"write a duration such as 30s, or 0s to remember nothing", null);
		}
		return emptyTtl;
	}

}
