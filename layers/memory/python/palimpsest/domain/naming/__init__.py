"""What texts name, and what they state between the things that they name; pure."""
