-- Notes the use of an origin, and what proves or refutes it. The last arguments are the interval at which use is
-- noted, the two retentions, and the memory that what they keep may take.
if is(control, 'hash') then
  use(ARGV[1], ARGV[#ARGV - 3])
  if ARGV[2] ~= '' then prove(ARGV[1], ARGV[2]) end
  forget_keys(trim(ARGV[#ARGV - 1], ARGV[#ARGV - 2], ARGV[#ARGV]))
end
