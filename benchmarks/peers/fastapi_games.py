"""Games over HTTP with FastAPI and SQLite: ``build DB NDJSON`` or ``serve DB PORT``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import sqlite_games as games
import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse

app = FastAPI()


def _filter(request: Request) -> dict[str, str]:
    return dict(request.query_params)


@app.get("/health")
def health() -> dict[str, str]:
    """Say that the server is running."""
    return {"status": "ok"}


@app.get("/v1/games/{id}")
async def game(id: str) -> JSONResponse:
    """One game, found so fast that a separate thread would only cost time."""
    row = games.game(id)
    if row is None:
        raise HTTPException(404)
    return JSONResponse(row)


@app.get("/v1/games")
def page(request: Request, limit: int = 50) -> list[dict[str, Any]]:
    """A page of games."""
    return games.page(_filter(request), limit)


@app.post("/v1/games", status_code=201)
def store(item: dict[str, Any]) -> dict[str, str]:
    """Store a game."""
    return {"id": games.store(item)}


@app.get("/v1/stats/results")
def by_seat(request: Request) -> list[dict[str, Any]]:
    """Results by seat."""
    return games.by_seat(_filter(request))


@app.get("/v1/stats/factions")
def by_faction(request: Request) -> list[dict[str, Any]]:
    """Factions."""
    return games.by_faction(_filter(request))


@app.get("/v1/events/{event}/standings")
def standings(event: str) -> list[dict[str, Any]]:
    """Standings."""
    return games.standings(event)


if __name__ == "__main__":
    if sys.argv[1] == "build":
        print(json.dumps(games.build(Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        games.use(Path(sys.argv[2]))
        uvicorn.run(app, port=int(sys.argv[3]), access_log=False, log_level="warning")
