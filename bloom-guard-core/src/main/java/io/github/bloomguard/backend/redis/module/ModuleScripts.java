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

/**
 * The Lua scripts for filters of one kind. Their key is the filter.
 */
final class ModuleScripts {

	/**
	 * Whether a filter is there and nothing was lost of it is known by its elements. One
	 * that has no room for another element is deleted, so that it answers no lookup,
	 * because it would lack that element. So is what others have put in its place.
	 */
	private static final String PRELUDE = """
			local function has(key, from, to)
			  local reply = redis.pcall('%1$s.mexists', key, unpack(ARGV, from, to))
			  if reply.err and not string.find(reply.err, 'WRONGTYPE') then error(reply.err) end
			  if reply.err then return false end
			  for _, present in ipairs(reply) do
			    if present ~= 1 then return false end
			  end
			  return true
			end
			%2$s
			local function take(key, from, to)
			  if from > to or put(key, from, to) then return 1 end
			  redis.call('unlink', key)
			  return -1
			end
			local function after(at)
			  return at + 1 + tonumber(ARGV[at])
			end
			local function write(key, at)
			  local first, last = at + 2, at + 1 + ARGV[at + 1]
			  if not has(key, first, last) then
			    redis.call('unlink', key)
			    return 0
			  end
			  return take(key, last + 1, after(at) - 1)
			end
			""";

	private static final String CREATE = """
			if redis.call('exists', KEYS[1]) == 1 then return 0 end
			local last = 2 + ARGV[2]
			redis.call('%1$s.reserve', KEYS[1], unpack(ARGV, 3, last))
			put(KEYS[1], last + 1, #ARGV)
			redis.call('pexpire', KEYS[1], ARGV[1])
			return 1
			""";

	private static final String WRITE = "return write(KEYS[1], 1)";

	private static final String KEEP_ALIVE = """
			local last = 2 + ARGV[2]
			if has(KEYS[1], last + 1, #ARGV) or not has(KEYS[1], 3, last) then return 0 end
			return redis.call('pexpire', KEYS[1], ARGV[1])
			""";

	private static final String SEAL = """
			local last = 1 + ARGV[1]
			if not has(KEYS[1], 2, last) then return 0 end
			if not has(KEYS[1], last + 1, #ARGV) and take(KEYS[1], last + 1, #ARGV) < 0 then return -1 end
			redis.call('persist', KEYS[1])
			return 1
			""";

	private static final String INFO = """
			local reply = redis.pcall('%1$s.info', KEYS[1])
			if reply.err then return { '0', '0' } end
			local info = {}
			for i = 1, #reply, 2 do info[reply[i].ok or reply[i]] = reply[i + 1] end
			return { string.format('%%.0f', info['Number of items inserted']), string.format('%%.0f', info['Size']) }
			""";

	private final FilterKind kind;

	ModuleScripts(FilterKind kind) {
		this.kind = kind;
	}

	String functions() {
		return PRELUDE.formatted(this.kind.commands(), this.kind.put());
	}

	/**
	 * The arguments are the time to live in milliseconds, the number of arguments of the
	 * reservation, these, and the first elements.
	 */
	String create() {
		return functions() + CREATE.formatted(this.kind.commands());
	}

	String write() {
		return functions() + WRITE;
	}

	/**
	 * The arguments are the time to live in milliseconds, the number of elements of a
	 * loading filter, these, and those of a sealed one.
	 */
	String keepAlive() {
		return functions() + KEEP_ALIVE;
	}

	/**
	 * The arguments are the number of elements of a loading filter, these, and those of a
	 * sealed one.
	 */
	String seal() {
		return functions() + SEAL;
	}

	String info() {
		return INFO.formatted(this.kind.commands());
	}

}
