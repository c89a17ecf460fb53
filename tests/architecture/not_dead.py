"""Names that vulture can't see in use: each is read by a framework or is somebody's way in."""
