// The list of tricks, where each can be changed: the effect is shown before it is accepted.

import { html, useState } from "./lib.js";
import { shortName } from "./table.js";
import { Sheet, Small } from "./ui.js";
import { count, looking, say } from "./words.js";

/** No changes yet. */
export const UNCHANGED = { edits: [], seen: null, wrong: "" };

/** The tricks to show: as changed, or as they are, including the one being played. */
function rows(view, { seen }) {
  if (seen) return seen.tricks;
  const { upcards, plays } = view.table;
  const running = upcards.length + plays.length > 0;
  const played = view.played ?? [];
  return running && !played.some((one) => one.number === view.trick)
    ? [...played, { number: view.trick, upcards, plays, winner: null }]
    : played;
}

/** The effect of the changes, to be accepted or not. */
function Changes({ draft, take, see }) {
  const { edits, seen } = draft;
  const changed = seen ? seen.tricks.filter((one) => one.changed).length : 0;
  return html`<div class="changes" role="status">
    ${seen?.deleted.length > 0 && html`<p><b>${say("revise.deleted", { tricks: seen.deleted.join(", ") })}</b></p>`}
    ${seen ? html`<p><b>${count("revise.changed", changed)}</b></p>` : html`<p>${say("revise.unseen")}</p>`}
    ${seen?.marked > 0 && html`<p class="note">${count("revise.marked", seen.marked)}</p>`}
    ${seen?.doubts.length > 0 && html`<ul class="why note">${seen.doubts.map((one) => html`<li>${one.sentence}</li>`)}</ul>`}
    ${
      seen?.stopped &&
      html`<p class="note">${say("revise.stops", { trick: seen.stopped })} <b>${seen.rest.join(" ")}</b></p>`
    }
    <div class="choices">
      <button type="button" class="main" id="take" onClick=${take}>${say(seen?.stopped ? "revise.cut" : "revise.take")}</button>
      <button type="button" onClick=${() => see(edits.slice(0, -1))}>${say("revise.back")}</button>
      <button type="button" onClick=${() => see([])}>${say("revise.leave")}</button>
    </div>
  </div>`;
}

/** The corrections of one card: it was another card, or another player's. */
function OfCard({ view, trick, card, place, add, other }) {
  const { number, plays } = trick;
  const others = plays.map((play, at) => [play, at + 1]).filter(([, at]) => place && at !== place);
  return html`<div class="choices">
    <button type="button" onClick=${() => other({ trick: number, was: card, place })}>
      ${say("was-another", { card, trick: number })}
    </button>
    ${others.map(
      ([play, at]) =>
        html`<button type="button" onClick=${() => add({ do: "swap", trick: number, place, other: at })}>
          ${say("revise.swap", { card, name: shortName(view, play.seat), other: play.card ?? "_" })}
        </button>`,
    )}
  </div>`;
}

/** The corrections of who took which card in a trick. */
function Taken({ view, trick, add }) {
  const { number, auto, upcards, plays, winner, taken = {} } = trick;
  const [card, second] = upcards;
  const taker = (one) => Object.keys(taken).find((seat) => taken[seat] === one);
  const [first, other] = [taker(card), taker(second)];
  const won = plays.find((play) => play.seat === winner)?.card;
  const may = trick.phase === 1 && !auto && won && looking.includes(won[0]);
  const left = may && upcards.includes(taken[winner]);
  const named = (seat) => shortName(view, Number(seat));
  return html`
    ${
      first &&
      other &&
      card !== second &&
      html`<button type="button" id="other-pick" onClick=${() => add({ do: "pick", trick: number })}>
        ${say("revise.pick", { name: named(first), card: second, other: named(other), second: card })}
      </button>`
    }
    ${
      may &&
      html`<button type="button" id="other-look" onClick=${() => add({ do: "look", trick: number })}>
        ${say(left ? "revise.looked" : "revise.left", { name: named(winner) })}
      </button>`
    }`;
}

