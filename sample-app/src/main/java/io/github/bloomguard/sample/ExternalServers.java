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

package io.github.bloomguard.sample;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/**
 * Which servers the profile {@code external} expects outside of this process: those that
 * the ordinary properties name, and both if they name neither.
 *
 * @param redis whether Redis is outside
 * @param postgres whether the database is a PostgreSQL outside
 */
record ExternalServers(boolean redis, boolean postgres) {

	static ExternalServers of(Environment environment) {
		if (!environment.acceptsProfiles(Profiles.of("external"))) {
			return new ExternalServers(false, false);
		}
		boolean redis = names(environment, "spring.data.redis");
		boolean postgres = names(environment, "spring.datasource");
		return new ExternalServers(redis || !postgres, postgres || !redis);
	}

	private static boolean names(Environment environment, String properties) {
		return Binder.get(environment).bind(properties, Bindable.mapOf(String.class, Object.class)).isBound();
	}

}
