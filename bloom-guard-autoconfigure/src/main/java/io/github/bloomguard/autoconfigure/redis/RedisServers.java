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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where a Redis is.
 */
public sealed interface RedisServers {

	/**
	 * One server.
	 */
	record Standalone(Node node, int database) implements RedisServers {

	}

	/**
	 * A primary that Sentinels know, which are asked by a user of their own.
	 */
	record Sentinel(@Nullable String master, List<Node> nodes, @Nullable String username, @Nullable String password,
			int database) implements RedisServers {

	}

	/**
	 * A Redis Cluster, which has one database.
	 */
	record Cluster(List<Node> nodes) implements RedisServers {

	}

	/**
	 * A primary and its replicas, in any order.
	 */
	record MasterReplica(List<Node> nodes, int database) implements RedisServers {

	}

	/**
	 * The address of a server.
	 */
	record Node(String host, int port) {

		/**
		 * Where Redis is if nothing else is said.
		 */
		public static final Node DEFAULT = new Node("localhost", 6379);

		static Node parse(String text) {
			int colon = text.lastIndexOf(':');
			return new Node(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1).strip()));
		}

	}

}
