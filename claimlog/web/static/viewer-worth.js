// The analysis beside the card table: who was winning, and which cards changed that.

import { html } from "./lib.js";
import { factions, winner } from "./replay.js";

/** Who wins with best play from here on. */
export function standing(value, said) {
  const side = winner(value);
  if (side === null) return said.text(value ? "worth.open" : "worth.unknown");
  if (!side) return said.text("worth.shared", { score: factions(value) });
  const score = side === 1 ? factions(value) : [...factions(value)].reverse().join("");
  const name = said.about.sides[side - 1];
  return value.length === 3
    ? said.text("worth.wins", { name, score })
    : said.text("worth.about", { name });
}

const COST = { "??": "worth.result", "?": "worth.faction", "!": "worth.only" };

/** Cards with the factions that they lead to. */
function Values({ cards, chosen = "" }) {
  return html`<p class="values">${Object.entries(cards).map(([name, value]) => html`<span class=${`of-${name[0]} ${name === chosen ? "chosen" : ""}`}><b>${name}</b> ${factions(value)}</span> `)}</p>`;
}

/** What the last card played cost, and which would have been better; "" if it has no mark. */
export function judged(worth, { trick, played }, said) {
  const mark = worth?.decision(trick, played)?.mark;
  if (!mark) return "";
  const cost = said.text(worth.secures && mark === "??" ? "worth.secured" : COST[mark]);
  const cards = mark !== "!" && worth.best(trick, played).join(", ");
  return cards ? `${cost} ${said.text("worth.better", { cards })}` : cost;
}

/** The value of the last card played, compared with the others. */
function Played({ worth, seats, frame, values, said }) {
  const decision = worth.decision(frame.trick, frame.played);
  if (!decision) return null;
  const { mark, card, cards } = decision;
  return html`
    ${mark && html`<p class=${mark === "!" ? "good" : "bad"}><b>${card} ${mark}</b> ${judged(worth, frame, said)}</p>`}
    ${values && cards && html`<${Values} cards=${cards} chosen=${card} />`}
    ${!decision.known && seats === 2 && html`<p class="dim">${said.text("worth.unknowable")}</p>`}`;
}

/** Lines of best play after each card, if no server can compute more. */
function Lines({ decision, said }) {
  if (!decision?.lines) return null;
  return html`<ul class="lines">
    ${Object.entries(decision.lines).map(([card, line]) => html`<li><b class=${`of-${card[0]}`}>${card}</b> ${factions(decision.cards[card])} <span class="dim">${line}</span></li>`)}
    <li class="dim">${said.text("try.file")}</li>
  </ul>`;
}

/** The reason why there are no values. */
function reason(worth, said) {
  if (worth === "busy") return said.text("worth.busy");
  if (worth === "failed") return said.text("worth.failed");
  const [code] = worth.data.problems.filter((one) => one.startsWith("analysis-"));
  if (worth.data.from === null) return said.text(code ? `worth.${code}` : "worth.errors");
  return worth.there ? "" : said.text("worth.view");
}

/** Who is winning, as far as known. */
function now(worth, { trick, played }, seats, said) {
  if (seats > 2 && trick < worth.data.from)
    return said.text("worth.from", { trick: worth.data.from });
  if (seats === 3) return said.text("worth.secured-hands");
  const text = standing(worth.value(trick, played), said);
  return seats === 2 ? text : `${text} ${said.text("worth.open-hands")}`;
}

/** The panel of an analysis: who is winning, what the last card cost. */
export function WorthPanel({ replay, worth, frame, values, lines, said, children }) {
  const why = reason(worth, said);
  if (why)
    return html`<section class="worth" aria-label=${said.text("worth.title")}><p class="dim">${why}</p></section>`;
  const { seats } = replay.data;
  return html`<section class="worth" aria-label=${said.text("worth.title")}>
    ${frame.trick <= replay.tricks && html`<p>${now(worth, frame, seats, said)}</p>`}
    <${Played} worth=${worth} seats=${seats} frame=${frame} values=${values} said=${said} />
    ${lines && html`<${Lines} decision=${worth.decision(frame.trick, frame.played + 1)} said=${said} />`}
    ${children}
  </section>`;
}

/** The panel of a trial: the cards so far, who wins with them, and how the game really ended. */
export function TrialPanel({ trial, game, values, said, children }) {
  const { ending } = game.data;
  const now = trial.index;
  const line = trial.line.map(
    (card, i) =>
      html`<span class=${`of-${card[0]} ${i < now ? "" : "dim"} ${i < trial.tried ? "tried" : ""}`}>${card} </span>`,
  );
  const text = trial.asked
    ? said.text("worth.busy")
    : trial.failed
      ? said.text("worth.failed")
      : standing(trial.value, said);
  return html`<section class="worth" aria-label=${said.text("viewer.try")}>
    <p><b>${said.text("try.title")}</b> ${trial.line.length ? line : "–"}</p>
    <p role="status">${text} ${ending.votes && html`<span class="dim">${said.text("try.game", { result: ending.result, votes: ending.votes.join("-") })}</span>`}</p>
    ${values && trial.cards && html`<${Values} cards=${trial.cards} />`}
    <p class="dim">${said.text("viewer.help-try")}</p>
    ${children}
  </section>`;
}
