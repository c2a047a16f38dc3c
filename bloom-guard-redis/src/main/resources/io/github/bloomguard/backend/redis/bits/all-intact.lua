local here = server()
for i = 1, #KEYS do
  if redis.call('type', KEYS[i]).ok ~= 'string' then return 0 end
  if redis.call('getrange', KEYS[i], ARGV[1], -1) ~= ARGV[2 + i] then return 0 end
  if redis.call('getrange', KEYS[i], ARGV[2], ARGV[2] + 39) ~= here then return 0 end
end
return 1
