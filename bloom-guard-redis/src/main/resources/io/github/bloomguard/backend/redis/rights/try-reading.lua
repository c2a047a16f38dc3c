-- Tries each command that reading takes, on a key that is not there, after trying.lua, and writes nothing. Returns what
-- that has noted.
try('time') try('info', 'server') try('type', key) try('exists', key)
try('hget', key, 'f') try('hexists', key, 'f') try('hkeys', key) try('hgetall', key)
try('xrange', key, '-', '+', 'COUNT', '1') try('xrevrange', key, '+', '-', 'COUNT', '1')
try('getrange', key, '0', '0') try('bitfield_ro', key, 'GET', 'u1', '0')
return missing
