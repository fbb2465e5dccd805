"""Right answers, one file per exercise; only what judges needs them."""
