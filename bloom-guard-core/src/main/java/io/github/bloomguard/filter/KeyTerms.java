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

package io.github.bloomguard.filter;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Which keys may be called absent, written down for applications that have no source of
 * the keys and could not ask one. All other keys may be there.
 *
 * @param known whether that can be written down at all
 * @param converted whether the application that loads the keys converts some, so that
 * only it knows the form of keys that are not of a basic type
 * @param sources the types that each source compares its keys with, for each part;
 * sources that tell all keys apart are left out
 */
public record KeyTerms(boolean known, boolean converted, List<List<KeyType>> sources) {

	/**
	 * Nothing is known, so any key may be there.
	 */
	public static final KeyTerms UNKNOWN = new KeyTerms(false, false, List.of());

	private static final String NO_TERMS = "?";

	private static final String CONVERTED = "converted";

	private static final String PLAIN = "plain";

	public KeyTerms {
		sources = List.copyOf(sources);
	}

	/**
	 * Return what the equalities of sources come to.
	 */
	public static KeyTerms of(boolean converted, Collection<? extends KeyEquality> equalities) {
		List<List<KeyType>> sources = new ArrayList<>();
		for (KeyEquality equality : equalities) {
			if (equality instanceof TypedKeys typed) {
				Optional<List<KeyType>> types = typed.keyTypes();
				if (types.isEmpty()) {
					return UNKNOWN;
				}
				sources.add(types.get());
			}
			else if (!tellsAllApart(equality)) {
				return UNKNOWN;
			}
		}
		return new KeyTerms(true, converted, sources);
	}

	/**
	 * Return whether an equality has the default of the interface, which holds for all
	 * keys.
	 */
	private static boolean tellsAllApart(KeyEquality equality) {
		Method method = ReflectionUtils.findMethod(equality.getClass(), "tellsApart", List.class);
		return method == null || method.getDeclaringClass() == KeyEquality.class;
	}

	/**
	 * Return the terms with a code, {@link #UNKNOWN} if another version has written
	 * something that this one does not know.
	 */
	public static KeyTerms ofCode(String code) {
		String[] parts = code.split("/", -1);
		if (!parts[0].equals(CONVERTED) && !parts[0].equals(PLAIN)) {
			return UNKNOWN;
		}
		List<List<KeyType>> sources = new ArrayList<>();
		for (int i = 1; i < parts.length; i++) {
			List<Optional<KeyType>> types = Stream.of(parts[i].split(",", -1)).map(KeyType::ofCode).toList();
			if (types.stream().anyMatch(Optional::isEmpty)) {
				return UNKNOWN;
			}
			sources.add(types.stream().flatMap(Optional::stream).toList());
		}
		return new KeyTerms(true, parts[0].equals(CONVERTED), sources);
	}

	public String code() {
		if (!this.known) {
			return NO_TERMS;
		}
		return Stream
			.concat(Stream.of(this.converted ? CONVERTED : PLAIN),
					this.sources.stream()
						.map((types) -> types.stream().map(KeyType::code).collect(Collectors.joining(","))))
			.collect(Collectors.joining("/"));
	}

	/**
	 * Return whether a key may be called absent: it has the form that the loading
	 * application gives it, and a database finds rows for it with keys of that form only.
	 * A key with another number of parts than the columns is not the key that was meant.
	 * @param format of the application that asks
	 */
	public boolean tellApart(KeyFormat format, Object key) {
		if (!this.known) {
			return false;
		}
		List<Object> parts = parts(format, key);
		return parts != null && this.sources.stream()
			.allMatch((types) -> types.size() == parts.size() && KeyType.tellApart(types, parts));
	}

	/**
	 * Return the parts of a key, {@code null} if the loading application may give it
	 * another form. A key of one part that comes in a container is not that part.
	 */
	private @Nullable List<Object> parts(KeyFormat format, Object key) {
		Object value = format.converted(key);
		if (KeyFormat.isSimple(value.getClass())) {
			return List.of(value);
		}
		if (this.converted || value instanceof byte[] || value instanceof Set) {
			return null;
		}
		List<@Nullable Object> parts = KeyFormat.partsOf(value);
		if (parts == null || parts.size() < 2 || parts.stream().anyMatch(Objects::isNull)) {
			return null;
		}
		List<Object> converted = new ArrayList<>();
		for (Object part : parts) {
			Object one = format.converted(Objects.requireNonNull(part));
			if (!KeyFormat.isSimple(one.getClass())) {
				return null;
			}
			converted.add(one);
		}
		return converted;
	}

}
