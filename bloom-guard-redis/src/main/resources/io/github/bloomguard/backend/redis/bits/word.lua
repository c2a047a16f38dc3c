local word = redis.call('type', KEYS[1]).ok == 'string' and redis.call('getrange', KEYS[1], ARGV[1], -1)
