"""The archive over HTTP (docs/api.md).

`app` puts the application together, `front` is what every request passes first, `games`,
`imports`, `players`, `events`, `stats` and `system` answer, and `server` listens.
"""
