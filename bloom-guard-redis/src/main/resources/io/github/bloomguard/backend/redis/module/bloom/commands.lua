try('bf.reserve', key, '0.1', '10', 'NONSCALING') try('bf.insert', key, 'NOCREATE', 'ITEMS', 'm')
try('bf.mexists', key, 'm') try('bf.info', key)
