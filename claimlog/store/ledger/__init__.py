"""The ledger, as all backends have it: records, their chain, who is who."""
