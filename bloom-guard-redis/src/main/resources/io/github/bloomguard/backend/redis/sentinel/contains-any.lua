local epoch = redis.call('hget', KEYS[2], 'epoch')
local all = redis.call('hgetall', KEYS[1])
for i = 1, #all, 2 do
  if string.sub(all[i], 1, #ARGV[1]) == ARGV[1] and all[i + 1] == epoch then return 1 end
end
return 0
