"""Legal games played by policies, and the records of them.

>>> from random import Random
>>> from claimlog.rules.setup import Setup
>>> setup = Setup("GKUWX")
>>> state = simulate(setup, [POLICIES["greedy"](), POLICIES["random"]()], Random(7))
>>> state.to_act.kind.name
'OVER'
>>> text = next(simulate_records(1, deck="GKUWX", seed=7))
>>> text.splitlines()[0]
'[CLM "1"]'
"""

from claimlog.simulate.policies import (
    POLICIES,
    ExpertPolicy,
    GreedyPolicy,
    PerfectPolicy,
    Policy,
    RandomPolicy,
)
from claimlog.simulate.records import (
    clm_text,
    simulate,
    simulate_blocks,
    simulate_games,
    simulate_records,
)
from claimlog.simulate.view import PolicyView

__all__ = [
    "POLICIES",
    "ExpertPolicy",
    "GreedyPolicy",
    "PerfectPolicy",
    "Policy",
    "PolicyView",
    "RandomPolicy",
    "clm_text",
    "simulate",
    "simulate_blocks",
    "simulate_games",
    "simulate_records",
]
