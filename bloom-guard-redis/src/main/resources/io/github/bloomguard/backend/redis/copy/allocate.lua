-- The string gets its full length at once, because each growth would copy it.
if length ~= 0 then return length == tonumber(ARGV[3]) and 1 or 0 end
redis.call('setrange', KEYS[1], ARGV[3] - 1, '\0')
redis.call('pexpire', KEYS[1], ARGV[5])
return stamp()
