-- That of another lasts longer than a lease if the clock was set back.
if not is(lease, 'string') then redis.call('del', lease) end
if building(ARGV[1]) then return redis.call('pexpire', lease, ARGV[2]) end
if redis.call('set', lease, ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
if redis.call('pttl', lease) > tonumber(ARGV[2]) then redis.call('pexpire', lease, ARGV[2]) end
return 0
