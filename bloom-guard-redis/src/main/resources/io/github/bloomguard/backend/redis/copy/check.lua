return length == tonumber(ARGV[3]) and stamp() or 0
