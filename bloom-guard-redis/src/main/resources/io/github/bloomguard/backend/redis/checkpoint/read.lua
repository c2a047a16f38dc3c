return checkpoint(ARGV[1])
