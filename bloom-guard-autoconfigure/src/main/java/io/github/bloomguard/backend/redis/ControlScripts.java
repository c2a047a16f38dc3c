package io.github.bloomguard.backend.redis;

/**
 * The Lua scripts of the control store: each is one atomic step on the primary. Their
 * keys are the control record, the lease, the journal and the keys added lately.
 */
final class ControlScripts {

	/**
	 * What the scripts share. A key of the wrong type counts as missing and is replaced.
	 * The epoch is at least the clock in microseconds, so it grows although the record
	 * was lost.
	 */
	private static final String PRELUDE = """
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
			local function phase(id)
			  local generation = is(control, 'hash') and redis.call('hget', control, 'g:' .. id)
			  return generation and string.match(generation, '^%u+')
			end
			local function move(id, to)
			  local generation = redis.call('hget', control, 'g:' .. id)
			  redis.call('hset', control, 'g:' .. id, (string.gsub(generation, '^%u+', to)))
			end
			local function ids()
			  local result = {}
			  for _, field in ipairs(redis.call('hkeys', control)) do
			    if string.sub(field, 1, 2) == 'g:' then result[#result + 1] = string.sub(field, 3) end
			  end
			  return result
			end
			local function retire()
			  for _, id in ipairs(ids()) do
			    if phase(id) == 'ACTIVE' then move(id, 'RETIRED') end
			  end
			end
			local function server()
			  local info = redis.pcall('info', 'server')
			  return type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
			end
			local function ensure(begun)
			  local recorded = is(control, 'hash')
			  local moved = recorded and begun and redis.call('hget', control, 'server') ~= server()
			  if not recorded then redis.call('del', control) end
			  if not recorded or moved then redis.call('hset', control, 'server', server()) end
			  if not recorded then redis.call('hset', control, 'created', integer(now)) end
			  if moved then retire() end
			  if not recorded or moved or not is(journal, 'stream') or not is(added, 'zset') then
			    if not is(journal, 'stream') then redis.call('del', journal) end
			    if not is(added, 'zset') then redis.call('del', added) end
			    redis.call('zadd', added, '+inf', '')
			    redis.call('hset', control, 'since', integer(now))
			    bump()
			  end
			end
			local function building(token)
			  return is(lease, 'string') and redis.call('get', lease) == token
			end
			local function record(server)
			  local result = { integer(now), is(journal, 'stream') and '1' or '0', server }
			  if is(control, 'hash') then
			    for _, value in ipairs(redis.call('hgetall', control)) do result[#result + 1] = value end
			  end
			  return result
			end
			""";

	static final String READ = PRELUDE + "return record(server())";

	static final String CONFIRM = PRELUDE + """
			if is(control, 'hash') then redis.call('hset', control, 'confirmed', integer(now)) end
			return record(server())
			""";

	static final String APPEND = PRELUDE + """
			ensure(false)
			local keep = tonumber(redis.call('hget', control, 'keep') or now)
			local oldest = integer(math.min(now - ARGV[1], keep))
			redis.call('zremrangebyscore', added, '-inf', '(' .. integer(now - ARGV[2]))
			for i = 3, #ARGV do
			  redis.call('xadd', journal, 'MINID', '~', oldest, '*', 'k', ARGV[i])
			  redis.call('zadd', added, integer(now), ':' .. ARGV[i])
			end
			return record('')
			""";

	static final String ACQUIRE = PRELUDE + """
			if not is(lease, 'string') then redis.call('del', lease) end
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
			ensure(true)
			redis.call('xadd', journal, '*', 'b', ARGV[2])
			redis.call('hset', control, 'keep', integer(now - ARGV[4]))
			for _, id in ipairs(ids()) do
			  if phase(id) == 'LOADING' or phase(id) == 'LIVE' then redis.call('hdel', control, 'g:' .. id) end
			end
			redis.call('hset', control, 'g:' .. ARGV[2], 'LOADING|' .. ARGV[3])
			bump()
			return 1
			""";

	static final String GO_LIVE = PRELUDE + """
			if not building(ARGV[1]) or phase(ARGV[2]) ~= 'LOADING' then return 0 end
			move(ARGV[2], 'LIVE')
			bump()
			return 1
			""";

	static final String ACTIVATE = PRELUDE + """
			if not building(ARGV[1]) or phase(ARGV[2]) ~= 'LIVE' then return 0 end
			if not is(journal, 'stream') or redis.call('hget', control, 'since') ~= ARGV[3] then return 0 end
			if redis.call('hget', control, 'server') ~= server() then return 0 end
			retire()
			move(ARGV[2], 'ACTIVE')
			redis.call('hdel', control, 'keep')
			bump()
			return 1
			""";

	static final String DROP = PRELUDE + """
			if not is(control, 'hash') then return 0 end
			local dropped = 0
			for i = 1, #ARGV do dropped = dropped + redis.call('hdel', control, 'g:' .. ARGV[i]) end
			if dropped > 0 then bump() end
			return dropped
			""";

	static final String JOURNAL = PRELUDE + """
			if not is(journal, 'stream') then return { '' } end
			local entries = redis.call('xrange', journal, '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
			local result = { #entries > 0 and entries[#entries][1] or '' }
			for _, entry in ipairs(entries) do
			  if entry[2][1] == 'k' then result[#result + 1] = entry[2][2] end
			end
			return result
			""";

	private ControlScripts() {
	}

}