/** The corrections of a whole trick. */
function OfTrick({ view, trick, add, insert }) {
  const { number, plays } = trick;
  const whole = plays.length === view.players.length;
  return html`<div class="choices">
    ${
      number === 1
        ? view.players.map(
            (name, place) =>
              plays[0]?.seat !== place + 1 &&
              html`<button type="button" onClick=${() => add({ do: "leader", seat: place + 1 })}>
                ${say("revise.leader", { name })}
              </button>`,
          )
        : whole &&
          html`<button type="button" onClick=${() => add({ do: "turn", trick: number })}>${say("revise.turn")}</button>`
    }
    <${Taken} view=${view} trick=${trick} add=${add} />
    <button type="button" onClick=${() => insert(trick)}>${say("revise.insert")}</button>
    <button type="button" onClick=${() => add({ do: "delete", trick: number })}>${say("revise.delete", { trick: number })}</button>
  </div>`;
}

/**
 * The tricks so far, the last first.  `draft` are changes not accepted yet; `see` shows the effect
 * of other edits, `other` and `insert` ask for cards on the deck.  Nothing can be changed if `closed`.
 */
export function Tricks({ view, draft, closed, close, see, take, other, insert }) {
  const [open, setOpen] = useState({ number: 0, place: 0, card: "" });
  const { edits, wrong } = draft;
  const tricks = [...rows(view, draft)].reverse();
  const add = (edit) => {
    setOpen({ number: 0, place: 0, card: "" });
    see([...edits, edit]);
  };
  const shown = (number, place, card) =>
    setOpen((was) =>
      was.number === number && was.place === place && was.card === card
        ? { number: 0, place: 0, card: "" }
        : { number, place, card },
    );
  const card = (number, one, place, more) =>
    html`<${Small} card=${one} ...${more} onTap=${one && one !== "_" && !closed ? () => shown(number, place, one) : null} />`;
  return html`<${Sheet} title=${say("tricks")} close=${close}>
    ${edits.length > 0 && html`<${Changes} draft=${draft} take=${take} see=${see} />`}
    ${wrong && html`<p class="note" role="alert">${wrong}</p>`}
    ${!edits.length && view.last && html`<ul class="why">${view.last.why.map((text) => html`<li>${text}</li>`)}</ul>`}
    ${!tricks.length && html`<p>${say("tricks-none")}</p>`}
    <ol class="played">
      ${tricks.map((trick) => {
        const { number, upcards, plays, winner, changed } = trick;
        return html`<li key=${number} class=${changed ? "changed" : ""}>
          ${
            closed
              ? html`<span class="number">${number}</span>`
              : html`<button type="button" class="number" aria-label=${say("revise.trick", { trick: number })} onClick=${() => shown(number, 0, "")}>
                  ${number}<span aria-hidden="true">✎</span>
                </button>`
          }
          <div class="line">
            ${upcards.map((one) => card(number, one, 0, { upcard: true }))}
            ${plays.map((play, at) =>
              card(number, play.card, at + 1, {
                name: shortName(view, play.seat),
                winner: winner === play.seat,
                irregular: play.irregular,
              }),
            )}
          </div>
          ${
            open.number === number &&
            !closed &&
            (open.card
              ? html`<${OfCard} view=${view} trick=${trick} card=${open.card} place=${open.place} add=${add} other=${other} />`
              : html`<${OfTrick} view=${view} trick=${trick} add=${add} insert=${insert} />`)
          }
        </li>`;
      })}
    </ol>
  <//>`;
}

/** Plays that are left to the director, and the entry that waits; decided here unless `closed`. */
export function Asked({ view, closed, close, settle, decide }) {
  const { asked = [], doubt } = view;
  return html`<${Sheet} title=${say("director")} close=${close}>
    ${!asked.length && !doubt?.later && html`<p>${say("director.none")}</p>`}
    ${
      doubt?.later &&
      html`<p><b>${doubt.word}</b> ${doubt.sentence}</p>
        ${!closed && html`<div class="choices"><button type="button" class="main" onClick=${decide}>${say("director.decide")}</button></div>`}`
    }
    ${asked.map(
      (one) =>
        html`<p>${say("director.play", { trick: one.trick, card: one.card, name: view.players[one.seat - 1] })}</p>
          ${!closed && html`<div class="choices"><button type="button" onClick=${() => settle(one)}>${say("director.stands")}</button></div>`}`,
    )}
  <//>`;
}
