-- A turn lasts longer than an interval if the clock was set back.
if not is(turn, 'string') or redis.call('pttl', turn) < 0 then redis.call('del', turn) end
if redis.call('set', turn, '', 'NX', 'PX', ARGV[1]) then return 0 end
if redis.call('pttl', turn) > tonumber(ARGV[1]) then redis.call('pexpire', turn, ARGV[1]) end
return math.max(redis.call('pttl', turn), 1)
