if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('setrange', KEYS[1], ARGV[1], ARGV[2])
if ARGV[4] then redis.call('setrange', KEYS[1], ARGV[4], server()) end
redis.call('pexpire', KEYS[1], ARGV[3])
return 1
