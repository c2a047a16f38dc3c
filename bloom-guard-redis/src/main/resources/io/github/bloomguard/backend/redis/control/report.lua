-- Notes rows that a reader has found whose keys were called absent, for all origins of the application that it asks,
-- which is the first argument. The second is the evidence.
if ARGV[2] ~= '' and is(control, 'hash') then
  for _, origin in ipairs(suffixes('used:')) do
    if string.match(origin, '^[^-.]*%-([^-.]*)%.') == ARGV[1] then prove(origin, ARGV[2]) end
  end
end
