-- Keys: the entry, the lock if there is one, those of the token, the entry's own before that of the cache. The first
-- letter of the reply says what it is: a value, a token, or who has the right to load. Behind the entry's own token
-- stands how many loads hold it.
local value = redis.call('GET', KEYS[1])
if value and ARGV[3] ~= 'refresh' then
	return 'v' .. value
end
local own = 2
if ARGV[4] then
	own = 3
	if not redis.call('SET', KEYS[2], ARGV[4], 'NX', 'PX', ARGV[5]) then
		local owner = redis.call('GET', KEYS[2])
		if owner ~= ARGV[4] then
			return 'b' .. (owner or '')
		end
	end
end
local reply = 'c'
for i = own, #KEYS do
	local found = redis.call('GET', KEYS[i])
	local token = found and string.sub(found, 1, 16) or ARGV[1]
	if i == own then
		local holders = found and tonumber(string.sub(found, 17)) or 0
		redis.call('SET', KEYS[i], token .. (holders + 1), 'PX', ARGV[2])
	elseif found then
		redis.call('PEXPIRE', KEYS[i], ARGV[2])
	else
		redis.call('SET', KEYS[i], token, 'PX', ARGV[2])
	end
	reply = reply .. token
end
return reply
