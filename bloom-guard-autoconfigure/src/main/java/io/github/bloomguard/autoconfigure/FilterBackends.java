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

package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.FilterSettings;

/**
 * The backends by type, each with a breaker: a silent server silences no other.
 */
final class FilterBackends {

	private final List<FilterBackend> backends;

	private final Duration timeout;

	private final Duration addTimeout;

	private final Map<String, CircuitBreaker> breakers = new HashMap<>();

	FilterBackends(List<FilterBackend> backends, Duration timeout, Duration addTimeout) {
		this.backends = backends;
		this.timeout = timeout;
		this.addTimeout = addTimeout;
	}

	FilterBackend get(FilterSettings settings) {
		FilterBackend backend = this.backends.stream()
			.filter((candidate) -> candidate.type().equals(settings.type()))
			.findFirst()
			.orElseThrow(() -> missing(settings.name(), settings.type()));
		backend.check(settings.specification());
		return backend;
	}

	CircuitBreaker breaker(String type) {
		return this.breakers.computeIfAbsent(type, (name) -> CircuitBreaker.ofFilters(this.timeout, this.addTimeout));
	}

	/**
	 * Say nothing of questions that are under way when the clients close.
	 */
	void silence() {
		this.breakers.values().forEach(CircuitBreaker::silence);
	}

	private InvalidGuardException missing(String filter, String type) {
		FilterChecks checks = new FilterChecks(filter);
		if (type.startsWith(RedisBackend.TYPE) && types().noneMatch(RedisBackend.TYPE::equals)) {
			return new InvalidGuardException(
					"The filter '" + filter
							+ "' is configured, but Redisson, with which it is kept in Redis, is missing",
					"Add io.github.bloomguard:bloom-guard-starter, which brings it, set " + checks.property("type")
							+ " to memory if the application has one instance only, or remove bloom-guard.filters");
		}
		return checks.invalid("type", "'" + type + "', but there is no such backend", "Set it to "
				+ types().collect(Collectors.joining(" or ")) + ", or declare a FilterBackend bean of this type");
	}

	private Stream<String> types() {
		return this.backends.stream().map(FilterBackend::type).distinct().sorted();
	}

}
