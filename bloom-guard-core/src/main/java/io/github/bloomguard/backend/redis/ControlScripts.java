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
import java.util.stream.Collectors;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Evidence;

/**
 * The Lua scripts of the control store: each is one atomic step on the primary, and may
 * be sent again because its reply was lost. Their first keys are the control record, the
 * lease, the journal and the keys added lately.
 * <p>
 * No error of Redis is taken for an answer: what a script may not do, or can't find out,
 * makes it fail.
 */
final class ControlScripts {

	/**
	 * Functions that the scripts share. A key of the wrong type counts as missing and is
	 * replaced. The epoch is at least the clock in microseconds, so it grows although the
	 * record was lost. A generation is
	 * {@code PHASE|insertions|probability|configured insertions|salt|origin|created|shard size}.
	 * Which keys have been counted for a proof or a doubt is kept until that is complete,
	 * or for the last thousand, and is not read.
	 * <p>
	 * An origin was not in use all the time if it missed two intervals, and
	 * {@link ControlRecord#SETTLING} has passed since, after which no instance trusts
	 * what was read before.
	 * <p>
	 * The record names the last entry of the journal. One that ends elsewhere was
	 * exchanged, and counts as missing.
	 * <p>
	 * A journal whose entries are all older than is needed is replaced by a mark, so that
	 * it goes on where it ended. Entries that were only trimmed would stay in memory as
	 * long as one of their node is needed. So is one that takes too much memory, with the
	 * keys added lately. They count as complete again when no key that was forgotten
	 * would count as added lately.
	 */
	private static final String PRELUDE = RunId.SCRIPT + "local settling, lasting = "
			+ ControlRecord.SETTLING.toMillis() + ", " + Doubt.LASTING.toMillis()
			+ """

					local control, lease, journal, added = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
					local time = redis.call('time')
					local now = time[1] * 1000 + math.floor(time[2] / 1000)
					local function integer(number)
					  return string.format('%.0f', number)
					end
					local function is(key, kind)
					  return redis.call('type', key).ok == kind
					end
					local function bump()
					  local last = tonumber(redis.call('hget', control, 'epoch') or 0)
					  redis.call('hset', control, 'epoch', integer(math.max(last + 1, time[1] * 1000000 + time[2])))
					end
					local function generation(id)
					  return is(control, 'hash') and redis.call('hget', control, 'g:' .. id) or ''
					end
					local function phase(id)
					  return string.match(generation(id), '^%u+')
					end
					local function origin(id)
					  return string.match(generation(id), '^%u+|[^|]*|[^|]*|[^|]*|[^|]*|([^|]*)')
					end
					local function last()
					  return redis.call('hget', control, 'end')
					end
					local function newest_entry()
					  if not is(control, 'hash') or not is(journal, 'stream') then return nil end
					  local entry = redis.call('xrevrange', journal, '+', '-', 'COUNT', 1)[1]
					  return entry and entry[1] == last() and entry or nil
					end
					local function has_journal()
					  return newest_entry() ~= nil
					end
					local function log(...)
					  local position = redis.call('xadd', journal, ...)
					  redis.call('hset', control, 'end', position)
					  return position
					end
					local function move(id, to)
					  redis.call('hset', control, 'g:' .. id, (string.gsub(generation(id), '^%u+', to)))
					end
					local function suffixes(prefix)
					  local result = {}
					  for _, field in ipairs(redis.call('hkeys', control)) do
					    if string.sub(field, 1, #prefix) == prefix then result[#result + 1] = string.sub(field, #prefix + 1) end
					  end
					  return result
					end
					local function retire(unneeded)
					  local retired = false
					  for _, id in ipairs(suffixes('g:')) do
					    if phase(id) ~= 'RETIRED' and unneeded(id, phase(id)) then
					      move(id, 'RETIRED')
					      retired = true
					    end
					  end
					  return retired
					end
					local function ensure(begun)
					  local recorded = is(control, 'hash')
					  local moved = recorded and begun and redis.call('hget', control, 'server') ~= server()
					  if not recorded then redis.call('del', control) end
					  if not recorded or moved then redis.call('hset', control, 'server', server()) end
					  if not recorded or moved then redis.call('hset', control, 'created', integer(now)) end
					  if moved then retire(function(_, phase) return phase == 'ACTIVE' end) end
					  if not recorded or moved or not has_journal() or not is(added, 'zset') then
					    if not has_journal() then redis.call('unlink', journal) end
					    if not is(added, 'zset') then redis.call('del', added) end
					    redis.call('zadd', added, '+inf', '')
					    redis.call('hset', control, 'since', integer(now))
					    bump()
					  end
					end
					local function building(token)
					  return is(lease, 'string') and redis.call('get', lease) == token
					end
					local function forget_journal()
					  local id = redis.pcall('xadd', journal, '*', 't', '')
					  if type(id) ~= 'string' then return false end
					  redis.call('unlink', journal)
					  redis.call('xadd', journal, id, 't', '')
					  redis.call('hset', control, 'end', id)
					  return true
					end
					local function memory()
					  return (redis.call('memory', 'usage', journal) or 0) + (redis.call('memory', 'usage', added) or 0)
					end
					local function trim(added_retention, journal_retention, most)
					  local keep = tonumber(redis.call('hget', control, 'keep') or now)
					  local oldest = integer(math.min(now - journal_retention, keep))
					  if is(added, 'zset') then
					    redis.call('zremrangebyscore', added, '-inf', '(' .. integer(now - added_retention))
					  end
					  if memory() > tonumber(most) and has_journal() and forget_journal() then
					    redis.call('unlink', added)
					    redis.call('zadd', added, '+inf', '')
					    redis.call('hset', control, 'since', integer(now + added_retention))
					  end
					  return oldest
					end
					local function forget_keys(oldest)
					  local newest = newest_entry()
					  if not newest or newest[2][1] == 't' then return end
					  if tonumber(string.match(newest[1], '^%d+')) < tonumber(oldest) then forget_journal() end
					end
					local function append(list, more)
					  for _, element in ipairs(more) do list[#list + 1] = element end
					end
					local function entries(after, count, author)
					  local keys, gone, last, more, seen = {}, {}, '', '1', 0
					  repeat
					    local read = redis.call('xrange', journal, '(' .. after, '+', 'COUNT', 20)
					    for _, entry in ipairs(read) do
					      after, last = entry[1], entry[1]
					      local fields = entry[2]
					      local left_out = fields[1] == 'a' and fields[2] == author
					      for i = 1, #fields, 2 do
					        local kind, key = fields[i], fields[i + 1]
					        if kind == 'k' and not left_out then keys[#keys + 1] = key end
					        if kind == 'k' then gone[key] = nil elseif kind == 'r' then gone[key] = true end
					      end
					      seen = seen + #fields / 2
					    end
					    if #read < 20 then more = '0' end
					  until more == '0' or seen >= tonumber(count)
					  local removed = {}
					  for key in pairs(gone) do removed[#removed + 1] = key end
					  return keys, removed, last, more
					end
					local function incarnation(instance)
					  local holder = is(control, 'hash') and redis.call('hget', control, 'holder:' .. instance) or ''
					  return string.match(holder, '^([^|]*)|(.*)')
					end
					local function count(what, origin, hashes)
					  local field = what .. ':' .. origin
					  local seen, new = redis.call('hget', control, 'seen:' .. field) or '', 0
					  for hash in string.gmatch(hashes, '%x+,') do
					    if not string.find(seen, hash, 1, true) then
					      seen, new = (#seen < 9000 and seen or '') .. hash, new + 1
					    end
					  end
					  if new > 0 then
					    redis.call('hset', control, 'seen:' .. field, seen)
					    redis.call('hincrby', control, field, new)
					  end
					end
					local function doubt(origin, wrong)
					  if wrong == '' then return end
					  count('wrong', origin, wrong)
					  local last = tonumber(redis.call('hget', control, 'doubted:' .. origin) or 0)
					  if now - last >= lasting then redis.call('hset', control, 'doubtful:' .. origin, integer(now)) end
					  redis.call('hset', control, 'doubted:' .. origin, integer(now))
					end
					local function prove(origin, evidence)
					  local absent, found, wrong, complete = string.match(evidence, '^([^|]*)|([^|]*)|([^|]*)|(.)$')
					  doubt(origin, wrong)
					  if redis.call('hexists', control, 'complete:' .. origin) == 1 then return end
					  count('proven', origin, absent)
					  count('found', origin, found)
					  if complete == '1' then
					    redis.call('hset', control, 'complete:' .. origin, '1')
					    redis.call('hdel', control, 'seen:proven:' .. origin, 'seen:found:' .. origin)
					  end
					end
					local function forget(origin)
					  redis.call('hdel', control, 'proven:' .. origin, 'found:' .. origin, 'complete:' .. origin,
					    'seen:proven:' .. origin, 'seen:found:' .. origin, 'refuted:' .. origin, 'wrong:' .. origin,
					    'seen:wrong:' .. origin, 'doubtful:' .. origin, 'doubted:' .. origin)
					end
					local function use(origin, interval)
					  local gap = math.abs(now - tonumber(redis.call('hget', control, 'used:' .. origin) or 0))
					  if gap <= tonumber(interval) then return end
					  redis.call('hset', control, 'used:' .. origin, integer(now))
					  if gap > 2 * interval + settling then redis.call('hset', control, 'returned:' .. origin, integer(now)) end
					end
					local function record(server, written)
					  local result = { integer(now), has_journal() and '1' or '0', server, integer(#written) }
					  for _, id in ipairs(written) do result[#result + 1] = id end
					  if is(control, 'hash') then
					    local all = redis.call('hgetall', control)
					    for i = 1, #all, 2 do
					      if string.sub(all[i], 1, 5) ~= 'seen:' then
					        result[#result + 1], result[#result + 2] = all[i], all[i + 1]
					      end
					    end
					  end
					  return result
					end
					""";

