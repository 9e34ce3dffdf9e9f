// Parts of the page that know nothing of tables: sheets, cards, keys.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { Shape } from "./shapes.js";
import { factions, say } from "./words.js";

export { save } from "./save.js";

const LONG = 500;
const TWICE = 300;
const SETTLED = 250;
let last = { card: "", at: 0 };

/**
 * Handlers whose work runs once however often they are tapped meanwhile: whether it runs, and a
 * function that makes a handler of some work.
 *
 * @returns {[boolean, (work: () => Promise<void>) => (event: Event) => Promise<void>]}
 */
export function useOnce() {
  const running = useRef(false);
  const had = useRef(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // A button that was disabled meanwhile has lost the focus.
    if (!busy && document.activeElement === document.body) had.current?.focus();
  }, [busy]);
  const once = (work) => async (event) => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    had.current = document.activeElement;
    setBusy(true);
    try {
      await work();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return [busy, once];
}

/** What had the focus before a sheet that another one replaces. */
let leaving = null;

/**
 * A sheet over the page, closed by Escape or its own button.  An urgent one asks a question, which
 * may be typed into by somebody who has not seen it: no button of it has the focus until somebody
 * moves it there, and without `close` it has to be answered.
 *
 * It may open under a finger that is still on the screen, or on its way to the next card: what that
 * finger does is not meant for the sheet.
 */
export function Sheet({ title, close, children, urgent = false }) {
  const dialog = useRef(null);
  const pressed = useRef(false);
  const heading = useRef(null);
  const [settled, setSettled] = useState(false);
  const open = () => {
    dialog.current.showModal();
    if (urgent) heading.current.focus();
  };
  useLayoutEffect(() => {
    const active = document.activeElement;
    const before = active === document.body ? leaving : active;
    open();
    const timer = setTimeout(() => setSettled(true), SETTLED);
    return () => {
      clearTimeout(timer);
      leaving = before;
      // A dialog that is removed does not give the focus back, unlike one that is closed; and until
      // it has been removed nothing behind it can have the focus.
      queueMicrotask(() => {
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
        leaving = null;
      });
    };
  }, []);
  const move = (step) => {
    const there = [...dialog.current.querySelectorAll(".choices button")];
    const at = there.indexOf(document.activeElement);
    const next = at < 0 && step < 0 ? there.length - 1 : at + step;
    there[Math.min(Math.max(next, 0), there.length - 1)]?.focus();
  };
  return html`<dialog
    ref=${dialog}
    class=${`sheet ${urgent ? "urgent" : ""} ${settled ? "" : "opening"}`}
    aria-labelledby="sheet-title"
    aria-describedby=${urgent ? "doubt" : null}
    onPointerDownCapture=${() => {
      pressed.current = true;
    }}
    onClickCapture=${(event) => {
      // A keyboard click has no `detail`; a finger must have come down on the sheet itself.
      if (!event.detail || pressed.current) return;
      event.preventDefault();
      event.stopPropagation();
    }}
    onCancel=${(event) => {
      event.preventDefault();
      close?.();
    }}
    onClose=${() => {
      // The browser may close it without asking.
      if (close) close();
      else open();
    }}
    onKeyDown=${(event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!urgent || !step) return;
      event.preventDefault();
      move(step);
    }}
    onClick=${(event) => {
      // Outside the sheet there is only the dialog itself.
      if (!urgent && event.target === dialog.current) close?.();
    }}
  >
    <div class="head">
      <h2 id="sheet-title" ref=${heading} tabindex=${urgent ? -1 : null}>${title}</h2>
      ${close && html`<button type="button" class="close" aria-label=${say("close")} onClick=${close}>✕</button>`}
    </div>
    ${children}
  </dialog>`;
}

