redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return redis.call('DEL', KEYS[2])
