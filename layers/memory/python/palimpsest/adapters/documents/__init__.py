"""Documents of many formats, read as blocks."""
