try('cf.reserve', key, '100', 'BUCKETSIZE', '3', 'EXPANSION', '0')
try('cf.insert', key, 'NOCREATE', 'ITEMS', 'm') try('cf.mexists', key, 'm') try('cf.count', key, 'm')
try('cf.info', key)
