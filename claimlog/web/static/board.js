// The page of whoever scores: one tap a card.

import { awake } from "./awake.js";
import { Decided } from "./decided.js";
import * as judge from "./judge.js";
import { html, useEffect, useState } from "./lib.js";
import {
  Agreed,
  Doubt,
  End,
  Fill,
  Held,
  Links,
  Menu,
  Note,
  pageKept,
  Text,
  Tricks,
} from "./sheets.js";
import { Deck, dueOf, Ending, shortName, sideOf, Trick } from "./table.js";
import { Sheet } from "./ui.js";
import { count, factions, say } from "./words.js";

/** Questions that come before the next card: they lie over the deck, which has to wait. */
const QUESTIONS = ["look", "pick", "loot"];
const LATEST = 12;
const MARKS = ["", "~", "=", "-", "/"];

/** Where a card lies: the numbers of the tricks in which it was turned up, played or taken. */
function placesOf(view, card) {
  const tricks = [...(view.played ?? []), { ...view.table, number: view.trick, taken: {} }];
  return tricks
    .filter(
      ({ upcards, plays, taken }) =>
        upcards.includes(card) ||
        plays.some((play) => play.card === card) ||
        Object.values(taken).includes(card),
    )
    .map(({ number }) => number);
}

/** How far all is kept, and whether there is a connection. */
function Status({ session, onTap }) {
  const { kept, atServer, link, trouble } = session;
  const safe = kept === atServer && link === "up";
  const numbers = say("kept", { kept, server: atServer });
  const wrong = [link === "down" && say(pageKept() ? "offline-stay" : "offline"), trouble].filter(
    Boolean,
  );
  return html`<button type="button" class=${`status ${safe ? "safe" : "waiting"}`} onClick=${onTap}>
    <span aria-hidden="true">${safe ? "✓" : link === "down" ? "⚡" : "↻"}</span>
    <span id="status">${numbers}</span>
    ${pageKept() === "not-secure" && html`<span class="note">${say("no-https")}</span>`}
    ${wrong.length > 0 && html`<span class="wrong note" role="status">${wrong.map((one) => html`<span>${one}</span>`)}</span>`}
  </button>`;
}

/** What the next tap means, where it is not simply the next card. */
function Mode({ mode, cancel }) {
  return html`<div class="mode" role="status">
    <span>${say(`mode.${mode.kind}`, mode)}</span>
    <button type="button" onClick=${cancel}>${say("cancel")}</button>
  </div>`;
}

/** The large buttons for a choice that is due. */
function Choices({ view, enter, setMode }) {
  const { kind, seat } = view.due;
  if (kind === "look") {
    return html`<div class="choices">
      <button type="button" onClick=${() => enter("~-")}>${say("seer.left")}</button>
      <button type="button" onClick=${() => enter("~_")}>${say("seer.took")}</button>
      <button type="button" onClick=${() => setMode({ kind: "seer" })}>${say("seer.seen")}</button>
    </div>`;
  }
  if (kind === "pick") {
    return html`<div class="choices">
      ${view.possible.map(
        (card) =>
          html`<button type="button" class=${`of-${card[0]}`} onClick=${() => enter(`=${card}`)}>
            ${factions[card[0]].name} <b>${card}</b>
          </button>`,
      )}
    </div>`;
  }
  if (kind === "discard") {
    return html`<button type="button" class="aside" onClick=${() => enter("-_")}>${say("unseen")}</button>`;
  }
  if (kind === "draw") {
    const name = shortName(view, seat);
    return html`<button type="button" class="aside" onClick=${() => setMode({ kind: "draw", name })}>
      ${say("drawn", { name })}
    </button>`;
  }
  if (kind === "loot") {
    return html`<div class="choices">
      ${view.possible.map(
        (letter) =>
          html`<button type="button" class=${`of-${letter}`} onClick=${() => enter(letter)}>
            ${factions[letter].name}
          </button>`,
      )}
    </div>`;
  }
  return null;
}

