-- May be repeated, because a reply may be lost.
local present = checkpoint(ARGV[1])
if present == ARGV[3] then return 1 end
if not present or present ~= ARGV[2] then return 0 end
redis.call('hset', control, 'm:' .. ARGV[1], ARGV[3])
return 1
