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

package io.github.bloomguard.entity;

import java.lang.reflect.RecordComponent;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.UUID;

import org.springframework.util.ClassUtils;

/**
 * What the keys of a type look like, as far as that can be told.
 */
enum KeyKind {

	/** Digits. */
	NUMBER,

	/** Any text. */
	TEXT,

	/** A UUID. */
	IDENTIFIER,

	/** A date or a time. */
	TIME,

	/** What can't be told. */
	OTHER;

	/**
	 * Return the kinds of the parts of a key; one, if it has no parts.
	 */
	static List<KeyKind> parts(Class<?> type) {
		return type.isRecord()
				? Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType).map(KeyKind::of).toList()
				: List.of(of(type));
	}

	/**
	 * Return what a column looks like.
	 */
	static KeyKind ofColumn(String type) {
		ClassLoader classLoader = KeyKind.class.getClassLoader();
		return ClassUtils.isPresent(type, classLoader) ? of(ClassUtils.resolveClassName(type, classLoader)) : OTHER;
	}

	private static KeyKind of(Class<?> type) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (Number.class.isAssignableFrom(boxed)) {
			return NUMBER;
		}
		if (boxed == String.class) {
			return TEXT;
		}
		if (boxed == UUID.class) {
			return IDENTIFIER;
		}
		return (Temporal.class.isAssignableFrom(boxed) || Date.class.isAssignableFrom(boxed)) ? TIME : OTHER;
	}

	/**
	 * Return whether keys may be the same.
	 */
	static boolean mayBeSame(List<KeyKind> some, List<KeyKind> others) {
		if (some.equals(List.of(OTHER))) {
			return true;
		}
		for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
			if (some.get(i) != others.get(i) && some.get(i) != OTHER && others.get(i) != OTHER) {
				return false;
			}
		}
		return some.size() == others.size();
	}

}
