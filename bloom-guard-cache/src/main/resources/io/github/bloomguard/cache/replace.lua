-- Keys: the entry, its copy, that of the token.
if KEYS[2] then
	redis.call('DEL', KEYS[2], KEYS[3])
end
if ARGV[2] == '0' then
	redis.call('SET', KEYS[1], ARGV[1])
else
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
if KEYS[2] and ARGV[3] ~= '0' then
	redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
end
return 1
