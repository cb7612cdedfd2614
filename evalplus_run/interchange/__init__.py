"""What other tools wrote, read as samples or as verdicts: one file for each form, recognised by its content."""
