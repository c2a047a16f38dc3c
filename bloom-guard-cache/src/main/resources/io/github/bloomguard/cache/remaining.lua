return redis.call('PTTL', KEYS[1])
