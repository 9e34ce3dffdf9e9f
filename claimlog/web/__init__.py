"""The page at the table: what a phone shows, and what it brings along.

`site` answers with the page and its files, which `assets` finds and packs.  `engine` is what
the page asks: it runs in the browser, with the standard library alone.  The data come from
the API; nothing here knows the archive.
"""
