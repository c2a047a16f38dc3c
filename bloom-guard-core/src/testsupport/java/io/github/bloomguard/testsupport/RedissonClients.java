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
		Config config = newConfig();
		config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(1).setConnectionPoolSize(8);
		customizer.accept(config);
		return Redisson.create(config);
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
		return config;
	}

}
