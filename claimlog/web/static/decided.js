// Which trick decided a game: said at the table when it has been handed in.

import { html, useEffect, useState } from "./lib.js";
import { ask } from "./server.js";
import { sideOf } from "./table.js";
import { say } from "./words.js";

/** A game takes a server some seconds, a hard one more. */
const PATIENCE = 120_000;

/** Whether two values are the same: the result, and the factions of both sides. */
function same(one, other) {
  return one.result === other.result && `${one.factions}` === `${other.factions}`;
}

/** The sentence about a report of an analysis; none where it does not know all values. */
export function decided(view, { from_trick: first, exact, hands, decisions }) {
  // With all hands open nobody at the table could know it.
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

/** That sentence, as soon as the server has it; nothing where it has none. */
export function Decided({ session, view }) {
  const [said, setSaid] = useState("");
  const { game } = session.info;
  useEffect(() => {
    if (!game) return undefined;
    const left = new AbortController();
    const timer = setTimeout(() => left.abort(), PATIENCE);
    ask("GET", `/v1/games/${game}/analysis`, { token: session.token, signal: left.signal })
      .then((report) => setSaid(decided(view, report)))
      .catch(() => {});
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [game]);
  return said && html`<p class="decided" role="status">${said}</p>`;
}
