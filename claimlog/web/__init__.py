"""The page at the table: what a phone shows, and everything the phone needs for it.

`site` serves the page and its files, which `assets` collects and packs.  `engine` is what the page
calls: it runs in the browser, with only the standard library.  The data come from the API; nothing
here knows the archive.
"""
