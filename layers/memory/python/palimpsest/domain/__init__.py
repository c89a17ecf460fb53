"""The nouns, laws and formulas of the memory: pure, without any vendor."""
