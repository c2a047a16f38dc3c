if length ~= tonumber(ARGV[3]) or ARGV[4] ~= '-1' and not stamped(ARGV[4]) then return 0 end
redis.call('setrange', KEYS[1], ARGV[5], ARGV[6])
return stamp()
