"""From what a reader finds in a file to sections, from a conversation to fragments. Pure: libraries stay outside."""