	static final String READ = PRELUDE + "return record(server(), {})";

	/**
	 * Its last arguments are the interval at which use is noted, the two retentions, and
	 * the memory that what they keep may take.
	 */
	static final String REFRESH = PRELUDE + refresh() + """
			return record(server(), {})
			""";

	/**
	 * Up to where a holder has read the journal is noted, so that it is not struck off
	 * for what it has read meanwhile. Returns whether it is one, whether the journal goes
	 * on, the id of the last entry that is returned, the numbers of keys added and
	 * removed, those keys, without those of which it is the author, and the record.
	 */
	static final String REFRESH_MIRROR = PRELUDE + refresh() + """
			local result = { '0', '0', '', '0', '0' }
			local holder, read = incarnation(ARGV[3])
			if holder == ARGV[4] and has_journal() then
			  if read ~= last() then redis.call('hset', control, 'holder:' .. ARGV[3], ARGV[4] .. '|' .. last()) end
			  local keys, removed, upto, more = entries(ARGV[5], ARGV[6], ARGV[4])
			  result = { '1', more, upto, integer(#keys), integer(#removed) }
			  append(result, keys)
			  append(result, removed)
			end
			for _, value in ipairs(record(server(), {})) do result[#result + 1] = value end
			return result
			""";

	static final String ACQUIRE_MIRROR_LEASE = PRELUDE + """
			if not has_journal() or tonumber(redis.call('hget', control, 'since') or 0) > now then return {} end
			redis.call('hset', control, 'holder:' .. ARGV[1], ARGV[2] .. '|' .. last())
			return { last(), redis.call('hget', control, 'since') or '0', integer(now) }
			""";

