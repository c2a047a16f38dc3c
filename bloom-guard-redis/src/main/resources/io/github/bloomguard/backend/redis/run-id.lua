-- The run_id of the server, which is another one after a restart.
local function server()
  local id = string.match(redis.call('info', 'server'), 'run_id:(%w+)')
  return id or error('it is not known which server answers, because INFO gives no run_id')
end
