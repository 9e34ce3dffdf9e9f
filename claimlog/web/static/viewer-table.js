// The card table of a replay, with the seats around it.

import { html, useLayoutEffect, useRef } from "./lib.js";
import { factions, winner } from "./replay.js";

/** The shape of a faction. */
export function Shape({ path }) {
  return html`<svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
    <path fill-rule="evenodd" d=${path} />
  </svg>`;
}

/** Attributes of a card by which its moves are tracked (`Moves`). */
const way = (card, at) => ({ "data-card": card ?? "", "data-at": at });

/** A small card with its value, if that is shown; a button if it can be chosen. */
export function Small({
  card,
  said,
  shapes,
  at,
  classes = "",
  worth = null,
  seat = 0,
  onChoose = null,
}) {
  if (!card)
    return html`<span class="small back" role="img" aria-label=${said.card(null)} ...${way(card, at)}></span>`;
  const inside = html`<b>${card}</b><${Shape} path=${shapes[card[0]]} />${worth && html`<i class=${`value side-${winner(worth, seat)}`}>${factions(worth)}</i>`}`;
  const label = worth ? `${said.card(card)}, ${factions(worth)}` : said.card(card);
  const names = `small of-${card[0]} ${classes}`;
  if (onChoose) {
    return html`<button type="button" class=${names} onClick=${() => onChoose(card)} ...${way(card, at)}><span aria-hidden="true">${inside}</span><span class="sr">${label}</span></button>`;
  }
  return html`<span class=${names} role="img" aria-label=${label} ...${way(card, at)}>${inside}</span>`;
}

/** Small cards side by side; they overlap if there is not enough room. */
export function Row({ cards, said, shapes, label, at }) {
  return html`<span class="row" role="group" aria-label=${label} style=${{ "--n": cards.length }}>
    ${cards.map((card) => html`<${Small} card=${card} said=${said} shapes=${shapes} at=${at} />`)}
  </span>`;
}

