"""The value of each decision of Phase 2 (docs/analysis.md)."""
