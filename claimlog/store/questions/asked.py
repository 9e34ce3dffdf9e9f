"""All questions that an archive answers, locally or behind a server."""

from __future__ import annotations

from typing import Any, Final

from claimlog.store.questions import (
    best_play,
    cards,
    explorer,
    leads,
    people,
    puzzles,
    rated,
    results,
    tournaments,
)
from claimlog.store.questions.question import Question


class Asked:
    """The common base of `Archive` and `Client`, with the questions as methods."""

    faction_stats = cards.faction_stats
    upcard_stats = cards.upcard_stats
    card_stats = cards.card_stats
    result_stats = results.result_stats
    lead_stats = leads.lead_stats
    lead_lengths = leads.lead_lengths
    time_stats = results.time_stats
    given_away = best_play.given_away
    best_play_stats = best_play.best_play_stats
    follower_stats = best_play.follower_stats
    luck_stats = best_play.luck_stats
    ratings = rated.ratings
    explore = explorer.explore
    daily_puzzle = puzzles.daily_puzzle
    puzzle = puzzles.puzzle
    puzzles = puzzles.puzzles
    players = people.players
    player = people.player
    head_to_head = people.head_to_head
    streaks = people.streaks
    performance = people.performance
    rating_history = rated.rating_history
    merges = people.merges
    events = tournaments.events
    event = tournaments.event
    rounds = tournaments.rounds
    standings = tournaments.standings
    team_standings = tournaments.team_standings
    ranks = tournaments.ranks
    crosstable = tournaments.crosstable
    team_crosstable = tournaments.team_crosstable
    places = tournaments.places
    place_reasons = tournaments.place_reasons
    event_names = tournaments.event_names
    event_merges = tournaments.event_merges


QUESTIONS: Final[list[Question[..., Any]]] = [
    one for one in vars(Asked).values() if isinstance(one, Question)
]
"""All questions, in this order."""
