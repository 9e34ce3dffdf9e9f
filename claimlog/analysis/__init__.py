"""What each decision of Phase 2 was worth (docs/analysis.md)."""
