// The page of whoever looks on: it follows, and changes nothing.

import { html } from "./lib.js";
import { Deck, dueOf, Ending, Trick } from "./table.js";
import { say } from "./words.js";

/** What can be seen of a table. */
export function Watch({ session }) {
  const { view, link } = session;
  return html`<main class="board watching">
    <section class="top" aria-live="polite">
      ${view.over ? html`<${Ending} view=${view} />` : html`<${Trick} view=${view} /><div class="asked"><p class="due" id="due">${dueOf(view)}</p></div>`}
    </section>
    ${!view.over && html`<section class="bottom"><${Deck} view=${view} /></section>`}
    <footer>
      <p class=${`status ${link === "up" ? "safe" : "waiting"}`} role="status">
        <span aria-hidden="true">${link === "up" ? "●" : "⚡"}</span>
        <span>${say(link === "up" ? "live" : "offline")}</span>
      </p>
    </footer>
  </main>`;
}