	static final String RELEASE_MIRROR_LEASE = PRELUDE + """
			return incarnation(ARGV[1]) == ARGV[2] and redis.call('hdel', control, 'holder:' .. ARGV[1]) or 0
			""";

	static final String REVOKE_MIRROR_LEASE = PRELUDE + """
			local function before(one, other)
			  local millis, number = string.match(one, '(%d+)-(%d+)')
			  local than, then_number = string.match(other, '(%d+)-(%d+)')
			  if millis ~= than then return tonumber(millis) < tonumber(than) end
			  return tonumber(number) < tonumber(then_number)
			end
			local holder, read = incarnation(ARGV[1])
			if holder ~= ARGV[2] or not before(read, ARGV[3]) then return 0 end
			return redis.call('hdel', control, 'holder:' .. ARGV[1])
			""";

	static String describe(Evidence evidence) {
		return evidence.isEmpty() ? "" : hashes(evidence.absent()) + "|" + hashes(evidence.found()) + "|"
				+ hashes(evidence.wrong()) + "|" + (evidence.complete() ? "1" : "0");
	}

	private static String hashes(List<String> keys) {
		return keys.stream().map((hash) -> hash + ",").collect(Collectors.joining());
	}

	private static String refresh() {
		return """
				if is(control, 'hash') then
				  use(ARGV[1], ARGV[#ARGV - 3])
				  if ARGV[2] ~= '' then prove(ARGV[1], ARGV[2]) end
				  forget_keys(trim(ARGV[#ARGV - 1], ARGV[#ARGV - 2], ARGV[#ARGV]))
				end
				""";
	}

