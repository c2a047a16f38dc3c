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

package io.github.bloomguard.endpoint;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueWrapper;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.SimpleKey;

/**
 * Finds the caches that have a null value for a key.
 *
 * @param caches the names of the caches of a filter
 * @param managers all that there are
 */
public record CachedNulls(Function<String, Collection<String>> caches, Supplier<Stream<CacheManager>> managers) {

	/**
	 * There are no caches.
	 */
	public static final CachedNulls NONE = new CachedNulls((filter) -> List.of(), Stream::empty);

	List<String> of(String filter, List<String> parts) {
		return this.caches.apply(filter)
			.stream()
			.filter((name) -> this.managers.get()
				.map((manager) -> manager.getCache(name))
				.filter(Objects::nonNull)
				.anyMatch((cache) -> keys(parts).anyMatch((key) -> isNull(cache, key))))
			.toList();
	}

	private static boolean isNull(Cache cache, Object key) {
		ValueWrapper value = cache.get(key);
		return value != null && value.get() == null;
	}

	/**
	 * Caches in memory tell numbers from texts.
	 */
	private static Stream<Object> keys(List<String> parts) {
		List<Object[]> readings = List.of(parts.toArray(), numbers(parts, BigDecimal::longValueExact),
				numbers(parts, BigDecimal::intValueExact));
		return readings.stream().map((values) -> (values.length == 1) ? values[0] : new SimpleKey(values)).distinct();
	}

	private static Object[] numbers(List<String> parts, Function<BigDecimal, Object> type) {
		return parts.stream().map((part) -> number(part, type)).toArray();
	}

	private static Object number(String part, Function<BigDecimal, Object> type) {
		try {
			return type.apply(new BigDecimal(part));
		}
		catch (ArithmeticException | NumberFormatException ex) {
			return part;
		}
	}

}
