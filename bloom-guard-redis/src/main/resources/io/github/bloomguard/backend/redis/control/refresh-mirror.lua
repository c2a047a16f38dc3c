-- Up to where a holder has read the journal is noted, so that it is not struck off for what it has read meanwhile.
-- Returns whether it is one, whether the journal goes on, the id of the last entry that is returned, the numbers of
-- keys added and removed, those keys, without those of which it is the author, and the record.
local result = { '0', '0', '', '0', '0' }
local holder, read = incarnation(ARGV[3])
if holder == ARGV[4] and has_journal() then
  if read ~= last() then redis.call('hset', control, 'holder:' .. ARGV[3], ARGV[4] .. '|' .. last()) end
  local keys, removed, upto, more = entries(ARGV[5], ARGV[6], ARGV[4])
  result = { '1', more, upto, integer(#keys), integer(#removed) }
  append(result, keys)
  append(result, removed)
end
for _, value in ipairs(record(server(), {})) do result[#result + 1] = value end
return result
