-- Tries each command on a key that is gone afterwards. Returns the names of those that the user may not run, with a
-- dash before those that the server does not have.
local key, missing = KEYS[1], {}
local function try(name, ...)
  local reply = redis.pcall(string.match(name, '^[^|]+'), ...)
  if type(reply) ~= 'table' or not reply.err then return end
  if string.find(reply.err, 'permission') or string.find(reply.err, "can't run this command") then
    missing[#missing + 1] = name
  elseif string.find(reply.err, 'Unknown Redis command') then
    missing[#missing + 1] = '-' .. name
  end
end
try('time') try('info', 'server') try('type', key) try('exists', key)
try('hset', key, 'f', '1') try('hget', key, 'f') try('hmget', key, 'f') try('hexists', key, 'f')
try('hkeys', key) try('hlen', key) try('hgetall', key) try('hincrby', key, 'n', '1') try('hdel', key, 'f')
try('unlink', key)
try('xadd', key, '1-0', 'f', '1') try('xrange', key, '-', '+', 'COUNT', '1')
try('xrevrange', key, '+', '-', 'COUNT', '1')
try('memory|usage', 'usage', key)
try('del', key)
try('zadd', key, '1', 'm') try('zscore', key, 'm') try('zremrangebyscore', key, '-inf', '+inf')
try('set', key, '1') try('get', key) try('pexpire', key, '1000') try('persist', key) try('pttl', key)
try('setrange', key, '0', '1') try('getrange', key, '0', '0') try('strlen', key)
try('setbit', key, '0', '1') try('bitcount', key, '0', '0') try('bitfield_ro', key, 'GET', 'u1', '0')
redis.pcall('unlink', key)
