"""CLM, the notation of Claim games: reading and writing (docs/notation.md).

`sheet` turns the bytes of one game into tags and tokens, `tags` knows the tags and what
their values look like, `problems` names everything that can be wrong, `record` is a game
as people handle it, `reader` streams games out of files and `writer` puts them on paper.
"""
