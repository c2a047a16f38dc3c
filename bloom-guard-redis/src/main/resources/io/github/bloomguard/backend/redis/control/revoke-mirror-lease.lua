local function before(one, other)
  local millis, number = string.match(one, '(%d+)-(%d+)')
  local than, then_number = string.match(other, '(%d+)-(%d+)')
  if millis ~= than then return tonumber(millis) < tonumber(than) end
  return tonumber(number) < tonumber(then_number)
end
local holder, read = incarnation(ARGV[1])
if holder ~= ARGV[2] or not before(read, ARGV[3]) then return 0 end
changed()
return redis.call('hdel', control, 'holder:' .. ARGV[1])
