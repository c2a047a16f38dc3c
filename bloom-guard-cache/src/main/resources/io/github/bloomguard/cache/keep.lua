-- Keys: the entry, its copy, those of tokens. What is there is removed unless it is the value.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
	return redis.call('DEL', unpack(KEYS))
end
return KEYS[3] and redis.call('DEL', unpack(KEYS, 3)) or 0
