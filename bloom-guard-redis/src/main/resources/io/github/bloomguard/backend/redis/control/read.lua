return record(server(), {})
