if not is(control, 'hash') or redis.call('hexists', control, 'g:' .. ARGV[1]) == 0 then return 0 end
redis.call('hset', control, 'm:' .. ARGV[1], ARGV[2])
return 1
