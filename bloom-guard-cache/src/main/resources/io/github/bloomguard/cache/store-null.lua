-- Keys: the entry, its copy, those of the token, those that must not be there. What has no token makes others invalid.
-- The entry's own token is used up, whatever follows.
for i = 4, #ARGV do
	local own = i == 4
	if ARGV[i] ~= '' and string.sub(redis.call('GET', KEYS[i - 1]) or '', 1, own and 16 or -1) ~= ARGV[i] then
		return 0
	end
	if own or ARGV[i] == '' then
		redis.call('DEL', KEYS[i - 1])
	end
end
if ARGV[3] == '1' then
	if KEYS[2] then
		redis.call('DEL', KEYS[2])
	end
	local present = redis.call('GET', KEYS[1])
	if present and present ~= ARGV[1] then
		redis.call('DEL', KEYS[1])
		return 0
	end
end
for i = #ARGV, #KEYS do
	if redis.call('EXISTS', KEYS[i]) == 1 then
		return 0
	end
end
return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
