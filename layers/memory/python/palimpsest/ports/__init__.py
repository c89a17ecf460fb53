"""What the core needs from the outside, as protocols."""
