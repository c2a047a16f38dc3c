if not is(turn, 'string') or redis.call('pttl', turn) < 0 then redis.call('del', turn) end
if redis.call('set', turn, '', 'NX', 'PX', ARGV[1]) then return 0 end
return math.max(redis.call('pttl', turn), 1)
