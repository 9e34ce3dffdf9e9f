// The strip of a game: who leads each faction, who is ahead, and best play, card by card.

import { html } from "./lib.js";
import { winner } from "./replay.js";
import { Shape } from "./viewer-table.js";

const HIGH = 34;
const MIDDLE = 22;

/** A bar: upwards if side 1 wins, downwards if side 2 does; the higher, the clearer. */
function Bar({ value, left }) {
  const side = winner(value);
  if (side === null)
    return html`<rect class="unknown" x=${left + 0.3} y=${MIDDLE - 1} width="0.4" height="2" />`;
  const exact = value.length === 3;
  const high = side && exact ? 3 + 1.8 * Math.min(5, Math.abs(value[1] - value[2])) : 3;
  const top = side === 1 ? MIDDLE - high : side === 2 ? MIDDLE : MIDDLE - high / 2;
  return html`<rect class=${`${side ? `side-${side}` : "shared"} ${exact ? "" : "about"}`} x=${left + 0.12} y=${top} width="0.76" height=${high} />`;
}

/** Who was winning with best play after each card, and the marks of decisive cards. */
function Best({ replay, worth, until }) {
  const bars = [];
  const marks = [];
  for (let at = 1; at <= until; at++) {
    const { trick, played } = replay.frame(replay.views[0], at);
    const value = worth.value(trick, played);
    if (!played || trick > replay.tricks || trick < worth.data.from) continue;
    // Three players have no value in common.
    if (replay.data.seats !== 3) bars.push(html`<${Bar} value=${value} left=${at - 1} />`);
    const mark = worth.decision(trick, played)?.mark;
    if (mark)
      marks.push(
        html`<b class=${mark === "!" ? "good" : "bad"} style=${{ left: `${(100 * (at - 0.5)) / replay.last}%` }}>${mark}</b>`,
      );
  }
  return html`<div class="best">
    <svg viewBox=${`0 0 ${replay.last} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="middle" d=${`M0 ${MIDDLE}H${replay.last}`} />${bars}
    </svg>${marks}
  </div>`;
}

/** Each faction after each trick, and above it who was ahead, up to `until`. */
function Course({ replay, view, until }) {
  const cells = [];
  const changes = [];
  let leading = null;
  for (let trick = 1; trick <= replay.tricks; trick++) {
    const from = replay.place(trick, Infinity);
    if (from > until) break;
    const { race, leader } = replay.frame(view, from);
    const wide = (trick < replay.tricks ? replay.place(trick + 1, Infinity) : replay.last) - from;
    const cell = (row, side, sure) =>
      html`<rect class=${`side-${side} ${sure ? "sure" : ""}`} x=${from} y=${row + 0.08} width=${Math.max(wide, 0.5)} height="0.84" />`;
    if (leader) cells.push(cell(0, leader, true));
    if (leader && leader !== leading) {
      changes.push(html`<path class="change" d=${`M${from} 0V${race.length + 1}`} />`);
      leading = leader;
    }
    race.forEach(([, , , decided, ahead], row) => {
      if (decided || ahead) cells.push(cell(row + 1, decided || ahead, decided));
    });
  }
  return html`${cells}${changes}`;
}

/**
 * The whole game in one line, to click and drag: up to now, or to the end if `ended`; the values of
 * the analysis to the end if `valued`.
 */
export function Strip({ replay, view, worth, at, ended, valued, label, now, said, go }) {
  const { last, data } = replay;
  const rows = data.deck.length + 1;
  const half = data.plays.length > data.total / 2 && replay.place(data.total / 2 + 1);
  return html`<div class="strip" style=${{ "--rows": rows }} title=${said.text("viewer.strip")}>
    <span class="names" aria-hidden="true"><i>▲</i>${[...data.deck].map((letter) => html`<span class=${`of-${letter}`}><${Shape} path=${data.shapes[letter]} /></span>`)}</span>
    <div class="chart">
      <svg class="course" viewBox=${`0 0 ${last} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="ground" width=${last} height=${rows} />
        <${Course} replay=${replay} view=${view} until=${ended ? last : at} />
        ${half && html`<path class="half" d=${`M${half} 0V${rows}`} />`}
      </svg>
      ${worth?.valued && html`<${Best} replay=${replay} worth=${worth} until=${ended || valued ? last : at} />`}
      <span class="now" style=${{ left: `${(100 * at) / last}%` }}></span>
      <input type="range" min="0" max=${last} value=${at} aria-label=${label} aria-valuetext=${now} onInput=${(event) => go(Number(event.target.value))} />
    </div>
  </div>`;
}