/** A card on the table. */
function Face({ play, marks, said, shapes, won }) {
  const { card } = play;
  const known = card !== null;
  const classes = `face ${known ? `of-${card[0]}` : "back"} ${won ? "won" : ""}`;
  return html`<span class=${classes} role="img" aria-label=${`${said.name(play.seat)}: ${said.card(card)}${won ? `, ${said.text("wins")}` : ""}`} ...${way(card, `played${play.seat}`)}>
    ${
      known &&
      html`<span class="corner">${card}</span><${Shape} path=${shapes[card[0]]} /><b>${card.slice(1)}</b>`
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

/** What a player does in this trick, in a few words. */
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

/** The cards beside a seat's hand: followers, or Gnomes on display. */
function Beside({ name, cards, at, said, shapes }) {
  if (!cards.length) return null;
  return html`<span class="followers" style=${{ "--n": cards.length }}><small>${name}</small><${Row} cards=${cards} said=${said} shapes=${shapes} label=${name} at=${at} /></span>`;
}

function Seat({ seat, place, frame, values, said, data, choose }) {
  const { shapes, sides } = data;
  const acts = frame.act === seat;
  const won = frame.winner === seat;
  const legal = acts && frame.legal ? new Set(frame.legal) : null;
  const pile = frame[`pile${seat}`];
  const hand = frame[`hand${seat}`];
  return html`<section class=${`seat at-${place} ${acts ? "acts" : ""} ${won ? "won" : ""}`} aria-label=${said.name(seat)}>
    <h3>
      <span class=${`dot side-${sides[seat - 1]}`} aria-hidden="true">${seat}</span>
      <span class="name">${said.name(seat)}</span>
      ${frame.order[0] === seat && html`<span class="leads" title=${said.text("viewer.leads")} aria-hidden="true">▸</span>`}
      ${won && html`<strong class="star" aria-label=${said.text("wins")}>★</strong>`}
      <span class="doing">${doing(frame, seat, said)}</span>
      ${pile.length > 0 && html`<span class="pile" title=${said.text("piles")} data-at=${`pile${seat}`}><span class="sr">${said.text("piles")}: </span>${pile.length}</span>`}
    </h3>
    <div class="held">
      <span class="row hand" role="group" aria-label=${said.text("hands")} style=${{ "--n": hand.length }}>
        ${hand.map((card) => {
          const may = legal?.has(card);
          return html`<${Small} card=${card} said=${said} shapes=${shapes} at=${`hand${seat}`} classes=${legal ? (may ? "may" : "may-not") : ""} worth=${acts && values?.[card]} seat=${data.seats === 3 ? seat : 0} onChoose=${may && choose} />`;
        })}
      </span>
      <${Beside} name=${said.text("followers")} cards=${frame[`followers${seat}`]} at=${`followers${seat}`} said=${said} shapes=${shapes} />
      <${Beside} name=${said.about.factions.N} cards=${frame[`gnomes${seat}`]} at=${`gnomes${seat}`} said=${said} shapes=${shapes} />
    </div>
  </section>`;
}

function Middle({ frame, worth, seats, said, data }) {
  const { shapes } = data;
  const lying = frame.phase === 1;
  return html`<div class="middle">
    <div class="lying">
      ${lying && html`<small>${frame.up.length ? said.several("upcards", frame.up.length).replace(/\d+\s*/, "") : said.text("upcards-none")}</small><${Row} cards=${frame.up} said=${said} shapes=${shapes} label=${said.several("upcards", frame.up.length)} at="up" />`}
      ${lying && html`<small class="draw">${said.text("draw-pile", { number: frame.draw })}</small>`}
      ${frame.waiting.length > 0 && html`<small>${said.text("waiting")}</small><${Row} cards=${frame.waiting} said=${said} shapes=${shapes} label=${said.text("waiting")} at="waiting" />`}
      ${frame.auto && html`<small class="auto">${said.text("auto-trick")}</small>`}
    </div>
    <div class=${`played for-${seats.length}`}>
      ${seats.map(({ seat, place }) => {
        const i = frame.plays.findIndex((play) => play.seat === seat);
        const play = frame.plays[i];
        return html`<span class=${`spot at-${place} ${frame.act === seat ? "due" : ""}`} key=${`${frame.trick}-${seat}`}>
          ${play && html`<${Face} play=${play} marks=${worth ? worth.marks(frame.trick, i + 1, play.marks) : play.marks} said=${said} shapes=${shapes} won=${frame.winner === seat} />`}
        </span>`;
      })}
    </div>
  </div>`;
}

const PACE = 150;

/** Where every card lies, relative to the corner of the table. */
function lying(felt) {
  const { left, top } = felt.getBoundingClientRect();
  return [...felt.querySelectorAll("[data-card]")].map((element) => {
    const box = element.getBoundingClientRect();
    const { card, at } = element.dataset;
    return { element, card, at, left: box.left - left, top: box.top - top, width: box.width };
  });
}

/** Where each card was before: in the same place, in another one, face down in its hand. */
function origins(old, now) {
  const left = [...old];
  const shown = new Map();
  const pair = (same) => {
    for (const one of now) {
      if (shown.has(one)) continue;
      const i = left.findIndex((other) => same(one, other));
      if (i >= 0) shown.set(one, left.splice(i, 1)[0]);
    }
  };
  pair((one, other) => one.card === other.card && one.at === other.at);
  pair((one, other) => one.card && one.card === other.card);
  pair((one, other) => !other.card && one.at === other.at.replace("hand", "played"));
  return shown;
}

/** After each change the cards move to their places, unless the reader wants no motion. */
function useMoves(felt) {
  const before = useRef([]);
  const running = useRef([]);
  const size = useRef("");
  useLayoutEffect(() => {
    for (const one of running.current) one.cancel();
    running.current = [];
    const now = lying(felt.current);
    const { clientWidth, clientHeight } = felt.current;
    const same = size.current === `${clientWidth} ${clientHeight}`;
    size.current = `${clientWidth} ${clientHeight}`;
    if (same && !matchMedia("(prefers-reduced-motion: reduce)").matches)
      for (const [one, from] of origins(before.current, now)) {
        const [right, down] = [from.left - one.left, from.top - one.top];
        if (Math.abs(right) + Math.abs(down) < 2) continue;
        const start = `translate(${right}px, ${down}px) scale(${from.width / one.width})`;
        const keys = [
          { transform: start, transformOrigin: "0 0", zIndex: 3 },
          { transform: "none", transformOrigin: "0 0", zIndex: 3 },
        ];
        running.current.push(one.element.animate(keys, { duration: PACE, easing: "ease-out" }));
      }
    before.current = now;
  });
}

/** The table at one moment. */
export function CardTable({ frame, worth, values, seats, said, data, choose, next }) {
  const felt = useRef(null);
  useMoves(felt);
  return html`<div class=${`felt for-${seats.length}`} ref=${felt}>
    ${seats.map(
      (each) =>
        html`<${Seat} key=${each.seat} ...${each} frame=${frame} values=${values} said=${said} data=${data} choose=${choose} />`,
    )}
    <div class="centre" onClick=${next}><${Middle} frame=${frame} worth=${worth} seats=${seats} said=${said} data=${data} /></div>
  </div>`;
}
