if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then
	return 0
end
return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0
