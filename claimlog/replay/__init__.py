"""Replaying a record: whether it is legal, and if not, where and why.

`judge` plays a `Sheet` through and notes findings, `explain` puts them into words, `recorder` turns
a judged sheet into a `claimlog.game.Game`, `slip` looks for the one slip that explains all errors
of a game.
"""
