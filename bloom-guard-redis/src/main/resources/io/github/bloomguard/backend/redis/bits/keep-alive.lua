if word == ARGV[2] then return 0 end
for i = 1, #KEYS do redis.call('pexpire', KEYS[i], ARGV[3]) end
return 1
