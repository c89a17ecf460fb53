"""What is put into a prompt: counted in tokens, chosen, without repetition and within a budget."""
