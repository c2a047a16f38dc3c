if not building(ARGV[1]) then return 0 end
if phase(ARGV[2]) == 'LIVE' then return 1 end
if phase(ARGV[2]) ~= 'LOADING' then return 0 end
move(ARGV[2], 'LIVE')
redis.call('hset', control, 'shapes:' .. ARGV[2], ARGV[3])
bump()
return 1
