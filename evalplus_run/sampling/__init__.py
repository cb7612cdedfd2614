"""From tasks to completions: prompts, what is still missing, limits and retries."""
