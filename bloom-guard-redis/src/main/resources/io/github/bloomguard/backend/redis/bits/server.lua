-- The server that the stamp names, which is after the line "local stamp = …".
local function stored()
  return redis.call('type', KEYS[1]).ok == 'string' and redis.call('getrange', KEYS[1], stamp, stamp + 39) or ''
end
local function store(server)
  redis.call('setrange', KEYS[1], stamp, server)
end
