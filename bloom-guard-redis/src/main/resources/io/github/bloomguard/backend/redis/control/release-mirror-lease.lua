if incarnation(ARGV[1]) ~= ARGV[2] then return 0 end
changed()
return redis.call('hdel', control, 'holder:' .. ARGV[1])
