// The cards on the table, and the deck: shown to scorers and spectators.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { laidOut } from "./pages.js";
import { readable } from "./results.js";
import { Shape } from "./shapes.js";
import { Card, Key, Place } from "./ui.js";
import { factions, isolated, say } from "./words.js";

/** Milliseconds in which a lifted finger becomes a click. */
const CLICK = 300;

/** The name of a seat's player. */
function nameOf(view, seat) {
  return isolated(view.players[seat - 1] ?? String(seat));
}

/** The first name of a seat's player, if nobody else at the table has it; else the full name. */
export function shortName(view, seat) {
  const first = view.players.map((name) => name.split(" ")[0]);
  const mine = first[seat - 1];
  return first.filter((name) => name === mine).length > 1 ? nameOf(view, seat) : isolated(mine);
}

/** The names of a side. */
export function sideOf(view, side) {
  return view.seats
    .filter((one) => one.side === side)
    .map((one) => nameOf(view, one.seat))
    .join(" & ");
}

/** What is due, in a sentence. */
export function dueOf(view) {
  const { kind, seat } = view.due;
  const plays = view.table.plays.length;
  const name = kind === "loot" ? sideOf(view, seat) : nameOf(view, seat);
  if (kind === "play") return say(plays ? "due.play" : "due.lead", { name });
  // A draw, or a Seer's choice, may be skipped: then this is next.
  if (kind === "draw") {
    if (view.phase === 2) return say("due.lead", { name: nameOf(view, view.leader) });
    return say("due.turn-up");
  }
  return say(`due.${kind}`, { name });
}

/** Who won and why: in whole lines, with a sign if there are more of them. */
function Why({ sentences }) {
  const list = useRef(null);
  const [further, setFurther] = useState(false);
  const look = () => {
    if (!list.current) return; // it was removed
    const { scrollHeight, scrollTop, clientHeight } = list.current;
    setFurther(scrollHeight - scrollTop > clientHeight + 4);
  };
  useEffect(() => {
    list.current.scrollTop = 0;
    look();
    const measured = new ResizeObserver(look);
    measured.observe(list.current);
    return () => measured.disconnect();
  }, [sentences.join("\n")]);
  return html`<div class="after">
    <ul class="why" ref=${list} onScroll=${look} tabindex=${further ? 0 : null}>${sentences.map((text) => html`<li>${text}</li>`)}</ul>
    ${further && html`<span class="further" aria-hidden="true">▾</span>`}
  </div>`;
}

/** The trick being played, or the one just won, or an `earlier` one. */
export function Trick({ view, onCard, earlier = null }) {
  const { upcards, plays } = view.table;
  const open = plays.length || (view.last === null && upcards.length) || upcards.length;
  const running = !earlier && open && view.due.kind !== "over" && !closing(view);
  const trick = earlier ?? (running ? null : view.last);
  const number = trick ? trick.number : view.trick;
  const title = say("trick", { number, total: view.tricks });
  const shown = trick ?? { upcards, plays, winner: null, auto: view.auto };
  const tapped = (card) => (onCard && card && card !== "_" ? () => onCard(card, number) : null);
  const late = (view.order ?? []).slice(shown.plays.length);
  return html`<div class="trick">
    <h2>
      ${title} <span class="phase">${say(`phase-${(trick ?? view).phase ?? 1}`)}</span>
      ${shown.auto && html` <span class="phase">${say("auto")}</span>`}
    </h2>
    <div class="cards">
      ${shown.upcards.map(
        (card, place) =>
          html`<${Card} key=${`u${place}${card}`} card=${card} label=${say("upcard")} onTap=${tapped(card)} />`,
      )}
      ${shown.upcards.length > 0 && html`<span class="gap"></span>`}
      ${shown.plays.map(
        (play) =>
          html`<${Card}
            key=${`p${play.seat}`}
            card=${play.card ?? "_"}
            label=${shortName(view, play.seat)}
            winner=${shown.winner === play.seat}
            irregular=${play.irregular}
            onTap=${tapped(play.card)}
          />`,
      )}
      ${
        !trick &&
        late.map(
          (seat) =>
            html`<${Place}
              key=${`e${seat}`}
              label=${shortName(view, seat)}
              due=${view.due.seat === seat && view.due.kind !== "look"}
            />`,
        )
      }
      ${
        view.table.trolls.length > 0 &&
        html`<span class="gap"></span>${view.table.trolls.map(
          (card, place) => html`<${Card} key=${`t${place}`} card=${card} label=${say("waits")} />`,
        )}`
      }
    </div>
    <${Why} sentences=${trick?.why ?? []} />
  </div>`;
}

