-- Changes fields of the record if it is as it was read. The arguments are the token of the builder, or none; the stamp
-- of what was read; the generation whose build begins and its origin, or none; the number of fields that must have a
-- value, and of those to set; these fields, each with its value; and the fields to delete, each with the keys that have
-- been counted for it.
if ARGV[1] ~= '' and not building(ARGV[1]) then return { 'FENCED' } end
if stamp() ~= ARGV[2] then return { 'MOVED' } end
local set = 7 + 2 * ARGV[5]
local deleted = set + 2 * ARGV[6]
for i = 7, set - 2, 2 do
  if (redis.call('hget', control, ARGV[i]) or '') ~= ARGV[i + 1] then return { 'MOVED' } end
end
if ARGV[3] ~= '' then
  ensure(true)
  log('*', 'b', ARGV[3])
  use(ARGV[4], 60000)
end
if deleted > set and not is(control, 'hash') then
  ensure()
  log('*', 't', '')
end
for i = set, deleted - 2, 2 do redis.call('hset', control, ARGV[i], ARGV[i + 1]) end
for i = deleted, #ARGV do redis.call('hdel', control, ARGV[i], 'seen:' .. ARGV[i]) end
if #ARGV >= set then bump() end
return { 'MADE' }
