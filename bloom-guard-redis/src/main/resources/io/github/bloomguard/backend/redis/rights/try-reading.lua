-- Tries each command that reading takes, on a key that is not there, and writes nothing. Returns the names of those that
-- the user may not run, with a dash before those that the server does not have.
local key, missing = KEYS[1], {}
local function try(name, ...)
  local reply = redis.pcall(name, ...)
  if type(reply) ~= 'table' or not reply.err then return end
  if string.find(reply.err, 'permission') or string.find(reply.err, "can't run this command") then
    missing[#missing + 1] = name
  elseif string.find(reply.err, 'Unknown Redis command') then
    missing[#missing + 1] = '-' .. name
  end
end
try('time') try('info', 'server') try('type', key) try('exists', key)
try('hget', key, 'f') try('hexists', key, 'f') try('hkeys', key) try('hgetall', key)
try('xrange', key, '-', '+', 'COUNT', '1') try('xrevrange', key, '+', '-', 'COUNT', '1')
try('getrange', key, '0', '0') try('bitfield_ro', key, 'GET', 'u1', '0')
return missing