/** Whether the cards of the last trick are still being distributed: a look, pick or draw is due. */
function closing(view) {
  return ["look", "pick", "draw"].includes(view.due.kind);
}

/** How many of each card are left, without those tapped since. */
function left(view, tapped) {
  const counted = {};
  for (const cards of Object.values(view.unseen)) {
    for (const card of cards) counted[card] = (counted[card] ?? 0) + 1;
  }
  for (const { word } of tapped) {
    const card = /[A-Z]\d+/.exec(word ?? "")?.[0];
    if (counted[card]) counted[card] -= 1;
  }
  return counted;
}

/** The size of an element and of its letters; null until it is on the screen. */
function useRoom(element) {
  const [room, setRoom] = useState(null);
  useLayoutEffect(() => {
    const look = () => {
      const { clientWidth: width, clientHeight: height } = element.current;
      const letters = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const style = getComputedStyle(element.current);
      const padding = (...sides) =>
        sides.reduce((sum, side) => sum + Number.parseFloat(style[`padding${side}`]), 0);
      const now = {
        width: width - padding("Left", "Right"),
        height: height - padding("Top", "Bottom"),
        letters,
      };
      setRoom((was) => (JSON.stringify(was) === JSON.stringify(now) ? was : now));
    };
    look();
    const measured = new ResizeObserver(look);
    measured.observe(element.current);
    return () => measured.disconnect();
  }, []);
  return room;
}

/** A faction's keys, with its counts beside them if all factions are on the screen. */
function Row({ view, letter, place, label, led, children }) {
  const race = view.race[letter] ?? [];
  const about = `${factions[letter].name}: ${say("won")} ${race.join(":")}`;
  return html`<div class=${`row of-${letter} ${letter === led ? "led" : ""} ${label ? "" : "alone"}`} style=${`--columns: ${place.columns}; --rows: ${place.rows}`}>
    ${
      label &&
      html`<div class="faction" role="img" aria-label=${about} title=${factions[letter].name}>
        <${Shape} letter=${letter} /><b>${letter}</b><span>${race.join(":")}</span>
      </div>`
    }
    <div class="keys">${children}</div>
  </div>`;
}

/**
 * The deck: all factions, or if they do not fit, pages of them with a tab for each.  It never
 * scrolls up or down, and keys stay in place.
 */
