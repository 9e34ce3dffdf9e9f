// Guessing the next card: the question, the outcome, what others played.

import { html, useEffect, useState } from "./lib.js";
import { othersIn } from "./viewer-more.js";

const RIGHT = 3;
const FACTION = 1;

/** Points of a guess: all for the card, one for its faction. */
function worthOf([card, played]) {
  if (card === played) return RIGHT;
  return card[0] === played[0] ? FACTION : 0;
}

/** The question, the outcome of the last guess, how many were right; at the end the points. */
export function Guessing({ replay, view, frame, at, asked, guesses, others, said, go }) {
  const [moves, setMoves] = useState({});
  const all = Object.values(guesses);
  const right = all.filter(([card, played]) => card === played).length;
  const guess = guesses[at - 1];
  const came = guess && (guess[0] === guess[1] ? "right" : "wrong");
  const before = guess && replay.frame(view, at - 1);
  useEffect(() => {
    if (!guess || !others || moves[at - 1] !== undefined) return;
    others(`${before.trick}.${before.played}`).then(
      (answer) =>
        answer && setMoves((old) => ({ ...old, [at - 1]: othersIn(answer, before.legal, said) })),
    );
  }, [at, Boolean(guess)]);
  let next = asked ? 0 : at + 1;
  while (next && next <= replay.last && (next in guesses || !replay.guessable(view, next))) next++;
  const there = next > 0 && next <= replay.last;
  const points = all.reduce((sum, one) => sum + worthOf(one), 0);
  return html`<div class=${`guessing ${came ?? ""}`} role="status">
    ${came && html`<span>${said.text(`guess.${came}`, { guessed: guess[0], played: guess[1] })}</span>`}
    ${guess && moves[at - 1] && html`<span class="dim">${moves[at - 1]}</span>`}
    ${asked ? html`<b>${said.text("viewer.ask", { name: said.name(frame.act) })}</b>` : !came && !(at === replay.last && all.length) && said.text("viewer.no-guess")}
    ${at === replay.last && all.length > 0 && html`<b>${said.text("viewer.points", { points, most: RIGHT * all.length })}</b>`}
    ${there && html`<button type="button" onClick=${() => go(next)}>${said.text("viewer.next-guess")}</button>`}
    <span class="score">${said.text("guess.score", { right, number: all.length })}</span>
  </div>`;
}
