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

import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.cloud.gateway.event.RefreshRoutesResultEvent;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.handler.predicate.PathRoutePredicateFactory;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.ApplicationListener;

/**
 * Says when routes were made whether one of them has no variable that the key of its
 * filter names, so that all of its requests are forwarded.
 */
final class RoutesCheck implements ApplicationListener<RefreshRoutesResultEvent> {

	private static final Log logger = LogFactory.getLog(RoutesCheck.class);

	@Override
	public void onApplicationEvent(RefreshRoutesResultEvent event) {
		if (event.isSuccess() && event.getSource() instanceof RouteLocator routes) {
			routes.getRoutes()
				.subscribe(RoutesCheck::check, (failure) -> logger.debug("Routes can't be checked", failure));
		}
	}

	private static void check(Route route) {
		List<String> patterns = new ArrayList<>();
		route.getPredicate().accept((predicate) -> {
			if (predicate.getConfig() instanceof PathRoutePredicateFactory.Config path) {
				patterns.addAll(path.getPatterns());
			}
		});
		for (GatewayFilter filter : route.getFilters()) {
			GatewayFilter made = (filter instanceof OrderedGatewayFilter ordered) ? ordered.getDelegate() : filter;
			if (made instanceof GuardedRouteFilter guarded) {
				check(route.getId(), guarded.key(), patterns);
			}
		}
	}

	/**
	 * @param patterns of the paths of the route
	 */
	static void check(String route, KeyTemplate key, List<String> patterns) {
		key.variables()
			.stream()
			.filter((variable) -> patterns.stream().noneMatch((pattern) -> RouteVariables.has(pattern, variable)))
			.forEach((variable) -> logger.error(RouteVariables.missing(route, variable, patterns).getMessage()));
	}

}
