if not word then return { 'gone', '', '' } end
return { word == ARGV[2] and 'sealed' or 'loading', stamped(ARGV[3]) and 'here' or 'elsewhere', server() }
