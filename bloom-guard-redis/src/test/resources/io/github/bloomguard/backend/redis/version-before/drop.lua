if not is(control, 'hash') then return 0 end
local dropped = 0
for i = 1, #ARGV do
  if phase(ARGV[i]) == 'RETIRED' then
    dropped = dropped + redis.call('hdel', control, 'g:' .. ARGV[i], 'shapes:' .. ARGV[i], 'm:' .. ARGV[i],
      'removed:' .. ARGV[i], 'begun:' .. ARGV[i])
  end
end
if dropped > 0 then bump() end
return dropped
