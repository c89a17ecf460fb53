"""What the table's language allows and how big things are: the same for every adapter of the port."""
