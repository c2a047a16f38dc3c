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

package io.github.bloomguard.source;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.logging.LogFields;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What the sources of a filter tell about single keys: whether the database finds rows
 * for them with keys of the same form only, and whether there is such a row.
 */
public final class SourceAnswers {

	private static final Log logger = LogFactory.getLog(SourceAnswers.class);

	private final String filter;

	private final KeyFormat format;

	private final List<KeySource> sources;

	/**
	 * Asked for nearly each absent answer, for which an iterator costs as much as they
	 * do.
	 */
	private final KeyEquality[] equalities;

	private final boolean telling;

	private final boolean dependent;

	private final BooleanSupplier callersOnly;

	private final AtomicBoolean noted = new AtomicBoolean();

	/**
	 * @param callersOnly whether only a caller can tell that there is no row, because the
	 * sources say so, or one has seen other rows lately
	 */
	public SourceAnswers(String filter, KeyFormat format, FilterSources sources, BooleanSupplier callersOnly) {
		this.filter = filter;
		this.callersOnly = callersOnly;
		this.format = format;
		this.sources = sources.keys();
		this.equalities = this.sources.stream()
			.flatMap((source) -> source.equality().stream())
			.toArray(KeyEquality[]::new);
		this.telling = !this.sources.isEmpty() && this.sources.stream().allMatch(SourceAnswers::mayTell);
		this.dependent = sources.dependOnCaller();
	}

	/**
	 * Return whether a source has a look-up of its own: the default one can't tell.
	 */
	private static boolean mayTell(KeySource source) {
		Method found = ReflectionUtils.findMethod(source.getClass(), "contains", List.class);
		return found == null || found.getDeclaringClass() != KeySource.class;
	}

	/**
	 * Return whether single keys can be looked up, as far as that is known.
	 */
	public boolean canTell() {
		return this.telling && !dependOnCaller();
	}

	/**
	 * Return whether only a caller can tell that there is no row.
	 */
	public boolean dependOnCaller() {
		return this.callersOnly.getAsBoolean();
	}

	/**
	 * Look up whether there is a row with a key.
	 * @return empty if that can't be told, as of a row that a caller alone may see
	 */
	public Optional<Boolean> contains(Object key) {
		return contains(key, canTell());
	}

	private Optional<Boolean> contains(Object key, boolean telling) {
		List<? extends @Nullable Object> parts = this.format.parts(key);
		boolean told = telling;
		for (KeySource source : this.sources) {
			Optional<Boolean> found = source.contains(parts);
			if (found.orElse(false)) {
				return found;
			}
			told &= found.isPresent();
		}
		return told ? Optional.of(false) : Optional.empty();
	}

	/**
	 * Look up which of many keys there are rows with.
	 * @return for each of them, in their order
	 */
	public List<Optional<Boolean>> containsEach(List<?> keys) {
		List<List<? extends @Nullable Object>> parts = new ArrayList<>(keys.size());
		keys.forEach((key) -> parts.add(this.format.parts(key)));
		List<Optional<Boolean>> told = new ArrayList<>(
				Collections.nCopies(keys.size(), canTell() ? Optional.of(false) : Optional.empty()));
		for (KeySource source : this.sources) {
			List<Optional<Boolean>> each = source.containsEach(parts);
			for (int i = 0; i < told.size(); i++) {
				told.set(i, together(told.get(i), each.get(i)));
			}
		}
		return told;
	}

	/**
	 * A row of one source is a row, and none of one source tells nothing about another.
	 */
	private static Optional<Boolean> together(Optional<Boolean> one, Optional<Boolean> other) {
		if (one.orElse(false) || other.orElse(false)) {
			return Optional.of(true);
		}
		return (one.isPresent() && other.isPresent()) ? Optional.of(false) : Optional.empty();
	}

	/**
	 * Return whether there is no such row for certain.
	 */
	public boolean haveNone(Object key) {
		return haveNone(key, canTell());
	}

	/**
	 * Return whether the sources see no such row for certain, whatever callers see.
	 */
	public boolean seeNone(Object key) {
		return haveNone(key, this.telling && !this.dependent);
	}

	private boolean haveNone(Object key, boolean telling) {
		try {
			return !contains(key, telling).orElse(true);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Return whether the database finds rows for a key with keys of its form only.
	 */
	public boolean tellApart(Object key) {
		return this.equalities.length == 0 || tellApart(this.format.parts(key));
	}

	public void noteUncertain(Object key) {
		if (this.noted.compareAndSet(false, true)) {
			LogFields.withFilter(this.filter,
					() -> logger.info(LogMessage.format(
							"The filter '%s' lets keys pass that the database may find in another form, such as one"
									+ " of %s; use the type and the form of the column",
							this.filter,
							this.format.parts(key).stream().map(ObjectUtils::nullSafeClassName).toList())));
		}
	}

	private boolean tellApart(List<? extends @Nullable Object> parts) {
		for (KeyEquality equality : this.equalities) {
			if (!equality.tellsApart(parts)) {
				return false;
			}
		}
		return true;
	}

}
