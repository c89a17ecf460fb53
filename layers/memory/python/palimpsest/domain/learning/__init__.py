"""What a conversation teaches: facts that a speaker states, each with the words that state it."""
