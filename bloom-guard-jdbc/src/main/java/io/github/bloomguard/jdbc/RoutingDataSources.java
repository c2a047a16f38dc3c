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

package io.github.bloomguard.jdbc;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ReflectionUtils;

/**
 * Finds data sources that lead to several databases, behind proxies and pools.
 */
public final class RoutingDataSources {

	/**
	 * Spring's, and that of dynamic-datasource.
	 */
	private static final List<String> TOLD_BY = List.of("getResolvedDataSources", "getDataSources");

	private RoutingDataSources() {
	}

	/**
	 * Find the type of a data source that chooses a database for each caller: Spring's,
	 * or any class of the same name, because libraries have their own.
	 * @return empty if it leads to one database as far as can be seen
	 */
	public static Optional<Class<?>> find(DataSource dataSource) {
		return Optional.ofNullable(routing(dataSource)).map(DataSource::getClass);
	}

	/**
	 * Return the databases to which a data source leads, by the keys of Spring's, or the
	 * names that a library gives them.
	 * @return empty if it leads to one database, or does not tell to which
	 */
	static Map<String, DataSource> targets(DataSource dataSource) {
		Map<String, DataSource> targets = new TreeMap<>();
		DataSource routing = routing(dataSource);
		if (routing != null) {
			TOLD_BY.stream()
				.map((method) -> ReflectionUtils.findMethod(routing.getClass(), method))
				.flatMap(Stream::ofNullable)
				.map((method) -> told(method, routing))
				.filter(Map.class::isInstance)
				.forEach((told) -> ((Map<?, ?>) told).forEach((key, target) -> {
					if (target instanceof DataSource database) {
						targets.put(String.valueOf(key), database);
					}
				}));
		}
		return targets;
	}

	private static @Nullable Object told(Method method, DataSource routing) {
		ReflectionUtils.makeAccessible(method);
		return ReflectionUtils.invokeMethod(method, routing);
	}

	private static @Nullable DataSource routing(DataSource dataSource) {
		if (isRouting(dataSource.getClass())) {
			return dataSource;
		}
		DataSource target = target(dataSource);
		return (target != null) ? routing(target) : null;
	}

	private static boolean isRouting(Class<?> type) {
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			if (each.getSimpleName().equals(AbstractRoutingDataSource.class.getSimpleName())) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable DataSource target(DataSource dataSource) {
		if (dataSource instanceof DelegatingDataSource proxy) {
			return proxy.getTargetDataSource();
		}
		if (AopProxyUtils.getSingletonTarget(dataSource) instanceof DataSource target) {
			return target;
		}
		try {
			return dataSource.isWrapperFor(AbstractRoutingDataSource.class)
					? dataSource.unwrap(AbstractRoutingDataSource.class) : null;
		}
		catch (SQLException ex) {
			return null;
		}
	}

}
