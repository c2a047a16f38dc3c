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
