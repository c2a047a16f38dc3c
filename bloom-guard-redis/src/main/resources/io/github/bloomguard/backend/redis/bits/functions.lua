-- Nothing is added to a string with another word, or to what is no string: it would lack what was in it before. It is
-- deleted, because it may be a filter of another kind or version of the guard, whose readers must not miss these
-- elements. The indexes are one argument, each after the number of its digits: Lua would take longer to receive as many
-- arguments, or to write numbers as text, than Redis takes to set the bits.
local function after(at)
  return at + 4
end
local function write(key, at)
  local word = redis.call('type', key).ok == 'string' and redis.call('getrange', key, ARGV[at], -1)
  if word ~= ARGV[at + 1] and word ~= ARGV[at + 2] then
    redis.call('unlink', key)
    return 0
  end
  local indexes, call, byte, sub, i = ARGV[at + 3], redis.call, string.byte, string.sub, 1
  while i <= #indexes do
    local last = i + byte(indexes, i)
    call('setbit', key, sub(indexes, i + 1, last), '1')
    i = last + 1
  end
  return 1
end
