"""Whether a save says nothing but what a recall has just handed out: words and their senses, in English and Polish."""
