// The card table of a replay: seats around it, cards as cards.

import { html } from "./lib.js";
import { factions, winner } from "./replay.js";

/** The shape of a faction. */
export function Shape({ path }) {
  return html`<svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
    <path fill-rule="evenodd" d=${path} />
  </svg>`;
}

/** A small card with what it is worth, if that is to be seen; one to choose is a button. */
export function Small({
  card,
  said,
  shapes,
  classes = "",
  worth = null,
  seat = 0,
  onChoose = null,
}) {
  if (!card) return html`<span class="small back" role="img" aria-label=${said.card(null)}></span>`;
  const inside = html`<${Shape} path=${shapes[card[0]]} /><b>${card}</b>${worth && html`<i class=${`value side-${winner(worth, seat)}`}>${factions(worth)}</i>`}`;
  const label = worth ? `${said.card(card)}, ${factions(worth)}` : said.card(card);
  const names = `small of-${card[0]} ${classes}`;
  if (onChoose) {
    return html`<button type="button" class=${names} onClick=${() => onChoose(card)}><span aria-hidden="true">${inside}</span><span class="sr">${label}</span></button>`;
  }
  return html`<span class=${names} role="img" aria-label=${label}>${inside}</span>`;
}

/** Small cards side by side. */
export function Row({ cards, said, shapes, label }) {
  return html`<span class="row" role="group" aria-label=${label}>
    ${cards.map((card) => html`<${Small} card=${card} said=${said} shapes=${shapes} />`)}
  </span>`;
}

/** A card as it lies on the table. */
function Face({ play, marks, said, shapes, won, fresh }) {
  const { card } = play;
  const known = card !== null;
  const classes = `face ${known ? `of-${card[0]}` : "back"} ${won ? "won" : ""} ${fresh ? "fresh" : ""}`;
  return html`<span class=${classes} role="img" aria-label=${`${said.name(play.seat)}: ${said.card(card)}${won ? `, ${said.text("wins")}` : ""}`}>
    ${
      known &&
      html`<span class="corner">${card[0]}</span><${Shape} path=${shapes[card[0]]} /><b>${card.slice(1)}</b>`
    }
    ${marks && html`<span class="marks">${marks}</span>`}
    ${won && html`<span class="star" aria-hidden="true">★</span>`}
  </span>`;
}

const AROUND = {
  1: ["bottom"],
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
};

/** Where each seat sits when `bottom` sits nearest. */
export function around(seats, bottom) {
  return Array.from({ length: seats }, (_, i) => ({
    seat: ((bottom - 1 + i) % seats) + 1,
    place: AROUND[seats][i],
  }));
}

/** What somebody does in this trick, in a few words. */
function doing(frame, seat, said) {
  const play = frame.plays.find((one) => one.seat === seat);
  if (!play) return frame.order[0] === seat && !frame.auto ? said.text("viewer.leads") : "";
  const parts = [said.text(`role.${play.role}`)];
  if (play.bonus) parts.push(said.text("counts", { value: play.value }));
  if (play.marks.includes("^")) parts.push(said.text("irregular"));
  if (play.rank && frame.order.length > 2 && seat !== frame.winner)
    parts.push(said.text("rank", { number: play.rank }));
  if (play.taken !== null) parts.push(said.sentences[play.taken]);
  return parts.join(" · ");
}

function Seat({ seat, place, frame, values, said, data, choose }) {
  const { shapes, sides } = data;
  const acts = frame.act === seat;
  const won = frame.winner === seat;
  const legal = acts && frame.legal ? new Set(frame.legal) : null;
  const pile = frame[`pile${seat}`];
  const gnomes = frame[`gnomes${seat}`];
  const followers = frame[`followers${seat}`];
  return html`<section class=${`seat at-${place} ${acts ? "acts" : ""} ${won ? "won" : ""}`} aria-label=${said.name(seat)}>
    <h3>
      <span class=${`dot side-${sides[seat - 1]}`} aria-hidden="true">${seat}</span>
      <span class="name">${said.name(seat)}</span>
      ${frame.order[0] === seat && html`<span class="leads" title=${said.text("viewer.leads")} aria-hidden="true">▸</span>`}
      ${won && html`<strong class="star" aria-label=${said.text("wins")}>★</strong>`}
      <span class="doing">${doing(frame, seat, said)}</span>
    </h3>
    <div class="held">
      <span class="row hand" role="group" aria-label=${said.text("hands")}>
        ${frame[`hand${seat}`].map((card) => {
          const may = legal?.has(card);
          return html`<${Small} card=${card} said=${said} shapes=${shapes} classes=${legal ? (may ? "may" : "may-not") : ""} worth=${acts && values?.[card]} seat=${data.seats === 3 ? seat : 0} onChoose=${may && choose} />`;
        })}
      </span>
      ${
        followers.length > 0 &&
        html`<span class="followers"><small>${said.text("followers")}</small><${Row} cards=${followers} said=${said} shapes=${shapes} label=${said.text("followers")} /></span>`
      }
      ${
        gnomes.length > 0 &&
        html`<span class="followers"><small>${said.about.factions.N}</small><${Row} cards=${gnomes} said=${said} shapes=${shapes} label=${said.about.factions.N} /></span>`
      }
      ${pile.length > 0 && html`<span class="pile" title=${said.text("piles")}><span class="small back" aria-hidden="true"></span><span class="sr">${said.text("piles")}: </span>${pile.length}</span>`}
    </div>
  </section>`;
}

function Middle({ frame, worth, seats, said, data }) {
  const { shapes } = data;
  const fresh = frame.plays.length - 1;
  const lying = frame.phase === 1;
  return html`<div class="middle">
    <div class="lying">
      ${lying && html`<small>${frame.up.length ? said.several("upcards", frame.up.length).replace(/\d+\s*/, "") : said.text("upcards-none")}</small><${Row} cards=${frame.up} said=${said} shapes=${shapes} label=${said.several("upcards", frame.up.length)} />`}
      ${lying && html`<small class="draw">${said.text("draw-pile", { number: frame.draw })}</small>`}
      ${frame.waiting.length > 0 && html`<small>${said.text("waiting")}</small><${Row} cards=${frame.waiting} said=${said} shapes=${shapes} label=${said.text("waiting")} />`}
      ${frame.auto && html`<small class="auto">${said.text("auto-trick")}</small>`}
    </div>
    <div class=${`played for-${seats.length}`}>
      ${seats.map(({ seat, place }) => {
        const i = frame.plays.findIndex((play) => play.seat === seat);
        const play = frame.plays[i];
        return html`<span class=${`spot at-${place} ${frame.act === seat ? "due" : ""}`} key=${`${frame.trick}-${seat}`}>
          ${play && html`<${Face} play=${play} marks=${worth ? worth.marks(frame.trick, i + 1, play.marks) : play.marks} said=${said} shapes=${shapes} won=${frame.winner === seat} fresh=${i === fresh} />`}
        </span>`;
      })}
    </div>
  </div>`;
}

/** The table at one moment. */
export function CardTable({ frame, worth, values, seats, said, data, choose, next }) {
  return html`<div class=${`felt for-${seats.length}`}>
    ${seats.map(
      (each) =>
        html`<${Seat} key=${each.seat} ...${each} frame=${frame} values=${values} said=${said} data=${data} choose=${choose} />`,
    )}
    <div class="centre" onClick=${next}><${Middle} frame=${frame} worth=${worth} seats=${seats} said=${said} data=${data} /></div>
  </div>`;
}
