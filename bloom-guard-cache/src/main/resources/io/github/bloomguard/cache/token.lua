local token = redis.call('GET', KEYS[1])
if token then
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
	return token
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
