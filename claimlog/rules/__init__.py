"""The rules of Claim, over small integers, for any number of players and any deck.

`position` holds what lies on the table, `powers` what each faction does to it, `table`
plays trick after trick, `scoring` counts at the end, `setup` knows rule sets, rulings
and sides, and `state` is the game that people and programs play: who is to act, what
may be done, do it.
"""
