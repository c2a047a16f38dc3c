if word ~= ARGV[2] and word ~= ARGV[3] then return 0 end
if ARGV[4] and not stamped(ARGV[4]) then return 0 end
if word == ARGV[2] then redis.call('setrange', KEYS[1], ARGV[1], ARGV[3]) end
for i = 1, #KEYS do redis.call('persist', KEYS[i]) end
return 1
