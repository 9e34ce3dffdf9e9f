"""Replaying a record: is it legal, and if not, where and why.

`judge` plays a `Sheet` through and notes findings, `explain` puts them into words,
`game` turns a judged sheet into a `Replay` for people and programs, `suggest` looks for
the one card that would make a game legal.
"""
