package io.github.bloomguard.autoconfigure.redis;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Which Redis the application is connected to, and how.
 *
 * @param configuration the servers, with user, password and database
 * @param ssl whether connections are encrypted
 * @param verification whose name the certificate of a server must have
 * @param sslBundle the certificates, {@code null} for those that the JVM trusts
 * @param clientName what the connections are called, {@code null} for nothing
 * @param connectTimeout the longest wait for a connection, {@code null} if nothing is
 * said about it
 * @param timeout the longest wait for the answer to a command, {@code null} if nothing is
 * said about it
 */
record ApplicationRedis(RedisConfiguration configuration, boolean ssl, Verification verification,
		@Nullable SslBundle sslBundle, @Nullable String clientName, @Nullable Duration connectTimeout,
		@Nullable Duration timeout) {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	/**
	 * Tell which Redis it is. The connection factory knows best, because it may be the
	 * application's own or have been customized; where it can't be asked, it is what
	 * Spring Boot would make one from.
	 * @param factory the application's connection factory, {@code null} if there is not
	 * one
	 * @param details where Spring Boot would connect to
	 * @param properties how Spring Boot would connect
	 */
	static ApplicationRedis of(@Nullable RedisConnectionFactory factory, DataRedisConnectionDetails details,
			DataRedisProperties properties) {
		if (factory != null && LETTUCE) {
			ApplicationRedis redis = LettuceRedis.read(factory, details);
			if (redis != null) {
				return redis;
			}
		}
		if (factory != null && JEDIS) {
			ApplicationRedis redis = JedisRedis.read(factory, details);
			if (redis != null) {
				return redis;
			}
		}
		return new ApplicationRedis(configuration(details), details.getSslBundle() != null || usesSsl(properties),
				Verification.FULL, details.getSslBundle(),
				StringUtils.hasText(properties.getClientName()) ? properties.getClientName() : null,
				properties.getConnectTimeout(), properties.getTimeout());
	}

	/**
	 * Tell which servers there are, in the order in which Spring Boot looks.
	 */
	private static RedisConfiguration configuration(DataRedisConnectionDetails details) {
		RedisPassword password = RedisPassword.of(details.getPassword());
		DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
		if (sentinel != null) {
			RedisSentinelConfiguration configuration = new RedisSentinelConfiguration();
			configuration.master(sentinel.getMaster());
			configuration.setSentinels(nodes(sentinel.getNodes()));
			configuration.setSentinelUsername(sentinel.getUsername());
			configuration.setSentinelPassword(RedisPassword.of(sentinel.getPassword()));
			configuration.setUsername(details.getUsername());
			configuration.setPassword(password);
			configuration.setDatabase(sentinel.getDatabase());
			return configuration;
		}
		DataRedisConnectionDetails.Cluster cluster = details.getCluster();
		if (cluster != null) {
			RedisClusterConfiguration configuration = new RedisClusterConfiguration();
			configuration.setClusterNodes(nodes(cluster.getNodes()));
			configuration.setUsername(details.getUsername());
			configuration.setPassword(password);
			return configuration;
		}
		DataRedisConnectionDetails.MasterReplica masterReplica = details.getMasterReplica();
		if (masterReplica != null) {
			return masterReplica(masterReplica.getNodes(), details.getUsername(), password);
		}
		DataRedisConnectionDetails.Standalone standalone = details.getStandalone();
		RedisStandaloneConfiguration configuration = (standalone != null)
				? new RedisStandaloneConfiguration(standalone.getHost(), standalone.getPort())
				: new RedisStandaloneConfiguration();
		configuration.setUsername(details.getUsername());
		configuration.setPassword(password);
		configuration.setDatabase((standalone != null) ? standalone.getDatabase() : 0);
		return configuration;
	}

	private static RedisConfiguration masterReplica(List<Node> nodes, @Nullable String username,
			RedisPassword password) {
		Node first = nodes.get(0);
		RedisStaticMasterReplicaConfiguration configuration = new RedisStaticMasterReplicaConfiguration(first.host(),
				first.port());
		nodes.stream().skip(1).forEach((node) -> configuration.addNode(node.host(), node.port()));
		configuration.setUsername(username);
		configuration.setPassword(password);
		return configuration;
	}

	private static List<RedisNode> nodes(List<Node> nodes) {
		return nodes.stream().map((node) -> new RedisNode(node.host(), node.port())).toList();
	}

	private static boolean usesSsl(DataRedisProperties properties) {
		return StringUtils.startsWithIgnoreCase(properties.getUrl(), "rediss://");
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, ApplicationRedis.class.getClassLoader());
	}

	/**
	 * How the certificate of a server is looked at.
	 */
	enum Verification {

		/**
		 * It must be trusted and have the name of the server.
		 */
		FULL,

		/**
		 * It must be trusted.
		 */
		TRUST,

		/**
		 * Not at all.
		 */
		NONE

	}

}
