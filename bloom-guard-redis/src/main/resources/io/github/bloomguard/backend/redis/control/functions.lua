-- What the scripts of the control store share, after run-id.lua and the line "local trust_ends, lasting = …".
-- A key of the wrong type counts as missing and is replaced. The epoch is at least the clock in microseconds, so it
-- grows although the record was lost. A generation is
--   PHASE|insertions|probability|configured insertions|salt|origin|created|shard size
-- Which keys have been counted for a proof or a doubt is kept until that is complete, or for the last thousand, and is
-- not read.
-- 
-- An origin was not in use all the time if it missed two intervals, and trust_ends has passed since, after which no
-- instance trusts what was read before.
-- 
-- An entry of the journal is a list of kinds, each with a value: a key that was added (k) or removed (r), the author of
-- the keys that follow (a), the generation whose build begins (b), a mark (t). What reads the journal fails at another
-- kind, so that no build and no mirror believes to have read all of it.
--
-- The record names the last entry of the journal. One that ends elsewhere was exchanged, and counts as missing.
-- 
-- A journal whose entries are all older than is needed is replaced by a mark, so that it goes on where it ended.
-- Entries that were only trimmed would stay in memory as long as one of their node is needed. So is one that takes too
-- much memory, with the keys added lately. They count as complete again when no key that was forgotten would count as
-- added lately.
-- 
-- A record that was created later than now, because the clock was set back, is as new as one that was lost: adds and
-- builders would wait until that time.
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
local function suffixes(prefix)
  local result = {}
  for _, field in ipairs(redis.call('hkeys', control)) do
    if string.sub(field, 1, #prefix) == prefix then result[#result + 1] = string.sub(field, #prefix + 1) end
  end
  return result
end
local function ensure(begun)
  local recorded = is(control, 'hash')
  local moved = recorded and begun and redis.call('hget', control, 'server') ~= server()
  local renewed = not recorded or moved or tonumber(redis.call('hget', control, 'created') or 0) > now
  if not recorded then redis.call('del', control) end
  if not recorded or moved then redis.call('hset', control, 'server', server()) end
  if renewed then redis.call('hset', control, 'created', integer(now), 'form', '1') end
  if renewed or not has_journal() or not is(added, 'zset') then
    if not has_journal() then redis.call('unlink', journal) end
    if not is(added, 'zset') then redis.call('del', added) end
    redis.call('zadd', added, '+inf', '')
    redis.call('hset', control, 'since', integer(now))
    bump()
  end
end
local function stamp()
  local function field(name)
    return is(control, 'hash') and redis.call('hget', control, name) or ''
  end
  return table.concat({ field('epoch'), server(), field('server'), has_journal() and field('since') or '' }, '|')
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
local known_kinds = { k = true, r = true, a = true, b = true, t = true }
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
        if not known_kinds[kind] then error('the journal has entries that only a newer version of bloom-guard knows') end
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
local function changed()
  redis.call('hincrby', control, 'changes', 1)
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
    changed()
  end
end
local function doubt(origin, wrong)
  if wrong == '' then return end
  count('wrong', origin, wrong)
  local last = tonumber(redis.call('hget', control, 'doubted:' .. origin) or 0)
  if now - last >= lasting then redis.call('hset', control, 'doubtful:' .. origin, integer(now)) end
  redis.call('hset', control, 'doubted:' .. origin, integer(now))
  changed()
end
local function prove(origin, evidence)
  local absent, found, wrong, complete, unseen = string.match(evidence, '^([^|]*)|([^|]*)|([^|]*)|(.)(.)$')
  doubt(origin, wrong)
  if unseen == '1' then
    redis.call('hset', control, 'unseen:' .. origin, integer(now))
    changed()
  end
  if redis.call('hexists', control, 'complete:' .. origin) == 1 then return end
  if wrong == '' or complete == '1' then
    count('proven', origin, absent)
    count('found', origin, found)
  end
  if complete == '1' then
    redis.call('hset', control, 'complete:' .. origin, '1')
    changed()
    redis.call('hdel', control, 'seen:proven:' .. origin, 'seen:found:' .. origin)
  elseif wrong ~= '' then
    for _, field in ipairs({ 'proven:', 'found:', 'seen:proven:', 'seen:found:' }) do
      redis.call('hdel', control, field .. origin)
    end
    changed()
  end
end
local function use(origin, interval)
  local gap = math.abs(now - tonumber(redis.call('hget', control, 'used:' .. origin) or 0))
  if gap <= tonumber(interval) then return end
  redis.call('hset', control, 'used:' .. origin, integer(now))
  if gap > 2 * interval + trust_ends then
    redis.call('hset', control, 'returned:' .. origin, integer(now))
    changed()
  end
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
