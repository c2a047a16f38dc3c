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

sealed interface RedisServers {

	record Standalone(Node node) implements RedisServers {

	}

	/**
	 * A primary that Sentinels know, which are asked by a user of their own.
	 */
	record Sentinel(@Nullable String master, List<Node> nodes, @Nullable String username,
			@Nullable String password) implements RedisServers {

	}

	record Cluster(List<Node> nodes) implements RedisServers {

	}

	record MasterReplica(List<Node> nodes) implements RedisServers {

	}

	record Node(String host, int port) {

		static Node parse(String text) {
			int colon = text.lastIndexOf(':');
			return new Node(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1).strip()));
		}

	}

}
