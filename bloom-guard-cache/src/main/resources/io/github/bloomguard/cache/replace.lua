if KEYS[2] then
	redis.call('DEL', KEYS[2])
end
if ARGV[2] == '0' then
	redis.call('SET', KEYS[1], ARGV[1])
else
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
