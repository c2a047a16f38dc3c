redis.call('set', KEYS[1], '1', 'PX', 60000)
return 1
