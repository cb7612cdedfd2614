"""Programs over sandboxes: references, the local pool, the cache of verdicts."""
