"""Pictures of cards and games, as SVG; plots of statistics."""
