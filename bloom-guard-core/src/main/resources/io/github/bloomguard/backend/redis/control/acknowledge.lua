if not is(control, 'hash') then return 0 end
local doubted = redis.call('hdel', control, 'doubted:' .. ARGV[1])
if redis.call('hexists', control, 'refuted:' .. ARGV[1]) == 0 then return doubted end
forget(ARGV[1])
return 1
