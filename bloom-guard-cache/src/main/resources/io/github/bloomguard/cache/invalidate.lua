-- Keys: what holds off, what is no longer there.
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return redis.call('DEL', unpack(KEYS, 2))
