local reply = redis.pcall(commands .. '.info', KEYS[1])
if reply.err then return { '0', '0' } end
local info = {}
for i = 1, #reply, 2 do info[reply[i].ok or reply[i]] = reply[i + 1] end
return { string.format('%.0f', info['Number of items inserted']), string.format('%.0f', info['Size']) }
