// Which trick decided a game, shown at the table when the game has been submitted.

import { html, useEffect, useState } from "./lib.js";
import { read } from "./server.js";
import { sideOf } from "./table.js";
import { say } from "./words.js";

/** Milliseconds; an analysis takes the server some seconds, or longer for a hard game. */
const PATIENCE = 120_000;

/** Whether two values are equal: the result, and the factions of both sides. */
function same(one, other) {
  return one.result === other.result && `${one.factions}` === `${other.factions}`;
}

/** The sentence about the report of an analysis; "" unless all values are known. */
export function decided(view, { from_trick: first, exact, hands, decisions }) {
  // If all hands are open, nobody at the table could have known it.
  if (!exact || hands) return "";
  const last = decisions.findLast((one) => one.mark === "??");
  if (!last) return say("decided-before", { trick: first });
  const { trick, seat, played: card, before, cards } = last;
  const best = cards.filter((one) => same(one, before)).map((one) => one.card);
  return say("decided", {
    trick,
    card,
    name: sideOf(view, seat),
    best: best.slice(0, 3).join(", "),
  });
}

/** The sentence, as soon as the server has it; nothing if there is none. */
export function Decided({ session, view }) {
  const [said, setSaid] = useState("");
  const { game } = session.info;
  useEffect(() => {
    if (!game) return undefined;
    const left = new AbortController();
    const timer = setTimeout(() => left.abort(), PATIENCE);
    read(`/v1/games/${game}/analysis`, { token: session.token, signal: left.signal })
      .then((report) => setSaid(decided(view, report)))
      .catch(() => {});
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [game]);
  return said && html`<p class="decided" role="status">${said}</p>`;
}
