-- Key: for whom a chain of loads waits. Arguments: who that is, for how long this is known, what all such keys begin
-- with, which are in one slot, and all that go on when the chain does. Returns whether one of these is waited for.
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local owner = ARGV[1]
for _ = 1, 100 do
	for i = 4, #ARGV do
		if owner == ARGV[i] then
			return 1
		end
	end
	owner = redis.call('GET', ARGV[3] .. owner)
	if not owner then
		return 0
	end
end
return 0
