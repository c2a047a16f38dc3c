return write(KEYS[1], 1)
