-- Keys: the entry, its copy, those of the token, those that must not be there. The entry's own token is used up, whatever
-- follows, so that it takes no memory.
if ARGV[4] ~= '' and string.sub(redis.call('GET', KEYS[3]) or '', 1, 16) ~= ARGV[4] then
	return 0
end
redis.call('DEL', KEYS[3])
for i = 4, #KEYS do
	if ARGV[i + 1] then
		if redis.call('GET', KEYS[i]) ~= ARGV[i + 1] then
			return 0
		end
	elseif redis.call('EXISTS', KEYS[i]) == 1 then
		return 0
	end
end
if ARGV[2] == '0' then
	redis.call('SET', KEYS[1], ARGV[1])
else
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
if ARGV[3] ~= '0' then
	redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
end
return 1
