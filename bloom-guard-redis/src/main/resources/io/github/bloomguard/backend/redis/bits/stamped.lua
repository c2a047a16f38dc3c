local function stamped(at)
  return redis.call('getrange', KEYS[1], at, at + 39) == server()
end
