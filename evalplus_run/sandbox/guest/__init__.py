"""What runs on the far side of the sandbox: nothing here imports the rest of the package."""
