-- The arguments are when the removal was decided, since when an added key is left, how long a removal may take, the
-- two retentions, the memory that the journal may take, and the keys. A key that was removed lately, and not added
-- since, is not counted again.
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
