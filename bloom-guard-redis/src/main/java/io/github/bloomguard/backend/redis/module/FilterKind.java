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

package io.github.bloomguard.backend.redis.module;

import java.util.function.Function;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.lua.LuaFile;

/**
 * A kind of filter that the server has.
 *
 * @param type what {@code bloom-guard.filters.<name>.type} is for it
 * @param commands what its commands begin with
 * @param put a Lua function {@code put(key, from, to)} that adds the arguments from one
 * index to another to a filter that is there, and returns whether it has room for all
 * @param trials tries each command on {@code key}
 */
record FilterKind(String type, String commands, String put, String trials, String server,
		Function<FilterSpecification, FilterSize> sizes) {

	static final FilterKind BLOOM = new FilterKind("redis-bloom", "bf", read("bloom/functions"), read("bloom/commands"),
			"Redis 8, Redis Stack, or one with the module RedisBloom", BloomSize::of);

	static final FilterKind CUCKOO = new FilterKind("redis-cuckoo", "cf", read("cuckoo/functions"),
			read("cuckoo/commands"), "Redis 8, Redis Stack, or one with the module RedisBloom", CuckooSize::of);

	private static String read(String name) {
		return LuaFile.read(FilterKind.class, name);
	}

}
