-- The arguments are the time to live in milliseconds, the number of elements of a loading filter, these, and those of
-- a sealed one.
local last = 2 + ARGV[2]
if has(KEYS[1], last + 1, #ARGV) or not has(KEYS[1], 3, last) then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[1])
