// The page of whoever scores: one tap a card.

import * as judge from "./judge.js";
import { html, useState } from "./lib.js";
import { Deck, dueOf, Ending, shortName, sideOf, Trick } from "./table.js";
import { Doubt, End, Fill, Held, Links, Menu, Note, Text } from "./sheets.js";
import { Sheet } from "./ui.js";
import { count, factions, say } from "./words.js";

const MARKS = ["", "~", "=", "-", "/"];

/** Where in the record a card lies: the numbers of its tricks. */
function placesOf(record, card) {
  const found = [];
  for (const [, number, text] of record.matchAll(/^(\d+)\. (.*)$/gm)) {
    const bare = text.replace(/\{[^}]*\}|;.*$/g, "");
    if (new RegExp(`(^|[^A-Z0-9])${card}(?![0-9])`).test(bare)) found.push(Number(number));
  }
  return found;
}

/** How far all is kept, and whether there is a connection. */
function Status({ session, onTap }) {
  const { kept, atServer, link, trouble } = session;
  const safe = kept === atServer && link === "up";
  const numbers = say("kept", { kept, server: atServer });
  return html`<button type="button" class=${`status ${safe ? "safe" : "waiting"}`} onClick=${onTap}>
    <span aria-hidden="true">${safe ? "✓" : link === "down" ? "⚡" : "↻"}</span>
    <span id="status">${numbers}</span>
    ${link === "down" && html`<span class="note">${say("offline")}</span>`}
    ${trouble && html`<span class="note">${trouble}</span>`}
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
    return html`<div class="choices">
      <button type="button" onClick=${() => enter("-_")}>${say("unseen")}</button>
    </div>`;
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
    ${finished && html`<p class="confirmed">✓ ${say("handed-in")}</p>`}
    ${why && html`<p class="note" role="alert">${why}</p>`}
  </div>`;
}

/** What was tapped since anybody could say what it means. */
function Unjudged({ session, mark, setMark }) {
  const words = session.unjudged.map((entry) => entry.word ?? say(`kind.${entry.kind}`));
  return html`<div class="unjudged" role="status">
    <p>${say(judge.state === "starting" ? "judge.starting" : "judge.off")}</p>
    <p class="words">${words.join(" ")}</p>
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

/** The whole page. */
export function Board({ session }) {
  const { view } = session;
  const [mode, setMode] = useState(null);
  const [sheet, setSheet] = useState(null);
  const [mark, setMark] = useState("");
  const close = () => setSheet(null);
  const add = (entry) => {
    navigator.vibrate?.(10);
    setMode(null);
    setMark("");
    return session.add(entry);
  };
  const enter = (word) => add({ kind: "enter", word });
  const judged = session.current;
  const doubt = judged ? view.doubt : null;

  const tap = (card) => {
    if (mode?.kind === "seer") return enter(`~${card}`);
    if (mode?.kind === "draw") return enter(`/${card}`);
    if (mode?.kind === "instead") return add({ kind: "clear", entry: mode.entry, word: `${mode.mark}${card}` });
    if (mode?.kind === "earlier") return add({ kind: "clear", entry: mode.entry, earlier: card });
    if (mode?.kind === "fill") {
      return add({ kind: "fill", trick: mode.trick, seat: mode.seat, card });
    }
    if (mode?.kind === "mend") return add({ kind: "mend", trick: mode.trick, was: mode.was, card });
    // A card without a mark is what is due, also if the tap before has not been judged yet.
    return enter(`${mark}${card}`);
  };
  const hold = (card) => {
    const places = placesOf(view.record, card);
    setSheet({ kind: "held", card, places });
  };
  const mend = (was, trick) => {
    close();
    setMode({ kind: "mend", was, trick });
  };

  const sheets = {
    menu: () => html`<${Menu} session=${session} close=${close} open=${(kind) => setSheet({ kind })} add=${add} />`,
    note: () => html`<${Note} close=${close} add=${add} />`,
    text: () => html`<${Text} session=${session} close=${close} />`,
    links: () => html`<${Links} session=${session} close=${close} />`,
    fill: () => html`<${Fill} session=${session} close=${close} setMode=${setMode} />`,
    end: () => html`<${End} session=${session} close=${close} add=${add} />`,
    held: () =>
      html`<${Held} ...${sheet} view=${view} close=${close} enter=${enter} mend=${mend} note=${() => setSheet({ kind: "note" })} />`,
  };
  return html`<main class="board">
      <section class="top" aria-live="polite">
        ${
          view.over && judged && !mode
            ? html`<${Over} session=${session} view=${view} add=${add} />`
            : html`<${Trick} view=${view} onCard=${judged ? (card, trick) => setSheet({ kind: "held", card, places: [trick] }) : null} />`
        }
        ${
          judged
            ? !view.over &&
              html`<div class="asked" data-due=${view.due.kind}>
                <p class="due" id="due">${dueOf(view)}</p>
                ${mode ? html`<${Mode} mode=${mode} cancel=${() => setMode(null)} />` : html`<${Choices} view=${view} enter=${enter} setMode=${setMode} />`}
              </div>`
            : html`<${Unjudged} session=${session} mark=${mark} setMark=${setMark} />`
        }
        ${mode && view.over && html`<${Mode} mode=${mode} cancel=${() => setMode(null)} />`}
      </section>
      ${
        (!view.over || mode || !judged) &&
        html`<section class="bottom"><${Deck} view=${view} tapped=${session.unjudged} onTap=${tap} onHold=${hold} /></section>`
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
      html`<${Doubt} doubt=${doubt} waiting=${view.waiting} add=${add} setMode=${setMode} />`
    }
    ${sheet && sheets[sheet.kind]()}`;
}

/** Another phone scores: what it does is shown, and this one may take over. */
export function Other({ session }) {
  const [sure, setSure] = useState(false);
  const { other, view } = session;
  const unsent = session.kept - session.atServer;
  const seen = other.seen_at ? new Date(other.seen_at).toLocaleTimeString() : "";
  return html`<div class="banner" role="status">
      <p>${say("other", { device: other.device })} ${seen && say("other-seen", { time: seen })}</p>
      <button type="button" class="main" onClick=${() => setSure(true)}>${say("take-over")}</button>
    </div>
    ${
      sure &&
      html`<${Sheet} title=${say("take-over")} close=${() => setSure(false)}>
        <p>${say("take-over-sure", { device: other.device })}</p>
        ${unsent > 0 && html`<p>${count("unsent", unsent)}</p>`}
        <div class="choices">
          <button type="button" class="main" onClick=${() => session.takeOver().then(() => setSure(false))}>
            ${unsent > 0 ? say("take-over-with") : say("take-over")}
          </button>
          ${
            unsent > 0 &&
            html`<button type="button" onClick=${() => session.takeOver(true).then(() => setSure(false))}>
              ${count("take-over-anew", unsent)}
            </button>`
          }
        </div>
      <//>`
    }`;
}
