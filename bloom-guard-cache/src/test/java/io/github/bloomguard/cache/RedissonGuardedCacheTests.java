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

package io.github.bloomguard.cache;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;

/**
 * Tests for guarded caches with Redisson.
 */
@Tag("slow")
class RedissonGuardedCacheTests extends AbstractGuardedCacheTests {

	@Override
	Connected connect(TestRedis redis) {
		RedissonClient redisson = RedissonClients.of(redis);
		return new Connected(new RedissonConnectionFactory(redisson), () -> redisson.shutdown(0, 1, TimeUnit.SECONDS));
	}

}
