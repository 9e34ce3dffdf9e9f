"""Import claimlog's modules from their .py files, ignoring the compiled ones beside them."""

import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class PureFinder:
    """A meta-path finder that sees only Python source, and only inside claimlog."""

    def __init__(self) -> None:
        self._finders: dict[str, FileFinder] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module that has a .py file, or None to leave it to other finders."""
        if not fullname.startswith("claimlog.") or path is None:
            return None
        for folder in path:
            finder = self._finders.get(folder)
            if finder is None:
                finder = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
                self._finders[folder] = finder
            spec = finder.find_spec(fullname, target)
            if spec is not None and spec.loader is not None:
                return spec
        return None

    def invalidate_caches(self) -> None:
        """Forget the cached folder listings; importlib.invalidate_caches() calls this."""
        self._finders.clear()


def install() -> None:
    """Put the finder first on the meta path, once."""
    if not any(isinstance(finder, PureFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, PureFinder())
