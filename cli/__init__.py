"""The command line of claimlog; installed as claimlog.cli."""
