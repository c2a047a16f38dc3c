return 1 - redis.call('exists', KEYS[1])
