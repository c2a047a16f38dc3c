-- Looks at the records of many filters, after run-id.lua. The key is a set of their names, which is made anew if it is
-- lost. The arguments are the prefix of all keys, whether records may be read together, the number of filters, and for
-- each of them its name, the stamp of its record, the origin whose use is to be noted or none, and the number of strings
-- with its bits, and these.
-- 
-- One command reads all records. A user who may not read all keys, or whose server refuses it, reads one at a time.
-- Returns the time, whether it was refused to read them together, and the names of the filters whose records are as they were, with all that belongs to them.
local prefix, mayJoin, count = ARGV[1], ARGV[2] == 'together', tonumber(ARGV[3])
local time = redis.call('time')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local here = server()
local filters, names, at = {}, {}, 4
local function key(filter, suffix)
  return prefix .. ':{' .. filter.name .. '}:' .. suffix
end
for i = 1, count do
  local filter = { name = ARGV[at], stamp = ARGV[at + 1], origin = ARGV[at + 2], keys = {} }
  filter.keys = { key(filter, 'journal'), key(filter, 'added') }
  for j = 1, ARGV[at + 3] do filter.keys[2 + j] = ARGV[at + 3 + j] end
  at = at + 4 + ARGV[at + 3]
  filters[i], names[i] = filter, filter.name
end
local function stamp(epoch, last, named, changes)
  return table.concat({ epoch or '', last or '', named or '', changes or '' }, '|')
end
local function together()
  local control = prefix .. ':{*}:control->'
  local read = redis.pcall('sort', KEYS[1], 'BY', 'nosort', 'GET', '#', 'GET', control .. 'epoch',
    'GET', control .. 'end', 'GET', control .. 'server', 'GET', control .. 'changes')
  if read.err or #read ~= 5 * count then return read end
  local stamps = {}
  for i = 1, #read, 5 do
    stamps[read[i]] = read[i + 3] == here and stamp(read[i + 1], read[i + 2], read[i + 3], read[i + 4])
  end
  return stamps
end
mayJoin = mayJoin and count > 1 and not string.find(prefix, '*', 1, true)
local stamps = mayJoin and together() or { err = 'not asked for' }
if stamps[1] or (not stamps.err and not next(stamps)) then
  redis.call('del', KEYS[1])
  redis.pcall('sadd', KEYS[1], unpack(names))
  redis.call('pexpire', KEYS[1], 604800000)
  stamps = together()
end
local refused = mayJoin and stamps.err and 1 or 0
if stamps.err or stamps[1] or not next(stamps) then
  stamps = {}
  for _, filter in ipairs(filters) do
    local read = redis.pcall('hmget', key(filter, 'control'), 'epoch', 'end', 'server', 'changes')
    stamps[filter.name] = not read.err and read[3] == here and stamp(read[1], read[2], read[3], read[4])
  end
end
local same, all = {}, {}
for _, filter in ipairs(filters) do
  if stamps[filter.name] == filter.stamp then
    same[#same + 1] = filter
    for _, name in ipairs(filter.keys) do all[#all + 1] = name end
  end
end
local function are_there(keys)
  for i = 1, #keys, 1000 do
    local last = math.min(i + 999, #keys)
    if redis.call('exists', unpack(keys, i, last)) < last - i + 1 then return false end
  end
  return true
end
local complete, result = are_there(all), { now, refused }
for _, filter in ipairs(same) do
  if complete or are_there(filter.keys) then
    if filter.origin ~= '' then redis.call('hset', key(filter, 'control'), 'used:' .. filter.origin, now) end
    result[#result + 1] = filter.name
  end
end
return result
