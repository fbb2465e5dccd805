"""The static site: stored notebooks and docs as pages, made by Sphinx."""
