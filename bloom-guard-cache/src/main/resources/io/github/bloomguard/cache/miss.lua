-- Keys: the entry, the lock if there is one, those of the token. The first letter of the reply says what it is: a
-- value, or a token.
local value = redis.call('GET', KEYS[1])
if value and ARGV[3] ~= 'refresh' then
	return 'v' .. value
end
local reply = 'c'
local from = 2
if ARGV[4] then
	from = 3
	if not redis.call('SET', KEYS[2], ARGV[4], 'NX', 'PX', ARGV[5]) and redis.call('GET', KEYS[2]) ~= ARGV[4] then
		reply = 'b'
	end
end
for i = from, #KEYS do
	local token = redis.call('GET', KEYS[i])
	if token then
		redis.call('PEXPIRE', KEYS[i], ARGV[2])
	else
		token = ARGV[1]
		redis.call('SET', KEYS[i], token, 'PX', ARGV[2])
	end
	reply = reply .. token
end
return reply
