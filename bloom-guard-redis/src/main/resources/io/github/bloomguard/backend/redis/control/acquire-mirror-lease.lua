if not has_journal() or tonumber(redis.call('hget', control, 'since') or 0) > now then return {} end
redis.call('hset', control, 'holder:' .. ARGV[1], ARGV[2] .. '|' .. last())
changed()
return { last(), redis.call('hget', control, 'since') or '0', integer(now) }
