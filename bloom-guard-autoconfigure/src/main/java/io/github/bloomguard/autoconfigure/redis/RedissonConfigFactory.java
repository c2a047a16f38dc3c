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
import java.util.function.IntConsumer;

import io.github.bloomguard.autoconfigure.redis.ApplicationRedis.Verification;
import io.github.bloomguard.autoconfigure.redis.RedisServers.Node;
import io.github.bloomguard.backend.redis.OwnConfig;
import org.jspecify.annotations.Nullable;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/**
 * Makes the configuration of a Redisson client that is connected as the application is.
 */
final class RedissonConfigFactory {

	private final ApplicationRedis redis;

	private final OwnConfig config = new OwnConfig();

	private RedissonConfigFactory(ApplicationRedis redis) {
		this.redis = redis;
	}

	static Config create(ApplicationRedis redis) {
		return new RedissonConfigFactory(redis).create();
	}

	private Config create() {
		common(servers());
		this.config.authenticate(StringUtils.hasLength(this.redis.username()) ? this.redis.username() : null,
				this.redis.password());
		secure();
		return this.config.limit();
	}

	private BaseConfig<?> servers() {
		RedisServers servers = this.redis.servers();
		if (servers instanceof RedisServers.Sentinel sentinel) {
			return sentinel(sentinel);
		}
		if (servers instanceof RedisServers.Cluster cluster) {
			return this.config.useClusterServers().addNodeAddress(addresses(cluster.nodes()));
		}
		if (servers instanceof RedisServers.MasterReplica masterReplica) {
			// the first node need not be the primary: each one is asked
			return this.config.useReplicatedServers()
				.setDatabase(masterReplica.database())
				.addNodeAddress(addresses(masterReplica.nodes()));
		}
		RedisServers.Standalone standalone = (RedisServers.Standalone) servers;
		return this.config.useSingleServer().setAddress(address(standalone.node())).setDatabase(standalone.database());
	}

	private BaseConfig<?> sentinel(RedisServers.Sentinel sentinel) {
		return this.config.useSentinelServers()
			// one Sentinel is enough for the application, too
			.setCheckSentinelsList(false)
			.setDatabase(sentinel.database())
			.setMasterName(sentinel.master())
			.setSentinelUsername(sentinel.username())
			.setSentinelPassword(sentinel.password())
			.addSentinelAddress(addresses(sentinel.nodes()));
	}

	private void secure() {
		if (!this.redis.ssl()) {
			return;
		}
		this.config.verify(this.redis.verification() != Verification.NONE,
				this.redis.verification() == Verification.FULL);
		SslBundle bundle = this.redis.sslBundle();
		if (bundle != null) {
			this.config.secure(bundle.getManagers().getKeyManagerFactory(),
					bundle.getManagers().getTrustManagerFactory(), bundle.getOptions().getCiphers(),
					bundle.getOptions().getEnabledProtocols());
		}
	}

	private void common(BaseConfig<?> servers) {
		servers.setClientName(this.redis.clientName());
		ifSet(this.redis.connectTimeout(), servers::setConnectTimeout);
		ifSet(this.redis.timeout(), servers::setTimeout);
	}

	private static void ifSet(@Nullable Duration duration, IntConsumer setter) {
		if (duration != null && !duration.isZero()) {
			setter.accept(Math.toIntExact(duration.toMillis()));
		}
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
