"""What goes over the wire: request, answer and item as three kinds of frozen models that refuse unknown fields."""
