-- Keys: entries' own tokens. Arguments: what loads hold that have ended. What no load holds any more takes no memory.
for i = 1, #KEYS do
	local found = redis.call('GET', KEYS[i])
	if found and string.sub(found, 1, 16) == ARGV[i] then
		local holders = tonumber(string.sub(found, 17)) or 1
		if holders > 1 then
			redis.call('SET', KEYS[i], ARGV[i] .. (holders - 1), 'KEEPTTL')
		else
			redis.call('DEL', KEYS[i])
		end
	end
end
return 1
