"""Games over HTTP with Flask, gunicorn and SQLite: ``build DB NDJSON`` or ``serve DB PORT``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import sqlite_games as games
from flask import Flask, Response, abort, jsonify, request
from gunicorn.app.base import BaseApplication

app = Flask(__name__)


def _filter() -> dict[str, str]:
    return request.args.to_dict()


@app.get("/health")
def health() -> dict[str, str]:
    """Say that the server is running."""
    return {"status": "ok"}


@app.get("/v1/games/<id>")
def game(id: str) -> dict[str, Any]:
    """One game."""
    row = games.game(id)
    if row is None:
        abort(404)
    return row


@app.get("/v1/games")
def page() -> Response:
    """A page of games."""
    return jsonify(games.page(_filter(), int(request.args.get("limit", 50))))


@app.post("/v1/games")
def store() -> tuple[dict[str, str], int]:
    """Store a game."""
    return {"id": games.store(request.get_json())}, 201


@app.get("/v1/stats/results")
def by_seat() -> Response:
    """Results by seat."""
    return jsonify(games.by_seat(_filter()))


@app.get("/v1/stats/factions")
def by_faction() -> Response:
    """Factions."""
    return jsonify(games.by_faction(_filter()))


@app.get("/v1/events/<event>/standings")
def standings(event: str) -> Response:
    """Standings."""
    return jsonify(games.standings(event))


class Gunicorn(BaseApplication):
    """Gunicorn with one worker of four threads."""

    def load_config(self) -> None:
        """Set the options that differ from the defaults."""
        self.cfg.set("bind", f"127.0.0.1:{sys.argv[3]}")
        self.cfg.set("worker_class", "gthread")
        self.cfg.set("threads", 4)
        self.cfg.set("keepalive", 30)

    def load(self) -> Flask:
        """The application."""
        return app


if __name__ == "__main__":
    if sys.argv[1] == "build":
        print(json.dumps(games.build(Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        games.use(Path(sys.argv[2]))
        Gunicorn().run()
