return { stored(), redis.call('info', 'server') .. redis.call('info', 'replication') }