/** The end: both sides confirm, and the game is handed in. */
function Over({ session, view, add }) {
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState("");
  const sides = view.race[view.deck[0]].map((_, side) => side + 1);
  const finished = session.info?.state === "finished";
  const hand = async () => {
    setBusy(true);
    setWhy("");
    try {
      await session.finish();
    } catch (error) {
      setWhy(error.message || say("offline"));
    }
    setBusy(false);
  };
  return html`<div class="over">
    <${Ending} view=${view} />
    ${
      !finished &&
      html`<div class="choices">
        ${sides.map((side) =>
          view.confirmed.includes(side)
            ? html`<p class="confirmed">✓ ${say("confirmed", { name: sideOf(view, side) })}</p>`
            : html`<button type="button" onClick=${() => add({ kind: "confirm", side })}>
                ${say("confirm", { name: sideOf(view, side) })}
              </button>`,
        )}
        ${
          view.closed &&
          html`<button type="button" class="main" disabled=${busy} onClick=${hand}>
            ${say("hand-in")}
          </button>`
        }
      </div>`
    }
    ${view.problems.length > 0 && html`<ul class="why" id="assumed">${view.problems.map((one) => html`<li>${one.message}</li>`)}</ul>`}
    ${finished && html`<p class="confirmed">✓ ${say("handed-in")}</p><${Decided} session=${session} view=${view} />`}
    ${why && html`<p class="note" role="alert">${why}</p>`}
  </div>`;
}

/** What was tapped since anybody could say what it means, as words. */
function unjudgedWords(session) {
  return session.unjudged.map((entry) => entry.word ?? say(`kind.${entry.kind}`));
}

/** The same, with what the next tap is to be. */
function Unjudged({ session, mark, setMark }) {
  const words = unjudgedWords(session);
  const state = judge.state === "starting" && judge.come === 100 ? "started" : judge.state;
  return html`<div class="unjudged" role="status">
    <p>${say(`judge.${state}`, { percent: judge.come })}</p>
    ${judge.state === "starting" && html`<progress max="100" value=${judge.come}></progress>`}
    <p class="words">${words.length > LATEST && html`<small>${words.length - LATEST} + </small>`}${words.slice(-LATEST).join(" ")}</p>
    <div class="marks" role="group" aria-label=${say("marks")}>
      ${MARKS.map(
        (each) =>
          html`<button type="button" aria-pressed=${mark === each} onClick=${() => setMark(each)}>
            ${say(`mark.${each || "card"}`)}
          </button>`,
      )}
    </div>
  </div>`;
}

/** The room that the last trick took, so that the deck stays in its place. */
function Beneath({ view }) {
  return html`<div class="beneath" inert aria-hidden="true">
    <${Trick} view=${view} onCard=${null} />
    ${!view.over && html`<div class="asked"><p class="due">${dueOf(view)}</p></div>`}
  </div>`;
}

