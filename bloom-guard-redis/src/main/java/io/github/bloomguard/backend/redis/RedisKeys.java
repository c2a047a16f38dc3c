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

import java.util.List;

/**
 * The names of all Redis keys of one filter. They share a hash tag, so on Redis Cluster
 * they live in one slot and may be used together in one script; only the shards of a
 * large filter have tags of their own.
 */
public record RedisKeys(String prefix, String filter) {

	String control() {
		return name("control");
	}

	String journal() {
		return name("journal");
	}

	String added() {
		return name("added");
	}

	String lease() {
		return name("lease");
	}

	List<String> record() {
		return List.of(control(), lease(), journal(), added());
	}

	String catchUp(String origin) {
		return name("catch-up:" + origin);
	}

	public String bits(String generation) {
		return name("bits:" + generation);
	}

	/**
	 * Return the name of a shard. No filter has a colon in its name.
	 */
	String bits(String generation, int shard) {
		return this.prefix + ":{" + this.filter + ":" + shard + "}:bits:" + generation;
	}

	String confirmed(int shard) {
		return this.prefix + ":{" + this.filter + ":" + shard + "}:confirmed";
	}

	String sentinel(String key) {
		return name("empty:" + key);
	}

	private String name(String suffix) {
		return this.prefix + ":{" + this.filter + "}:" + suffix;
	}

}
