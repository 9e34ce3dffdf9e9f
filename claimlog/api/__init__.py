"""The archive over HTTP (docs/api.md).

`app` puts the application together: `layers` are what every request passes first, `games`,
`imports`, `players`, `events`, `stats` and `system` answer, and `server` listens.
"""
