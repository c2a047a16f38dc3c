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

package io.github.bloomguard.autoconfigure.redis;

import java.util.function.Supplier;

import io.github.bloomguard.backend.redis.RedisAccess;
import org.redisson.config.Config;

import org.springframework.beans.factory.ObjectProvider;

/**
 * How a client of the guard's own is connected, which the {@link RedisAccess} makes and
 * closes. It is no bean: nothing of the application's finds it, and Spring does not
 * inspect its hundreds of methods at the start.
 */
@FunctionalInterface
interface OwnClient {

	Config config();

	static OwnClient of(Supplier<ApplicationRedis> redis, ObjectProvider<RedissonConfigCustomizer> customizers) {
		return () -> {
			Config config = RedissonConfigFactory.create(redis.get());
			customizers.orderedStream().forEach((customizer) -> customizer.customize(config));
			return config;
		};
	}

}
