return redis.call('bitcount', KEYS[1], 0, ARGV[1])
