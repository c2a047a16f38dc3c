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

import org.redisson.config.Config;

/**
 * Changes the configuration of the guard's own Redisson client, before it is made. Not
 * used if the application has a {@code RedissonClient} bean: the guard then uses that
 * one, or its configuration.
 *
 * @since 1.0.0
 */
@FunctionalInterface
public interface RedissonConfigCustomizer {

	/**
	 * Change the configuration.
	 * @param config the configuration, made from the application's own connection to
	 * Redis
	 */
	void customize(Config config);

}
