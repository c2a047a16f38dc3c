-- Keys: the entry, its copy, those of tokens.
if KEYS[2] then
	redis.call('DEL', unpack(KEYS, 2))
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
