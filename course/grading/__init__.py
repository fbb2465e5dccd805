"""Grade a class: read submissions, run them behind walls, judge evidence, keep the books."""
