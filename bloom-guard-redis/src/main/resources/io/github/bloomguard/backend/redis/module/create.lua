-- The arguments are the time to live in milliseconds, the number of arguments of the reservation, these, and the
-- first elements.
if redis.call('exists', KEYS[1]) == 1 then return 0 end
local last = 2 + ARGV[2]
redis.call(commands .. '.reserve', KEYS[1], unpack(ARGV, 3, last))
put(KEYS[1], last + 1, #ARGV)
redis.call('pexpire', KEYS[1], ARGV[1])
return 1
