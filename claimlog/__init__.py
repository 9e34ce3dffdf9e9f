"""Records of card games: the rules, a notation, replay, and a server for them.

Importing this package imports nothing else. With the environment variable CLAIMLOG_PURE set
(and not "0"), the modules run interpreted even where compiled ones lie beside them.
"""

import os

__version__ = "0.1.0"

__all__ = ["__version__", "compiled"]

if os.environ.get("CLAIMLOG_PURE", "0") not in ("", "0"):
    from claimlog import _pure

    _pure.install()


def compiled() -> bool:
    """Tell whether the compiled kernel runs, not the interpreted one."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from importlib.util import find_spec

    try:
        spec = find_spec("claimlog.rules.table")
    except ModuleNotFoundError:
        return False
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