/** A card on the table, with its player below it. */
export function Card({ card, label, winner, irregular, onTap }) {
  const letter = card?.[0];
  const face = card
    ? html`<span class="corner">${letter}</span><${Shape} letter=${letter} /><b>${card.slice(1)}</b>`
    : html`<b aria-hidden="true">?</b>`;
  const name =
    card && card !== "_" ? `${factions[letter].name} ${card.slice(1)}` : say("face-down");
  const classes = `card ${card && card !== "_" ? `of-${letter}` : "hidden"} ${winner ? "won" : ""}`;
  const shown = card === "_" ? html`<b aria-hidden="true">?</b>` : face;
  return html`<figure class=${classes}>
    ${
      onTap
        ? html`<button type="button" class="face" aria-label=${`${card}, ${name}`} onClick=${onTap}>${shown}</button>`
        : html`<span class="face" role="img" aria-label=${name}>${shown}</span>`
    }
    <figcaption>
      ${label}${winner && html`<strong> ★</strong>`}${irregular && html`<strong> ^</strong>`}
    </figcaption>
  </figure>`;
}

/** A card in a list: its name in its colour, with its player. */
export function Small({ card, name, upcard, winner, irregular, onTap }) {
  const about = `${card && card !== "_" ? card : "?"}${irregular ? "^" : ""}`;
  const classes = `small-card ${card && card !== "_" ? `of-${card[0]}` : ""} ${winner ? "won" : ""} ${upcard ? "up" : ""}`;
  const inside = html`<b>${about}</b>${name && html`<span>${name}${winner && " ★"}</span>`}${upcard && html`<span>${say("upcard")}</span>`}`;
  return onTap
    ? html`<button type="button" class=${classes} onClick=${onTap}>${inside}</button>`
    : html`<span class=${classes}>${inside}</span>`;
}

/** A place on the table for a card to come. */
export function Place({ label, due }) {
  return html`<figure class=${`card empty ${due ? "due" : ""}`}>
    <span class="face" aria-hidden="true">${due ? "▾" : ""}</span>
    <figcaption>${label}</figcaption>
  </figure>`;
}

/** A key: a tap, or if it is held a long press. */
export function Key({ card, corner, left, marked, onTap, onHold, onBounce }) {
  const timer = useRef(0);
  const held = useRef(false);
  const letter = card[0];
  const stop = () => clearTimeout(timer.current);
  const start = () => {
    held.current = false;
    stop();
    const hold = () => {
      held.current = true;
      navigator.vibrate?.(30);
      onHold(card);
    };
    // A busy phone may not have noticed yet that the finger was lifted.
    const listened = () => requestAnimationFrame(() => (timer.current = setTimeout(hold)));
    timer.current = setTimeout(listened, LONG);
  };
  useEffect(() => stop, []);
  const about = [`${factions[letter].name} ${card.slice(1)}`];
  if (!left) about.push(say("spent"));
  else if (left > 1) about.push(say("left", { number: left }));
  if (marked) about.push(say("unlikely"));
  const inside = html`${card.slice(1)}${left > 1 && html`<small data-left=${`×${left}`}></small>`}`;
  const classes = `key ${left ? "" : "spent"} ${marked ? "marked" : ""}`;
  const shown = corner ? letter : null;
  if (!onTap) {
    return html`<span class=${classes} data-letter=${shown} role="img" aria-label=${about.join(", ")}>${inside}</span>`;
  }
  return html`<button
    type="button"
    class=${classes}
    data-letter=${shown}
    data-card=${card}
    aria-label=${about.join(", ")}
    onPointerDown=${start}
    onPointerUp=${stop}
    onPointerLeave=${stop}
    onPointerCancel=${stop}
    onContextMenu=${(event) => event.preventDefault()}
    onKeyDown=${(event) => {
      if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
      event.preventDefault();
      onHold(card);
    }}
    onClick=${(event) => {
      // A bouncing finger has not played a second Goblin 0; the scorer is asked whether it was
      // meant.
      const bounced = !held.current && last.card === card && event.timeStamp - last.at < TWICE;
      last = { card, at: event.timeStamp };
      if (bounced) onBounce(card);
      else if (!held.current) onTap(card);
      held.current = false;
    }}
  >
    ${inside}
  </button>`;
}
