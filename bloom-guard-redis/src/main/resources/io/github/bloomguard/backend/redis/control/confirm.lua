if is(control, 'hash') then redis.call('hset', control, 'confirmed', integer(now)) end
return record(server(), {})
