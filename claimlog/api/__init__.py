"""The archive over HTTP (docs/api.md).

`app` puts the application together: every request passes the `layers` first, `handlers` and `pages`
answer it, and `server` listens.
"""
