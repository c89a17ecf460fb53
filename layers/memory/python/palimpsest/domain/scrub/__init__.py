"""What is taken out of a text before it is stored, and what is marked in it. Pure: libraries come in as functions."""
