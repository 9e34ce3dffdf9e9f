"""CLM, the notation of Claim games: reading and writing (docs/notation.md).

`sheet` splits the bytes of one game into tags and tokens, `tags` defines the tags and their values,
`tokens` the tokens, `problems` everything that can be wrong; `reader` streams games out of files,
`writer` writes them; `names` and `matching` compare the names of players.
"""
