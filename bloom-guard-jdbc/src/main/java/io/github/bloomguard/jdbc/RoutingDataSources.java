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

import java.sql.SQLException;
import java.util.Optional;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Finds data sources that lead to several databases, behind proxies and pools.
 */
public final class RoutingDataSources {

	private RoutingDataSources() {
	}

	/**
	 * Find the type of a data source that chooses a database for each caller: Spring's,
	 * or any class of the same name, because libraries have their own.
	 * @return empty if it leads to one database as far as can be seen
	 */
	public static Optional<Class<?>> find(DataSource dataSource) {
		if (isRouting(dataSource.getClass())) {
			return Optional.of(dataSource.getClass());
		}
		DataSource target = target(dataSource);
		return (target != null) ? find(target) : Optional.empty();
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
