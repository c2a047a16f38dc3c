return building(ARGV[1]) and redis.call('pexpire', lease, ARGV[2]) or 0
