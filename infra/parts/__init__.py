"""The capabilities that stacks are made of, one construct each."""
