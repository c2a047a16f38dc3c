local written = redis.call('hget', KEYS[1], ARGV[1])
return written and redis.call('hget', KEYS[2], 'epoch') == written and 1 or 0
