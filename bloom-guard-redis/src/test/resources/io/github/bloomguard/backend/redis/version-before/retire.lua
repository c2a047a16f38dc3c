-- The holder of the lease is the only builder, so what is half built is abandoned. The second argument is how long an
-- origin is kept that is not used; those that follow are kept noted for longer.
if not building(ARGV[1]) or not is(control, 'hash') then return {} end
local function unused(origin)
  local used = tonumber(redis.call('hget', control, 'used:' .. origin) or 0)
  return now - used > tonumber(ARGV[2])
end
if retire(function(id, phase) return phase ~= 'ACTIVE' or unused(origin(id)) end) then bump() end
local noted = {}
for i = 3, #ARGV do noted[ARGV[i]] = true end
for _, origin in ipairs(suffixes('used:')) do
  if unused(origin) and not noted[origin] then
    redis.call('hdel', control, 'used:' .. origin, 'returned:' .. origin, 'arrived:' .. origin)
    forget(origin)
  end
end
return record('', {})
