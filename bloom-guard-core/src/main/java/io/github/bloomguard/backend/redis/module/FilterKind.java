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

	/**
	 * A full filter replies with an error for an element, and does not try those after
	 * it. An element that is there already is not counted.
	 */
	static final FilterKind BLOOM = new FilterKind("redis-bloom", "bf", """
			local function put(key, from, to)
			  local reply = redis.call('bf.insert', key, 'NOCREATE', 'ITEMS', unpack(ARGV, from, to))
			  return type(reply[#reply]) ~= 'table'
			end
			""", """
			try('bf.reserve', key, '0.1', '10', 'NONSCALING') try('bf.insert', key, 'NOCREATE', 'ITEMS', 'm')
			try('bf.mexists', key, 'm') try('bf.info', key)
			""", "Redis 8, Redis Stack, or one with the module RedisBloom", BloomSize::of);

	/**
	 * It counts each element that is added, also one that is there, and has room for a
	 * few of the same only. So an element is added as long as it has one fingerprint:
	 * that may be the one of another element, and each is to have its own; a third would
	 * only be that of an element that was added again.
	 */
	static final FilterKind CUCKOO = new FilterKind("redis-cuckoo", "cf", """
			local function put(key, from, to)
			  local there, new = redis.call('cf.mexists', key, unpack(ARGV, from, to)), {}
			  for i, present in ipairs(there) do
			    local element = ARGV[from + i - 1]
			    if present == 0 or redis.call('cf.count', key, element) < 2 then new[#new + 1] = element end
			  end
			  if #new == 0 then return true end
			  for _, taken in ipairs(redis.call('cf.insert', key, 'NOCREATE', 'ITEMS', unpack(new))) do
			    if taken ~= 1 then return false end
			  end
			  return true
			end
			""", """
			try('cf.reserve', key, '100', 'BUCKETSIZE', '3', 'EXPANSION', '0')
			try('cf.insert', key, 'NOCREATE', 'ITEMS', 'm') try('cf.mexists', key, 'm') try('cf.count', key, 'm')
			try('cf.info', key)
			""", "Redis 8, Redis Stack, or one with the module RedisBloom", CuckooSize::of);

}