/** The whole page. */
export function Board({ session }) {
  const { view } = session;
  const [mode, setMode] = useState(null);
  const [sheet, setSheet] = useState(null);
  const [mark, setMark] = useState("");
  const [bounced, setBounced] = useState("");
  useEffect(awake, []);
  const close = () => setSheet(null);
  const add = (entry) => {
    navigator.vibrate?.(10);
    setMode(null);
    setMark("");
    setBounced("");
    return session.add(entry);
  };
  const enter = (word) => add({ kind: "enter", word });
  const judged = session.current;
  const doubt = judged ? view.doubt : null;
  // What waits for a moment only does not change the page.
  const behind = !judged && (session.link === "down" || session.unjudged.length > 2);
  const question = judged && !view.over && !mode && QUESTIONS.includes(view.due.kind);

  const tap = (card) => {
    if (mode?.kind === "seer") return enter(`~${card}`);
    if (mode?.kind === "draw") return enter(`/${card}`);
    if (mode?.kind === "instead")
      return add({ kind: "clear", entry: mode.entry, word: `${mode.mark}${card}` });
    if (mode?.kind === "earlier") return add({ kind: "clear", entry: mode.entry, earlier: card });
    if (mode?.kind === "fill") {
      return add({ kind: "fill", trick: mode.trick, seat: mode.seat, card });
    }
    if (mode?.kind === "mend") return add({ kind: "mend", trick: mode.trick, was: mode.was, card });
    // A card without a mark is what is due, also if the tap before has not been judged yet.
    return enter(`${mark}${card}`);
  };
  const hold = (card) => {
    const places = placesOf(view, card);
    setSheet({ kind: "held", card, places });
  };
  const mend = (was, trick) => {
    close();
    setMode({ kind: "mend", was, trick });
  };

  const sheets = {
    menu: () =>
      html`<${Menu} session=${session} close=${close} open=${(kind) => setSheet({ kind })} add=${add} />`,
    note: () => html`<${Note} close=${close} add=${add} />`,
    text: () => html`<${Text} session=${session} close=${close} />`,
    links: () => html`<${Links} session=${session} close=${close} />`,
    fill: () => html`<${Fill} session=${session} close=${close} setMode=${setMode} />`,
    tricks: () =>
      html`<${Tricks} view=${view} close=${close} onCard=${(card, trick) => setSheet({ kind: "held", card, places: [trick] })} />`,
    agreed: () => html`<${Agreed} session=${session} close=${close} add=${add} />`,
    end: () => html`<${End} session=${session} close=${close} add=${add} />`,
    held: () =>
      html`<${Held} ...${sheet} view=${view} close=${close} enter=${enter} mend=${mend} note=${() => setSheet({ kind: "note" })} />`,
  };
  return html`<main class="board">
      <section class="top" aria-live="polite">
        ${
          view.over && judged && !mode
            ? html`<${Over} session=${session} view=${view} add=${add} />`
            : behind
              ? html`<${Beneath} view=${view} /><${Unjudged} session=${session} mark=${mark} setMark=${setMark} />`
              : html`<${Trick} view=${view} onCard=${judged ? (card, trick) => setSheet({ kind: "held", card, places: [trick] }) : null} />`
        }
        ${
          judged &&
          !question &&
          !view.over &&
          html`<div class="asked" data-due=${view.due.kind}>
              ${mode ? html`<${Mode} mode=${mode} cancel=${() => setMode(null)} />` : html`<p class="due" id="due">${dueOf(view)}</p><${Choices} view=${view} enter=${enter} setMode=${setMode} />`}
            </div>`
        }
        ${!judged && !behind && html`<div class="asked"><p class="due" role="status">… ${unjudgedWords(session).join(" ")}</p></div>`}
        ${mode && view.over && html`<${Mode} mode=${mode} cancel=${() => setMode(null)} />`}
      </section>
      ${
        (!view.over || mode || !judged) &&
        html`<section class="bottom">
          <${Deck} view=${view} tapped=${session.unjudged} onTap=${tap} onHold=${hold} onBounce=${setBounced} />
          ${
            question &&
            html`<div class="asked question" data-due=${view.due.kind}>
              <p class="due" id="due">${dueOf(view)}</p>
              <${Choices} view=${view} enter=${enter} setMode=${setMode} />
            </div>`
          }
        </section>`
      }
      <footer>
        <${Status} session=${session} onTap=${() => setSheet({ kind: "menu" })} />
        <nav class="foot" aria-label=${say("actions")}>
          <button type="button" id="undo" disabled=${judged ? !view.can_undo : !session.kept} onClick=${() => add({ kind: "undo" })}>
            <span aria-hidden="true">↶</span> ${say("undo")}
          </button>
          <button type="button" id="redo" disabled=${!judged || !view.can_redo} onClick=${() => add({ kind: "redo" })}>
            <span aria-hidden="true">↷</span> ${say("redo")}
          </button>
          <button type="button" id="tricks" onClick=${() => setSheet({ kind: "tricks" })}>
            <span aria-hidden="true">≡</span> ${say("tricks-short")}
          </button>
          <button type="button" id="note" onClick=${() => setSheet({ kind: "note" })}>
            <span aria-hidden="true">✎</span> ${say("note")}
          </button>
          <button type="button" id="menu" onClick=${() => setSheet({ kind: "menu" })}>
            <span aria-hidden="true">⋯</span> ${say("menu")}
          </button>
        </nav>
      </footer>
    </main>
    ${
      doubt &&
      !mode &&
      !sheet &&
      html`<${Doubt} key=${`${doubt.entry} ${doubt.code}`} doubt=${doubt} view=${view} add=${add} setMode=${setMode} />`
    }
    ${
      bounced &&
      html`<div class="bounced" role="alert">
        <span>${say("bounced", { card: bounced })}</span>
        <button type="button" onClick=${() => enter(bounced)}>${say("bounced-twice")}</button>
      </div>`
    }
    ${sheet && sheets[sheet.kind]()}`;
}

