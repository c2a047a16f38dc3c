package io.github.bloomguard.autoconfigure.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;

/**
 * Makes the configuration of a Redisson client that is connected as the application is,
 * with few connections and threads: lookups that wait at the same moment travel together,
 * so more of them would have nothing to do. It connects when it is first used, and asks
 * primaries only.
 */
final class RedissonConfigFactory {

	private static final int CONNECTIONS = 4;

	/**
	 * On each node of a cluster, beside the one that looks at the topology.
	 */
	private static final int CONNECTIONS_PER_NODE = 1;

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
			.setNettyThreads(NETTY_THREADS);
		secure();
		RedisConfiguration configuration = this.redis.configuration();
		if (configuration instanceof RedisSentinelConfiguration sentinel) {
			sentinel(sentinel);
		}
		else if (configuration instanceof RedisClusterConfiguration cluster) {
			cluster(cluster);
		}
		else if (configuration instanceof RedisStaticMasterReplicaConfiguration masterReplica) {
			masterReplica(masterReplica);
		}
		else if (configuration instanceof RedisStandaloneConfiguration standalone) {
			standalone(standalone);
		}
		else {
			throw UnsupportedRedis.of("a " + configuration.getClass().getSimpleName());
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
			SslOptions options = bundle.getOptions();
			if (options.getCiphers() != null) {
				this.config.setSslCiphers(options.getCiphers());
			}
			if (options.getEnabledProtocols() != null) {
				this.config.setSslProtocols(options.getEnabledProtocols());
			}
		}
	}

	private void standalone(RedisStandaloneConfiguration standalone) {
		authenticate(standalone.getUsername(), standalone.getPassword());
		common(this.config.useSingleServer()).setAddress(address(standalone.getHostName(), standalone.getPort()))
			.setDatabase(standalone.getDatabase())
			.setConnectionPoolSize(CONNECTIONS)
			.setConnectionMinimumIdleSize(1)
			.setSubscriptionConnectionPoolSize(1)
			.setSubscriptionConnectionMinimumIdleSize(0);
	}

	private void sentinel(RedisSentinelConfiguration sentinel) {
		authenticate(sentinel.getUsername(), sentinel.getPassword());
		SentinelServersConfig servers = primaries(this.config.useSentinelServers(), CONNECTIONS)
			// one Sentinel is enough for the application, too
			.setCheckSentinelsList(false)
			.setDatabase(sentinel.getDatabase());
		if (sentinel.getMaster() != null) {
			servers.setMasterName(sentinel.getMaster().getName());
		}
		if (sentinel.getSentinelUsername() != null) {
			servers.setSentinelUsername(sentinel.getSentinelUsername());
		}
		sentinel.getSentinelPassword().map(String::new).ifPresent(servers::setSentinelPassword);
		addresses(sentinel.getSentinels()).forEach(servers::addSentinelAddress);
	}

	private void cluster(RedisClusterConfiguration cluster) {
		authenticate(cluster.getUsername(), cluster.getPassword());
		primaries(this.config.useClusterServers(), CONNECTIONS_PER_NODE)
			.addNodeAddress(addresses(cluster.getClusterNodes()).toArray(String[]::new));
	}

	/**
	 * The first node need not be the primary: each one is asked.
	 */
	private void masterReplica(RedisStaticMasterReplicaConfiguration masterReplica) {
		authenticate(masterReplica.getUsername(), masterReplica.getPassword());
		primaries(this.config.useReplicatedServers(), CONNECTIONS).setDatabase(masterReplica.getDatabase())
			.addNodeAddress(masterReplica.getNodes()
				.stream()
				.map((node) -> address(node.getHostName(), node.getPort()))
				.toArray(String[]::new));
	}

	private void authenticate(@Nullable String username, RedisPassword password) {
		if (username != null && !username.isEmpty()) {
			this.config.setUsername(username);
		}
		password.map(String::new).ifPresent(this.config::setPassword);
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
		if (this.redis.clientName() != null) {
			servers.setClientName(this.redis.clientName());
		}
		// who tries to connect again decides when: the first contact is made in the
		// background, and each command says how often it is tried
		return servers.setRetryAttempts(0)
			.setConnectTimeout(millis(this.redis.connectTimeout(), CONNECT_TIMEOUT))
			.setTimeout(millis(this.redis.timeout(), TIMEOUT));
	}

	private static int millis(@Nullable Duration configured, Duration most) {
		if (configured == null || configured.isZero() || configured.compareTo(most) > 0) {
			return Math.toIntExact(most.toMillis());
		}
		return Math.toIntExact(configured.toMillis());
	}

	private List<String> addresses(Iterable<RedisNode> nodes) {
		return StreamSupport.stream(nodes.spliterator(), false)
			.map((node) -> address(node.getRequiredHost(), node.getRequiredPort()))
			.toList();
	}

	private String address(String host, int port) {
		boolean ipv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
		return (this.redis.ssl() ? "rediss://" : "redis://") + (ipv6 ? "[" + host + "]" : host) + ":" + port;
	}

}
