"""Where tasks come from: the registry with its checksums, readers, embedded data, your own files."""
