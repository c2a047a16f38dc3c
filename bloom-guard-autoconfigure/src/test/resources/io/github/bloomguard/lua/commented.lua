-- what it does
local one = 1

  -- and why
  return one
