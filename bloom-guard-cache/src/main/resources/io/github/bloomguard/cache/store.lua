-- Keys: the entry, its copy, those of the token, those that must not be there. A token is used up, so that it takes no
-- memory.
for i = 3, #KEYS do
	if ARGV[i + 1] then
		if ARGV[i + 1] ~= '' and redis.call('GET', KEYS[i]) ~= ARGV[i + 1] then
			return 0
		end
	elseif redis.call('EXISTS', KEYS[i]) == 1 then
		return 0
	end
end
redis.call('DEL', KEYS[3])
if ARGV[2] == '0' then
	redis.call('SET', KEYS[1], ARGV[1])
else
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
if ARGV[3] ~= '0' then
	redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
end
return 1
