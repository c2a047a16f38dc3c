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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import io.github.bloomguard.InvalidGuardException;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;

import org.springframework.util.ClassUtils;

/**
 * The configuration of a Redisson client of the guard's own: it connects when it is first
 * used (or is made then, if its version of Redisson can't), to primaries only, and with
 * few connections and threads. Lookups that wait at the same moment travel together, so
 * more would have nothing to do.
 */
public final class OwnConfig extends Config {

	private static final int CONNECTIONS = 4;

	/**
	 * Beside the connection that looks at the topology; one may be waiting for replicas.
	 */
	private static final int CONNECTIONS_PER_NODE = 2;

	private static final int NETTY_THREADS = 2;

	private static final int THREADS = 1;

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/**
	 * Redisson 4 has credentials and certificates here, and warns of those that are set
	 * for the servers, where all lines before have them.
	 */
	private static final boolean CREDENTIALS = ClassUtils.hasMethod(Config.class, "setPassword", String.class);

	/**
	 * Redisson before 3.22 takes certificates from files only.
	 */
	private static final boolean MANAGERS = CREDENTIALS
			|| ClassUtils.hasMethod(BaseConfig.class, "setSslTrustManagerFactory", TrustManagerFactory.class);

	/**
	 * Redisson before 3.26 has no executor of Netty's threads that could be shared.
	 */
	private static final boolean NETTY_EXECUTOR = ClassUtils.hasMethod(Config.class, "setNettyExecutor",
			Executor.class);

	private static final boolean VERIFICATION = ClassUtils.isPresent("org.redisson.config.SslVerificationMode",
			OwnConfig.class.getClassLoader());

	public OwnConfig() {
	}

	private OwnConfig(Config client) {
		super(client);
	}

	/**
	 * Return the configuration of a client that is connected as another one is, shares
	 * nothing with it, and leaves names as they are.
	 * @param client the configuration of the other client
	 */
	static OwnConfig like(Config client) {
		OwnConfig config = new OwnConfig(client);
		config.setExecutor(null).setEventLoopGroup(null).setConnectionListener(null);
		if (NETTY_EXECUTOR) {
			config.setNettyExecutor(null);
		}
		RedissonLine.leaveNames(config, config.servers());
		return config.limit();
	}

	/**
	 * Return the same configuration, of a client that sends once what shall be sent once.
	 */
	static OwnConfig of(Config client) {
		OwnConfig config = RedissonLine.connectLate(new OwnConfig(client));
		if (RedissonLine.RESENDS) {
			config.servers().setRetryAttempts(0);
		}
		return config;
	}

	/**
	 * Set who connects. The servers must have been set before.
	 */
	@SuppressWarnings("deprecation") // of the servers, in the newest line
	public void authenticate(@Nullable String username, @Nullable String password) {
		if (CREDENTIALS) {
			setUsername(username).setPassword(password);
		}
		else {
			servers().setUsername(username);
			servers().setPassword(password);
		}
	}

	/**
	 * Verify certificates in the same way as the application. The servers must have been
	 * set before.
	 * @param trusted whether a certificate must be trusted
	 * @param named whether it must have the name of the server, too
	 */
	@SuppressWarnings("deprecation") // of the servers, in the newest line
	public void verify(boolean trusted, boolean named) {
		if (CREDENTIALS) {
			setSslVerificationMode(SslVerification.of(trusted, named));
		}
		else if (VERIFICATION) {
			servers().setSslVerificationMode(SslVerification.of(trusted, named));
		}
		else {
			servers().setSslEnableEndpointIdentification(named);
			if (!trusted) {
				requireManagers("not verified");
				servers().setSslTrustManagerFactory(InsecureTrustManagerFactory.INSTANCE);
			}
		}
	}

	/**
	 * Set what is needed of a bundle of certificates. The servers must have been set
	 * before.
	 */
	@SuppressWarnings("deprecation") // of the servers, in the newest line
	public void secure(KeyManagerFactory keys, TrustManagerFactory trusted, String @Nullable [] ciphers,
			String @Nullable [] protocols) {
		if (CREDENTIALS) {
			setSslKeyManagerFactory(keys).setSslTrustManagerFactory(trusted)
				.setSslCiphers(ciphers)
				.setSslProtocols(protocols);
		}
		else {
			requireManagers("those of a bundle");
			servers().setSslKeyManagerFactory(keys);
			servers().setSslTrustManagerFactory(trusted);
			servers().setSslCiphers(ciphers);
			servers().setSslProtocols(protocols);
		}
	}

	private static void requireManagers(String certificates) {
		if (!MANAGERS) {
			throw new InvalidGuardException(
					"The application's certificates for Redis are " + certificates
							+ ", and its version of Redisson takes certificates from files only",
					"Declare a RedissonClient bean with these files, whose configuration the guard uses, or write"
							+ " a version of Redisson from 3.22 on where yours is managed");
		}
	}

	/**
	 * Limit connections, threads and times to what the guard needs. The servers must have
	 * been set before.
	 */
	public OwnConfig limit() {
		RedissonLine.connectLate(this)
			.setCodec(StringCodec.INSTANCE)
			// as Redisson 4 does; older lines send each script as a whole
			.setUseScriptCache(true)
			.setThreads(THREADS)
			.setNettyThreads(NETTY_THREADS);
		BaseConfig<?> servers = servers();
		// no retries here: the first contact is made in the background, and each command
		// decides how often it is tried
		servers.setRetryAttempts(0);
		servers.setConnectTimeout(least(servers.getConnectTimeout(), CONNECT_TIMEOUT));
		servers.setTimeout(least(servers.getTimeout(), TIMEOUT));
		if (servers instanceof SingleServerConfig single) {
			single.setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(CONNECTIONS)
				.setSubscriptionConnectionMinimumIdleSize(0)
				.setSubscriptionConnectionPoolSize(1);
		}
		else if (servers instanceof BaseMasterSlaveServersConfig<?> several) {
			several.setReadMode(ReadMode.MASTER);
			several.setSubscriptionMode(SubscriptionMode.MASTER);
			several.setMasterConnectionMinimumIdleSize(1);
			several.setMasterConnectionPoolSize(isClusterConfig() ? CONNECTIONS_PER_NODE : CONNECTIONS);
			several.setSubscriptionConnectionMinimumIdleSize(0);
			several.setSubscriptionConnectionPoolSize(1);
		}
		return this;
	}

	private static int least(int millis, Duration most) {
		return Math.min((millis > 0) ? millis : Integer.MAX_VALUE, Math.toIntExact(most.toMillis()));
	}

	BaseConfig<?> servers() {
		return Stream
			.of(getSingleServerConfig(), getSentinelServersConfig(), getClusterServersConfig(),
					getReplicatedServersConfig(), getMasterSlaveServersConfig())
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Apart, because the type is not there before Redisson 3.45.
	 */
	private static final class SslVerification {

		static SslVerificationMode of(boolean trusted, boolean named) {
			if (named) {
				return SslVerificationMode.STRICT;
			}
			return trusted ? SslVerificationMode.CA_ONLY : SslVerificationMode.NONE;
		}

	}

}
