return incarnation(ARGV[1]) == ARGV[2] and redis.call('hdel', control, 'holder:' .. ARGV[1]) or 0
