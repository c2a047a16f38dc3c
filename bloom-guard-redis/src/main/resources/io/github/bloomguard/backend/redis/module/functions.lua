-- Whether a filter is there and nothing was lost of it is known by its elements. One that has no room for another
-- element is deleted, so that it answers no lookup, because it would lack that element. So is what others have put in
-- its place. Before this stand "local commands = …", which is what the commands of the kind begin with, and put().
local function has(key, from, to)
  local reply = redis.pcall(commands .. '.mexists', key, unpack(ARGV, from, to))
  if reply.err and not string.find(reply.err, 'WRONGTYPE') then error(reply.err) end
  if reply.err then return false end
  for _, present in ipairs(reply) do
    if present ~= 1 then return false end
  end
  return true
end
local function take(key, from, to)
  if from > to or put(key, from, to) then return 1 end
  redis.call('unlink', key)
  return -1
end
local function after(at)
  return at + 1 + tonumber(ARGV[at])
end
local function write(key, at)
  local first, last = at + 2, at + 1 + ARGV[at + 1]
  if not has(key, first, last) then
    redis.call('unlink', key)
    return 0
  end
  return take(key, last + 1, after(at) - 1)
end
