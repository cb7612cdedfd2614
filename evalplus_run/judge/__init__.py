"""Values against expected values: decoding, comparison, oracles, profiles."""
