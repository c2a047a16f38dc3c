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

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.autoconfigure.redis.RedisServers.Node;
import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/**
 * Makes the configuration of a Redisson client that is connected as the application is,
 * but lazily, to primaries only, and with few connections and threads: lookups that wait
 * at the same moment travel together, so more would have nothing to do.
 */
final class RedissonConfigFactory {

	private static final int CONNECTIONS = 4;

	/**
	 * Beside the connection that looks at the topology; one may be waiting for replicas.
	 */
	private static final int CONNECTIONS_PER_NODE = 2;

	private static final int NETTY_THREADS = 2;

	private static final int THREADS = 1;

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final ApplicationRedis redis;

	private final Config config = new Config();

	private RedissonConfigFactory(ApplicationRedis redis) {
		this.redis = redis;
	}

	static Config create(ApplicationRedis redis) {
		return new RedissonConfigFactory(redis).create();
	}

	private Config create() {
		this.config.setLazyInitialization(true)
			.setCodec(StringCodec.INSTANCE)
			.setThreads(THREADS)
			.setNettyThreads(NETTY_THREADS)
			.setUsername(StringUtils.hasLength(this.redis.username()) ? this.redis.username() : null)
			.setPassword(this.redis.password());
		secure();
		RedisServers servers = this.redis.servers();
		if (servers instanceof RedisServers.Sentinel sentinel) {
			sentinel(sentinel);
		}
		else if (servers instanceof RedisServers.Cluster cluster) {
			cluster(cluster);
		}
		else if (servers instanceof RedisServers.MasterReplica masterReplica) {
			masterReplica(masterReplica);
		}
		else if (servers instanceof RedisServers.Standalone standalone) {
			standalone(standalone);
		}
		return this.config;
	}

	private void secure() {
		if (!this.redis.ssl()) {
			return;
		}
		this.config.setSslVerificationMode(switch (this.redis.verification()) {
			case FULL -> SslVerificationMode.STRICT;
			case TRUST -> SslVerificationMode.CA_ONLY;
			case NONE -> SslVerificationMode.NONE;
		});
		SslBundle bundle = this.redis.sslBundle();
		if (bundle != null) {
			this.config.setSslKeyManagerFactory(bundle.getManagers().getKeyManagerFactory())
				.setSslTrustManagerFactory(bundle.getManagers().getTrustManagerFactory());
			this.config.setSslCiphers(bundle.getOptions().getCiphers())
				.setSslProtocols(bundle.getOptions().getEnabledProtocols());
		}
	}

	private void standalone(RedisServers.Standalone standalone) {
		common(this.config.useSingleServer()).setAddress(address(standalone.node()))
			.setDatabase(standalone.database())
			.setConnectionPoolSize(CONNECTIONS)
			.setConnectionMinimumIdleSize(1)
			.setSubscriptionConnectionPoolSize(1)
			.setSubscriptionConnectionMinimumIdleSize(0);
	}

	private void sentinel(RedisServers.Sentinel sentinel) {
		primaries(this.config.useSentinelServers(), CONNECTIONS)
			// one Sentinel is enough for the application, too
			.setCheckSentinelsList(false)
			.setDatabase(sentinel.database())
			.setMasterName(sentinel.master())
			.setSentinelUsername(sentinel.username())
			.setSentinelPassword(sentinel.password())
			.addSentinelAddress(addresses(sentinel.nodes()));
	}

	private void cluster(RedisServers.Cluster cluster) {
		primaries(this.config.useClusterServers(), CONNECTIONS_PER_NODE).addNodeAddress(addresses(cluster.nodes()));
	}

	/**
	 * The first node need not be the primary: each one is asked.
	 */
	private void masterReplica(RedisServers.MasterReplica masterReplica) {
		primaries(this.config.useReplicatedServers(), CONNECTIONS).setDatabase(masterReplica.database())
			.addNodeAddress(addresses(masterReplica.nodes()));
	}

	private <T extends BaseMasterSlaveServersConfig<T>> T primaries(T servers, int connections) {
		return common(servers).setReadMode(ReadMode.MASTER)
			.setSubscriptionMode(SubscriptionMode.MASTER)
			.setMasterConnectionPoolSize(connections)
			.setMasterConnectionMinimumIdleSize(1)
			.setSubscriptionConnectionPoolSize(1)
			.setSubscriptionConnectionMinimumIdleSize(0);
	}

	private <T extends BaseConfig<T>> T common(T servers) {
		// no retries here: the first contact is made in the background, and each command
		// decides how often it is tried
		return servers.setRetryAttempts(0)
			.setClientName(this.redis.clientName())
			.setConnectTimeout(millis(this.redis.connectTimeout(), CONNECT_TIMEOUT))
			.setTimeout(millis(this.redis.timeout(), TIMEOUT));
	}

	private static int millis(@Nullable Duration configured, Duration most) {
		Duration wait = (configured == null || configured.isZero() || configured.compareTo(most) > 0) ? most
				: configured;
		return Math.toIntExact(wait.toMillis());
	}

	private String[] addresses(List<Node> nodes) {
		return nodes.stream().map(this::address).toArray(String[]::new);
	}

	private String address(Node node) {
		boolean ipv6 = node.host().indexOf(':') >= 0 && !node.host().startsWith("[");
		return (this.redis.ssl() ? "rediss://" : "redis://") + (ipv6 ? "[" + node.host() + "]" : node.host()) + ":"
				+ node.port();
	}

}
