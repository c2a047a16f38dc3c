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

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The kinds of characters in the texts whose rows calls have found. A caller chooses a
 * key, but not whether there is a row. What is no text has a form by its type.
 * <p>
 * Concurrency: the set only grows. Concurrent callers may look at a few more keys than
 * {@link #LOOKED_AT}.
 */
final class FoundForms {

	private static final int LOOKED_AT = 1000;

	private static final int MOST = 32;

	private final Set<String> forms = ConcurrentHashMap.newKeySet();

	private int left = LOOKED_AT;

	void add(Object key) {
		if (this.left > 0) {
			this.left--;
			if (this.forms.size() < MOST) {
				this.forms.add(form(key));
			}
		}
	}

	boolean contains(Object key) {
		String form = form(key);
		return form.isEmpty() || this.forms.contains(form);
	}

	private static String form(@Nullable Object key) {
		if (key instanceof Collection<?> parts) {
			return parts.stream().map(FoundForms::form).collect(Collectors.joining());
		}
		return (key instanceof CharSequence text) ? form(text) : "";
	}

	/**
	 * Return a text with one letter or digit for several in a row.
	 */
	private static String form(CharSequence text) {
		StringBuilder form = new StringBuilder("\"");
		for (int i = 0; i < text.length(); i++) {
			char kind = kind(text.charAt(i));
			if (form.charAt(form.length() - 1) != kind) {
				form.append(kind);
			}
		}
		return form.toString();
	}

	private static char kind(char character) {
		if (Character.isDigit(character)) {
			return '9';
		}
		return Character.isLetter(character) ? 'a' : character;
	}

}
