-- Notes the commands that the user may not run, with a dash before those that the server does not have.
local key, missing = KEYS[1], {}
local function try(name, ...)
  local reply = redis.pcall(string.match(name, '^[^|]+'), ...)
  if type(reply) ~= 'table' or not reply.err then return end
  if string.find(reply.err, 'permission') or string.find(reply.err, "can't run this command") then
    missing[#missing + 1] = name
  elseif string.find(reply.err, 'Unknown Redis command') then
    missing[#missing + 1] = '-' .. name
  end
end
