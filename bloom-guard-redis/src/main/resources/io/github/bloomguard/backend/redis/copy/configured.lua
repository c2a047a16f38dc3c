-- The arguments begin with size, hash functions, length, and place of the stamp.
if KEYS[2] and (redis.call('hget', KEYS[2], 'size') ~= ARGV[1]
	or redis.call('hget', KEYS[2], 'hashIterations') ~= ARGV[2]) then return 0 end
local length = redis.call('strlen', KEYS[1])
local function stamp()
  if ARGV[4] ~= '-1' then redis.call('setrange', KEYS[1], ARGV[4], server()) end
  return 1
end