	static final String CONFIRM = PRELUDE + """
			if is(control, 'hash') then redis.call('hset', control, 'confirmed', integer(now)) end
			return record(server(), {})
			""";

	static final String CONFIRM_SHARDS = """
			redis.call('set', KEYS[1], '1', 'PX', 60000)
			return 1
			""";

	/**
	 * The keys go on with the sentinels and the known generations. The arguments are the
	 * two retentions, the number of keys, the channel of the mirrors, the instance that
	 * adds the keys, how its message begins, the author of the entries if there is one,
	 * the origin and the interval at which its use is noted, the memory that the journal
	 * may take, the keys, and for each known generation its id and what
	 * {@link WriteScript} needs. An entry of the journal has few keys, so that a page of
	 * them does not become large.
	 * <p>
	 * An entry has no author while its mirror may still have a removal to read, so that
	 * only the journal gives the order of both. A mirror ends if it has not read for the
	 * retention, and a reply that is under way for as long again is ignored.
	 * <p>
	 * A message that can't be sent does no harm but to keep the add waiting.
	 */
	static String append(WriteScript writes) {
		return PRELUDE + writes.functions() + APPEND;
	}

	private static final String APPEND = """
			ensure(false)
			use(ARGV[8], ARGV[9])
			local count = tonumber(ARGV[3])
			local oldest = trim(ARGV[2], ARGV[1], ARGV[10])
			local removed = tonumber(redis.call('hget', control, 'removal') or 0)
			local authored = ARGV[7] ~= '' and now - removed > 2 * ARGV[1]
			local function begun()
			  return authored and { 'a', ARGV[7] } or {}
			end
			local stamp, position, entry, noted = integer(now), '', begun(), {}
			for i = 1, count do
			  local key = ARGV[10 + i]
			  entry[#entry + 1], entry[#entry + 2] = 'k', key
			  noted[2 * i - 1], noted[2 * i] = stamp, ':' .. key
			  if i % 50 == 0 or i == count then
			    position = log('MINID', oldest, '*', unpack(entry))
			    entry = begun()
			  end
			end
			redis.call('zadd', added, unpack(noted))
			redis.call('unlink', unpack(KEYS, 5, 4 + count))
			local written, at = {}, 11 + count
			for i = 5 + count, #KEYS do
			  local id = ARGV[at]
			  if phase(id) and phase(id) ~= 'LOADING' then
			    write(KEYS[i], at + 1)
			    written[#written + 1] = id
			  end
			  at = after(at + 1)
			end
			for _, instance in ipairs(suffixes('holder:')) do
			  if instance ~= ARGV[5] then
			    local message = { ARGV[6] }
			    for i = 1, count do message[i + 1] = #ARGV[10 + i] .. ':' .. ARGV[10 + i] .. ',' end
			    redis.pcall('publish', ARGV[4], table.concat(message))
			    break
			  end
			end
			local result = record(server(), written)
			result[#result + 1] = ':position'
			result[#result + 1] = position
			return result
			""";

