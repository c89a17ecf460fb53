"""The AWS deployment: one CDK app that reads functions/*/function.toml. It imports nothing of the package."""