/** Entries in short. */
function Entries({ entries }) {
  return html`<b>${entries.map((entry) => entry.word ?? say(`kind.${entry.kind}`)).join(" ")}</b>`;
}

/** What this phone and the other one have, and what is to become of it. */
function TakeOver({ session, close }) {
  const [both, setBoth] = useState(null);
  const [why, setWhy] = useState("");
  const { device } = session.other ?? {};
  const compare = async () => {
    const found = await session.compare();
    setWhy(session.link === "up" ? "" : say("offline-take-over"));
    setBoth(found);
  };
  useEffect(() => {
    compare();
  }, []);
  const take = async (entries) => {
    if (await session.takeOver(entries.map((one) => one.id))) close();
    else await compare();
  };
  if (!both || why) {
    return html`<${Sheet} title=${say("take-over")} close=${close}><p class="note" role="status">${why || say("loading")}</p><//>`;
  }
  const { same, here, there } = both;
  return html`<${Sheet} title=${say("take-over")} close=${close}>
    <p>${say("take-over-sure", { device })}</p>
    ${same > 0 && html`<p>${count("both-have", same)}</p>`}
    ${here.length > 0 && html`<p>${count("only-here", here.length)} <${Entries} entries=${here} /></p>`}
    ${here.length > 0 && there.length > 0 && html`<p>${count("only-there", there.length)} <${Entries} entries=${there} /></p>`}
    <div class="choices">
      ${
        here.length > 0 &&
        !there.length &&
        html`<button type="button" class="main" onClick=${() => take(here)}>${count("take-over-with", here.length)}</button>`
      }
      <button type="button" class=${here.length && !there.length ? "" : "main"} onClick=${() => take([])}>
        ${here.length ? count("take-over-anew", here.length) : say("take-over")}
      </button>
      ${
        here.length > 0 &&
        there.length > 0 &&
        html`<button type="button" onClick=${() => take(here)}>${count("take-over-behind", here.length)}</button>`
      }
    </div>
  <//>`;
}

/** Another phone scores: what it does is shown, and this one may take over. */
export function Other({ session }) {
  const [sure, setSure] = useState(false);
  const { other } = session;
  const unsent = session.unsent.length;
  const seen = other.seen_at ? new Date(other.seen_at).toLocaleTimeString() : "";
  return html`<div class="banner" role="status">
      <p>
        ${say("other", { device: other.device })} ${seen && say("other-seen", { time: seen })}
        ${unsent > 0 && html` <b>${count("unsent", unsent)}</b>`}
      </p>
      <button type="button" class="main" onClick=${() => setSure(true)}>${say("take-over")}</button>
    </div>
    ${sure && html`<${TakeOver} session=${session} close=${() => setSure(false)} />`}`;
}