	/**
	 * The arguments are when the removal was decided, since when an added key is left,
	 * how long a removal may take, the two retentions, the memory that the journal may
	 * take, and the keys. A key that was removed lately, and not added since, is not
	 * counted again.
	 */
	static final String REMOVE = PRELUDE + """
			if not has_journal() or not is(added, 'zset') then return 0 end
			if redis.call('hget', control, 'server') ~= server() then return 0 end
			local decided, left = tonumber(ARGV[1]), tonumber(ARGV[2])
			if now < decided or now - decided > tonumber(ARGV[3]) then return 0 end
			local oldest = trim(ARGV[5], ARGV[4], ARGV[6])
			if tonumber(redis.call('hget', control, 'since') or now) > left then return 0 end
			local function noted(member)
			  return tonumber(redis.call('zscore', added, member) or 0)
			end
			local removed = 0
			for i = 7, #ARGV do
			  local key = ARGV[i]
			  local last = noted(':' .. key)
			  if last < left and noted('-' .. key) <= last then
			    log('MINID', oldest, '*', 'r', key)
			    redis.call('zadd', added, integer(now), '-' .. key)
			    removed = removed + 1
			  end
			end
			if removed > 0 then redis.call('hset', control, 'removal', integer(now)) end
			for _, id in ipairs(suffixes('g:')) do
			  if removed > 0 and (phase(id) == 'LIVE' or phase(id) == 'ACTIVE') then
			    redis.call('hincrby', control, 'removed:' .. id, removed)
			  end
			end
			return removed
			""";

	static final String ACQUIRE = PRELUDE + """
			if not is(lease, 'string') then redis.call('del', lease) end
			if building(ARGV[1]) then return redis.call('pexpire', lease, ARGV[2]) end
			return redis.call('set', lease, ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
			""";

	static final String RENEW = PRELUDE + """
			return building(ARGV[1]) and redis.call('pexpire', lease, ARGV[2]) or 0
			""";

	static final String RELEASE = PRELUDE + """
			return building(ARGV[1]) and redis.call('del', lease) or 0
			""";

	static final String BEGIN = PRELUDE + """
			if not building(ARGV[1]) then return 0 end
			if phase(ARGV[2]) then return 1 end
			ensure(true)
			log('*', 'b', ARGV[2])
			redis.call('hset', control, 'keep', integer(now - ARGV[4]))
			retire(function(_, phase) return phase == 'LOADING' or phase == 'LIVE' end)
			redis.call('hset', control, 'g:' .. ARGV[2], 'LOADING|' .. ARGV[3])
			local mine = origin(ARGV[2])
			local function place(origin)
			  return string.match(origin, '^.*-.*-') or origin
			end
			local arrived = now - ARGV[5]
			for _, other in ipairs(suffixes('arrived:')) do
			  if place(other) == place(mine) then
			    arrived = math.min(arrived, tonumber(redis.call('hget', control, 'arrived:' .. other)))
			  end
			end
			redis.call('hset', control, 'arrived:' .. mine, integer(arrived))
			redis.call('hset', control, 'begun:' .. ARGV[2], integer(now))
			use(mine, 60000)
			bump()
			return 1
			""";

