"""From lessons/ to notebooks."""
