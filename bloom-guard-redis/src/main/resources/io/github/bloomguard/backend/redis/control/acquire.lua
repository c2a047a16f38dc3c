if not is(lease, 'string') then redis.call('del', lease) end
if building(ARGV[1]) then return redis.call('pexpire', lease, ARGV[2]) end
return redis.call('set', lease, ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
