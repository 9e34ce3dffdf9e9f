"""Options that several commands have: given to a command in the place of one parameter."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def taking(
    name: str, options: Mapping[str, tuple[Any, Any]], make: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Replace the parameter `name` of a command by options, and pass it what `make` makes of them.

    `options` are annotation and default by name.  A parameter of the command's own takes the
    place of an option of the same name.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_options(**given: Any) -> Any:
            wanted = {option: given.pop(option) for option in added}
            return command(**given, **{name: make(**wanted)})

        known = command.__globals__ | dict.fromkeys(("Filter", "Look"), object)
        signature = inspect.signature(command, globals=known, eval_str=True)
        own = [parameter for key, parameter in signature.parameters.items() if key != name]
        added = [option for option in options if option not in signature.parameters]
        parameters = own + [
            inspect.Parameter(
                option,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=options[option][0],
                default=options[option][1],
            )
            for option in added
        ]
        with_options.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
        )
        with_options.__annotations__ = {p.name: p.annotation for p in parameters}
        return with_options

    return decorate
