-- The arguments are the number of elements of a loading filter, these, and those of a sealed one.
local last = 1 + ARGV[1]
if not has(KEYS[1], 2, last) then return 0 end
if not has(KEYS[1], last + 1, #ARGV) and take(KEYS[1], last + 1, #ARGV) < 0 then return -1 end
redis.call('persist', KEYS[1])
return 1
