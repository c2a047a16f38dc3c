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

package io.github.bloomguard.testsupport;

import java.util.function.Consumer;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;

/**
 * Redisson clients of the test servers, to be shut down after use.
 */
public final class RedissonClients {

	private RedissonClients() {
	}

	public static RedissonClient of(TestRedis redis) {
		return of(redis, (config) -> {
		});
	}

	public static RedissonClient of(TestRedis redis, Consumer<Config> customizer) {
		Config config = config(redis);
		customizer.accept(config);
		return Redisson.create(config);
	}

	public static Config config(TestRedis redis) {
		Config config = newConfig();
		config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(1).setConnectionPoolSize(8);
		return config;
	}

	/**
	 * Connect to a primary and a replica from which all plain reads are done.
	 * @param primary the primary
	 * @param replica the replica
	 * @return the client
	 */
	public static RedissonClient readingFrom(TestRedis primary, TestRedis replica) {
		Config config = newConfig();
		config.useMasterSlaveServers()
			.setMasterAddress(primary.url())
			.addSlaveAddress(replica.url())
			.setReadMode(ReadMode.SLAVE);
		return Redisson.create(config);
	}

	public static RedissonClient of(TestRedisCluster cluster) {
		Config config = newConfig();
		config.useClusterServers()
			.addNodeAddress(cluster.nodes().map(TestRedis::url).toArray(String[]::new))
			.setReadMode(ReadMode.MASTER)
			.setScanInterval(1000)
			.setMasterConnectionMinimumIdleSize(1);
		return Redisson.create(config);
	}

	private static Config newConfig() {
		Config config = new Config();
		config.setThreads(2);
		config.setNettyThreads(4);
		// as Redisson 4 does without being told
		config.setUseScriptCache(true);
		return config;
	}

}
