return building(ARGV[1]) and redis.call('del', lease) or 0
