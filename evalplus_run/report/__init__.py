"""Terminal, HTML, JSON, EvalPlus's format."""
