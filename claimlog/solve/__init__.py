"""The value of positions of Phase 2 (docs/analysis.md)."""
