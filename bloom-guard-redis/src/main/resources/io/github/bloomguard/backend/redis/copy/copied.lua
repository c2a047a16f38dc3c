local replicas = string.match(redis.call('info', 'replication'), 'connected_slaves:(%d+)')
local file = string.match(redis.call('info', 'persistence'), 'aof_enabled:(%d+)')
return (replicas ~= '0' or file ~= '0') and 1 or 0
