if phase(ARGV[1]) ~= 'ACTIVE' then return false end
local refuted = 'refuted:' .. origin(ARGV[1])
if redis.call('hget', control, refuted) == ARGV[1] then return false end
redis.call('hset', control, refuted, ARGV[1])
return redis.call('hget', control, 'shapes:' .. ARGV[1]) or ''
