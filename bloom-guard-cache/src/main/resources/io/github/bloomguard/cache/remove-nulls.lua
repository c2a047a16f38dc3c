-- Keys: triples of an entry, what holds it off and what it is loaded with.
for i = 1, #KEYS, 3 do
	redis.call('SET', KEYS[i + 1], '', 'PX', ARGV[(i + 5) / 3])
	redis.call('DEL', KEYS[i + 2])
	if redis.call('GET', KEYS[i]) == ARGV[1] then
		redis.call('DEL', KEYS[i])
	end
end
return 1
