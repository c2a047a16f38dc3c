if stored() ~= ARGV[1] or server() ~= ARGV[2] then return 0 end
store(ARGV[2])
return 1
