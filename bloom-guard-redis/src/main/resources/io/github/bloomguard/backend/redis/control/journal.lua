if not is(journal, 'stream') then return { '', '0', '0' } end
local keys, removed, upto = entries(ARGV[1], ARGV[2], ARGV[3])
local result = { upto, integer(#keys), integer(#removed) }
append(result, keys)
append(result, removed)
return result
