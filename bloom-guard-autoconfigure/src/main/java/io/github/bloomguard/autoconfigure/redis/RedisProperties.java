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

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.autoconfigure.redis.ApplicationRedis.Verification;
import io.github.bloomguard.autoconfigure.redis.RedisServers.Node;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The properties {@code spring.data.redis} of an application without Spring Data, with
 * the meaning that Spring Boot gives to them.
 *
 * @param url comes before host, port, database, user and password
 */
record RedisProperties(@Nullable String url, @DefaultValue("localhost") String host, @DefaultValue("6379") int port,
		@DefaultValue("0") int database, @Nullable String username, @Nullable String password,
		@Nullable String clientName, @Nullable Duration connectTimeout, @Nullable Duration timeout,
		@DefaultValue Ssl ssl, @Nullable Sentinel sentinel, @Nullable Nodes cluster, @Nullable Nodes masterreplica) {

	private static final String PREFIX = "spring.data.redis";

	static RedisProperties of(Environment environment) {
		return Binder.get(environment).bindOrCreate(PREFIX, RedisProperties.class);
	}

	ApplicationRedis toRedis(SslBundles bundles) {
		URI uri = (this.url != null) ? parse(this.url) : null;
		Credentials credentials = (uri != null) ? Credentials.of(uri) : new Credentials(this.username, this.password);
		boolean encrypted = uri != null && "rediss".equals(uri.getScheme());
		return new ApplicationRedis(servers(uri, (uri != null) ? databaseOf(uri) : this.database),
				credentials.username(), credentials.password(), encrypted || this.ssl.isEnabled(), Verification.FULL,
				this.ssl.toBundle(bundles), this.clientName, this.connectTimeout, this.timeout);
	}

	/**
	 * Parse the URL. Spring's conversion to a URI would encode it once more.
	 */
	private static URI parse(String url) {
		try {
			URI uri = new URI(url);
			if ("redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme())) {
				return uri;
			}
		}
		catch (URISyntaxException ex) {
			// below, without the password
		}
		throw new InvalidGuardException("The property '" + PREFIX + ".url' is not the URL of a Redis",
				"Write redis://user:password@host:port/database, or rediss:// for encrypted connections");
	}

	private RedisServers servers(@Nullable URI uri, int database) {
		if (this.sentinel != null) {
			return new RedisServers.Sentinel(this.sentinel.master(), nodes(this.sentinel.nodes()),
					this.sentinel.username(), this.sentinel.password(), database);
		}
		if (this.cluster != null) {
			return new RedisServers.Cluster(nodes(this.cluster.nodes()));
		}
		if (this.masterreplica != null) {
			return new RedisServers.MasterReplica(nodes(this.masterreplica.nodes()), database);
		}
		return new RedisServers.Standalone(
				(uri != null) ? new Node(uri.getHost(), (uri.getPort() >= 0) ? uri.getPort() : Node.DEFAULT.port())
						: new Node(this.host, this.port),
				database);
	}

	private static List<Node> nodes(List<String> nodes) {
		return nodes.stream().map(Node::parse).toList();
	}

	private static int databaseOf(URI url) {
		String path = url.getPath();
		return (StringUtils.hasText(path) && path.length() > 1) ? Integer.parseInt(path.substring(1)) : 0;
	}

	record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

		boolean isEnabled() {
			return (this.enabled != null) ? this.enabled : this.bundle != null;
		}

		@Nullable SslBundle toBundle(SslBundles bundles) {
			if (!isEnabled()) {
				return null;
			}
			return StringUtils.hasLength(this.bundle) ? bundles.getBundle(this.bundle) : SslBundle.systemDefault();
		}

	}

	record Sentinel(@Nullable String master, @DefaultValue List<String> nodes, @Nullable String username,
			@Nullable String password) {

	}

	record Nodes(@DefaultValue List<String> nodes) {

	}

	private record Credentials(@Nullable String username, @Nullable String password) {

		static Credentials of(URI url) {
			String info = url.getUserInfo();
			if (info == null) {
				return new Credentials(null, null);
			}
			int colon = info.indexOf(':');
			return (colon >= 0) ? new Credentials(info.substring(0, colon), info.substring(colon + 1))
					: new Credentials(null, info);
		}

	}

}
