-- It counts each element that is added, also one that is there, and has room for a few of the same only. So an element
-- is added as long as it has one fingerprint: that may be the one of another element, and each is to have its own; a
-- third would only be that of an element that was added again.
local function put(key, from, to)
  local there, new = redis.call('cf.mexists', key, unpack(ARGV, from, to)), {}
  for i, present in ipairs(there) do
    local element = ARGV[from + i - 1]
    if present == 0 or redis.call('cf.count', key, element) < 2 then new[#new + 1] = element end
  end
  if #new == 0 then return true end
  for _, taken in ipairs(redis.call('cf.insert', key, 'NOCREATE', 'ITEMS', unpack(new))) do
    if taken ~= 1 then return false end
  end
  return true
end
