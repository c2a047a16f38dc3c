redis.pcall('unlink', key)
return missing
