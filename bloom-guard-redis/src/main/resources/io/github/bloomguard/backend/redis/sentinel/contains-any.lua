local epoch = redis.call('hget', KEYS[2], 'epoch')
local all = redis.call('hgetall', KEYS[1])
for i = 1, #all, 2 do
  local begins = string.sub(all[i], 1, #ARGV[1]) == ARGV[1]
  local ends = ARGV[2] == '' or string.sub(all[i], -#ARGV[2]) == ARGV[2]
  if begins and ends and all[i + 1] == epoch then return 1 end
end
return 0