export function Deck({ view, tapped = [], onTap, onHold, onBounce }) {
  const there = left(view, tapped);
  const marks = onTap && view.due.kind === "play" && view.possible?.length;
  const possible = new Set(view.possible ?? []);
  const led = view.table.plays[0]?.card?.[0];
  const whole = useRef(null);
  const deck = useRef(null);
  const [page, setPage] = useState(0);
  const room = useRoom(whole);
  const values = (letter) => [...new Set(factions[letter].values)];
  const each = [...view.deck].map((letter) => [letter, values(letter).length]);
  const laid = laidOut(each, room ?? { width: 340, height: 9999, letters: 16 });
  const { keys, pages, key, tabs: paged } = laid;
  const show = (letter) => {
    const number = pages.findIndex((letters) => letters.includes(letter));
    const one = deck.current.children[number];
    if (one) deck.current.scrollLeft = one.offsetLeft - deck.current.offsetLeft;
  };
  // Nothing moves under a finger; the click comes a little after the finger is lifted.
  const [pressed, setPressed] = useState(false);
  const lifting = useRef(0);
  const faced = useRef(null);
  // Nor if the scorer has turned the page since the last card, and has seen what is there.
  const own = useRef(false);
  const press = () => {
    clearTimeout(lifting.current);
    setPressed(true);
    const lifted = new AbortController();
    const lift = ({ type }) => {
      if (type === "pointercancel") own.current = true; // it drags
      lifted.abort();
      clearTimeout(lifting.current);
      lifting.current = setTimeout(() => setPressed(false), CLICK);
    };
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, lift, { signal: lifted.signal });
    }
  };
  useLayoutEffect(() => {
    if (!led) own.current = false; // once, as a press may go on long after that
  }, [led]);
  useLayoutEffect(() => {
    if (pressed) return;
    if (led && paged && led !== faced.current && !own.current) show(led);
    faced.current = paged ? led : null;
  }, [led, paged, pressed]);
  const turned = ({ currentTarget: { scrollLeft, clientWidth } }) =>
    setPage(Math.round(scrollLeft / clientWidth));
  const turn = (letter) => {
    own.current = true;
    show(letter);
  };
  const lay =
    onTap &&
    ((card) => {
      own.current = false;
      onTap(card);
    });
  // Space for the largest faction is reserved, however large the letters are.
  const most = Math.max(...each.map(([letter]) => keys[letter].rows)) + (paged ? 1 : 0);
  return html`<div class="whole" ref=${whole} style=${`--key: ${key.high}px; --least: ${most * (key.high + 4)}px`}>
    <div class="deck" ref=${deck} role="group" aria-label=${say("deck")} tabindex=${paged && !onTap ? "0" : undefined} onScroll=${turned} onPointerDown=${press}>
      ${pages.map(
        (letters) =>
          html`<div class="page" key=${letters.join("")}>
            ${letters.map(
              (letter) =>
                html`<${Row} key=${letter} view=${view} letter=${letter} place=${keys[letter]} label=${!paged} led=${led}>
                  ${values(letter).map((value) => {
                    const card = `${letter}${value}`;
                    return html`<${Key}
                      key=${card}
                      card=${card}
                      corner=${paged}
                      left=${there[card] ?? 0}
                      marked=${marks && there[card] && !possible.has(card)}
                      onTap=${lay}
                      onHold=${onHold}
                      onBounce=${onBounce}
                    />`;
                  })}
                <//>`,
            )}
          </div>`,
      )}
    </div>
    ${
      paged &&
      html`<nav class="index" aria-label=${say("factions")}>
        ${pages.map((letters, number) =>
          letters.map((letter) => {
            const race = view.race[letter] ?? [];
            const about = `${factions[letter].name}: ${say("won")} ${race.join(":")}`;
            return html`<button type="button" class=${`of-${letter} ${letter === led ? "led" : ""}`} key=${letter} aria-label=${about} data-won=${race.join(":")} aria-current=${number === page ? "true" : null} onClick=${() => turn(letter)}>
              <${Shape} letter=${letter} /><b aria-hidden="true">${letter}</b>
            </button>`;
          }),
        )}
      </nav>`
    }
  </div>`;
}

/** By faction how many each side has, and who has most of it, or at the end who won it. */
export function Race({ view, children }) {
  const winners = view.won_by ?? view.ahead ?? {};
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${say("faction")}</th>
        ${view.race[view.deck[0]].map((_, side) => html`<th scope="col">${sideOf(view, side + 1)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${[...view.deck].map(
        (letter) =>
          html`<tr>
            <th scope="row"><span class=${`of-${letter}`}><${Shape} letter=${letter} /></span> ${factions[letter].name}</th>
            ${view.race[letter].map(
              (number, side) =>
                html`<td class=${winners[letter] === side + 1 ? "won" : ""}>
                  ${number}${winners[letter] === side + 1 && html` <span role="img" aria-label=${say(view.won_by ? "won" : "ahead")}>${view.won_by ? "★" : "▲"}</span>`}
                </td>`,
            )}
          </tr>`,
      )}
      ${children}
    </tbody>
  </table>`;
}

/** How the game ended: who won, and by what. */
export function Ending({ view }) {
  return html`<div class="ending">
    <p class="result">${readable(view.result)}</p>
    <${Race} view=${view}>
      ${
        view.votes &&
        html`<tr class="total">
          <th scope="row">${say("votes")}</th>
          ${view.votes.map((number) => html`<td>${number}</td>`)}
        </tr>`
      }
    <//>
    <ul class="why">${view.verdict.map((text) => html`<li>${text}</li>`)}</ul>
  </div>`;
}
