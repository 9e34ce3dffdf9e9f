"""The rules of Claim, over small integers, for any number of players and any deck.

`setup` knows rule sets, rulings and sides; `data` holds what lies on the table, `powers` what each
faction does to it, `table` plays trick after trick, and `scoring` counts at the end.  `machine` (on
top of `places` and `legal`) is the game for people and programs: who is to act, what is allowed,
and doing it.
"""
