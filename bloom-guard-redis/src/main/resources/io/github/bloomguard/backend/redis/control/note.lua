-- Notes the use of an origin, and what proves or refutes it. The last arguments are the interval at which use is
-- noted, the two retentions, the memory that what they keep may take, and what is told to readers.
if is(control, 'hash') then
  use(ARGV[1], ARGV[#ARGV - 4])
  if ARGV[2] ~= '' then prove(ARGV[1], ARGV[2]) end
  local terms = 'terms:' .. ARGV[1]
  if redis.call('hget', control, terms) ~= ARGV[#ARGV] then redis.call('hset', control, terms, ARGV[#ARGV]) end
  forget_keys(trim(ARGV[#ARGV - 2], ARGV[#ARGV - 3], ARGV[#ARGV - 1]))
end
