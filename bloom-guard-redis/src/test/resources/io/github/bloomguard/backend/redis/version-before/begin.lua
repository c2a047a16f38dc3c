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
