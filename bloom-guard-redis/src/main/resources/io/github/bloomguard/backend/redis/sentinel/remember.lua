local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local epoch, since = unpack(redis.call('hmget', KEYS[2], 'epoch', 'since'))
if epoch ~= ARGV[3] or not since or now - since < tonumber(ARGV[4]) then return 0 end
local added = redis.call('zscore', KEYS[3], ':' .. ARGV[5])
if added and now - added < tonumber(ARGV[6]) then return 0 end
if redis.call('exists', KEYS[3]) == 0 then return 0 end
if redis.call('hlen', KEYS[1]) >= tonumber(ARGV[7]) then return 0 end
local first = redis.call('exists', KEYS[1]) == 0
redis.call('hset', KEYS[1], ARGV[1], epoch)
if first then redis.call('pexpire', KEYS[1], ARGV[2]) end
return 1
