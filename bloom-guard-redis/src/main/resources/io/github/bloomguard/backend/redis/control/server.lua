-- The server that the record names.
local function stored()
  return redis.call('type', KEYS[1]).ok == 'hash' and redis.call('hget', KEYS[1], 'server') or ''
end
local function store(server)
  redis.call('hset', KEYS[1], 'server', server)
end
