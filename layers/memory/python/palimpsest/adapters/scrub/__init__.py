"""Libraries that know phone numbers and HTML."""
