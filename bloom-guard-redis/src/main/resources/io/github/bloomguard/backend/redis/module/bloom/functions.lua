-- A full filter replies with an error for an element, and does not try those after it. An element that is there
-- already is not counted.
local function put(key, from, to)
  local reply = redis.call('bf.insert', key, 'NOCREATE', 'ITEMS', unpack(ARGV, from, to))
  return type(reply[#reply]) ~= 'table'
end
