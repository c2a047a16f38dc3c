local control, turn = KEYS[1], KEYS[2]
local function is(key, kind)
  return redis.call('type', key).ok == kind
end
local function checkpoint(id)
  return is(control, 'hash') and redis.call('hget', control, 'm:' .. id)
end
