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

package io.github.bloomguard.gateway;

import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.call.FilterUser;
import io.github.bloomguard.call.GuardedFilters;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;

/**
 * Refuses configured routes of a gateway on servlets whose filter names what there is
 * not: a filter of bloom-guard, or a variable of the path.
 */
record ConfiguredRoutesCheck(ObjectProvider<GatewayMvcProperties> properties,
		ObjectProvider<GuardedFilters> filters) implements FilterUser, SmartInitializingSingleton {

	private static final String NAME = "BloomGuarded";

	@Override
	public void afterSingletonsInstantiated() {
		this.properties
			.ifAvailable((routes) -> Stream.concat(routes.getRoutes().stream(), routes.getRoutesMap().values().stream())
				.forEach(this::check));
	}

	private void check(RouteProperties route) {
		List<String> patterns = route.getPredicates()
			.stream()
			.filter((predicate) -> "Path".equalsIgnoreCase(predicate.getName()))
			.flatMap((predicate) -> predicate.getArgs().values().stream())
			.toList();
		route.getFilters()
			.stream()
			.filter((filter) -> NAME.equalsIgnoreCase(filter.getName()))
			.forEach((filter) -> check(String.valueOf(route.getId()), filter, patterns));
	}

	private void check(String route, FilterProperties filter, List<String> patterns) {
		List<String> values = List.copyOf(filter.getArgs().values());
		String name = filter.getArgs().getOrDefault("filter", values.isEmpty() ? null : values.get(0));
		String key = filter.getArgs().getOrDefault("key", (values.size() > 1) ? values.get(1) : null);
		KeyTemplate template = KeyTemplate.of(name, key);
		this.filters.ifAvailable((guarded) -> guarded.get(String.valueOf(name)));
		for (String variable : template.variables()) {
			if (patterns.stream().noneMatch((pattern) -> RouteVariables.has(pattern, variable))) {
				throw RouteVariables.missing(route, variable, patterns);
			}
		}
	}

}
