-- Does the work of RBloomFilter.tryInit, which would choose the size itself.
if redis.call('exists', KEYS[2]) == 1 then return 0 end
redis.call('hset', KEYS[2], 'size', ARGV[1], 'hashIterations', ARGV[2],
	'expectedInsertions', ARGV[3], 'falseProbability', ARGV[4])
return 1
