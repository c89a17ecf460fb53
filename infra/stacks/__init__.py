"""The stacks: what may never be lost, what can be made again, the search collection, and the optional front."""
