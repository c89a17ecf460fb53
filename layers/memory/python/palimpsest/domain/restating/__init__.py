"""Whether one text says just what another one says, by rules alone: no model, no vectors, no clock."""
