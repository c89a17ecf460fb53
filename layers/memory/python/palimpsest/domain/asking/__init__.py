"""What a query asks for, read from its words alone: its class, its dates, the names it may hold, its synonyms."""