	static final String GO_LIVE = PRELUDE + """
			if not building(ARGV[1]) then return 0 end
			if phase(ARGV[2]) == 'LIVE' then return 1 end
			if phase(ARGV[2]) ~= 'LOADING' then return 0 end
			move(ARGV[2], 'LIVE')
			redis.call('hset', control, 'shapes:' .. ARGV[2], ARGV[3])
			bump()
			return 1
			""";

	static final String ACTIVATE = PRELUDE + """
			if not building(ARGV[1]) then return 0 end
			if phase(ARGV[2]) == 'ACTIVE' then return 1 end
			if phase(ARGV[2]) ~= 'LIVE' then return 0 end
			if not has_journal() or redis.call('hget', control, 'since') ~= ARGV[3] then return 0 end
			if redis.call('hget', control, 'server') ~= server() then return 0 end
			local mine = origin(ARGV[2])
			retire(function(id, phase) return phase == 'ACTIVE' and origin(id) == mine end)
			move(ARGV[2], 'ACTIVE')
			redis.call('hdel', control, 'keep')
			if redis.call('hexists', control, 'refuted:' .. mine) == 1 then forget(mine) end
			bump()
			return 1
			""";

	/**
	 * The holder of the lease is the only builder, so what is half built is abandoned.
	 * The second argument is how long an origin is kept that is not used; those that
	 * follow are kept noted for longer.
	 */
	static final String RETIRE = PRELUDE + """
			if not building(ARGV[1]) or not is(control, 'hash') then return {} end
			local function unused(origin)
			  local used = tonumber(redis.call('hget', control, 'used:' .. origin) or 0)
			  return now - used > tonumber(ARGV[2])
			end
			if retire(function(id, phase) return phase ~= 'ACTIVE' or unused(origin(id)) end) then bump() end
			local noted = {}
			for i = 3, #ARGV do noted[ARGV[i]] = true end
			for _, origin in ipairs(suffixes('used:')) do
			  if unused(origin) and not noted[origin] then
			    redis.call('hdel', control, 'used:' .. origin, 'returned:' .. origin, 'arrived:' .. origin)
			    forget(origin)
			  end
			end
			return record('', {})
			""";

	static final String DROP = PRELUDE + """
			if not is(control, 'hash') then return 0 end
			local dropped = 0
			for i = 1, #ARGV do
			  if phase(ARGV[i]) == 'RETIRED' then
			    dropped = dropped + redis.call('hdel', control, 'g:' .. ARGV[i], 'shapes:' .. ARGV[i], 'm:' .. ARGV[i],
			      'removed:' .. ARGV[i], 'begun:' .. ARGV[i])
			  end
			end
			if dropped > 0 then bump() end
			return dropped
			""";

	static final String JOURNAL = PRELUDE + """
			if not is(journal, 'stream') then return { '', '0', '0' } end
			local keys, removed, upto = entries(ARGV[1], ARGV[2], ARGV[3])
			local result = { upto, integer(#keys), integer(#removed) }
			append(result, keys)
			append(result, removed)
			return result
			""";

	static final String REFUTE = PRELUDE + """
			if phase(ARGV[1]) ~= 'ACTIVE' then return false end
			local refuted = 'refuted:' .. origin(ARGV[1])
			if redis.call('hget', control, refuted) == ARGV[1] then return false end
			redis.call('hset', control, refuted, ARGV[1])
			return redis.call('hget', control, 'shapes:' .. ARGV[1]) or ''
			""";

	static final String ACKNOWLEDGE = PRELUDE + """
			if not is(control, 'hash') then return 0 end
			local doubted = redis.call('hdel', control, 'doubted:' .. ARGV[1])
			if redis.call('hexists', control, 'refuted:' .. ARGV[1]) == 0 then return doubted end
			forget(ARGV[1])
			return 1
			""";

	private ControlScripts() {
	}

}
