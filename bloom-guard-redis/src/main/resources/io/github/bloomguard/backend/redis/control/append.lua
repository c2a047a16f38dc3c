-- The keys go on with the sentinel that every add forgets, those of the keys, and the known generations. The arguments
-- are the two retentions, the number of keys, the channel of the mirrors, the instance that adds the keys, how its
-- message begins, the author of the entries if there is one, the origin, none for a reader, and the interval at which
-- its use is noted, the memory that the journal may take, the keys, the name that every add forgets, and for each known
-- generation its id and what write(), which stands before this, needs. An entry of the journal has few keys, so that a
-- page of them does not become large.
-- 
-- An entry has no author while its mirror may still have a removal to read, so that only the journal gives the order of
-- both. A mirror ends if it has not read for the retention, and a reply that is under way for as long again is ignored.
-- 
-- A message that can't be sent does no harm but to keep the add waiting.
ensure(false)
if ARGV[8] ~= '' then use(ARGV[8], ARGV[9]) end
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
noted[#noted + 1], noted[#noted + 2] = stamp, ':' .. ARGV[11 + count]
redis.call('zadd', added, unpack(noted))
redis.call('unlink', unpack(KEYS, 5, 5 + count))
local written, at = {}, 12 + count
for i = 6 + count, #KEYS do
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
