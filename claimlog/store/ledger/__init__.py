"""The ledger, on all backends: records, their chain, who is who."""
