"""What sources name and state: entities, mentions and relations; pure."""
