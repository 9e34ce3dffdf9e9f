// The page of whoever looks on: it follows, and changes nothing.

import { html, useState } from "./lib.js";
import { ask, Refused } from "./server.js";
import * as store from "./store.js";
import { Deck, dueOf, Ending, Trick } from "./table.js";
import { Sheet } from "./ui.js";
import { say } from "./words.js";

/** Whoever may open tables gets a token to score this one, for this phone. */
function Claim({ session, close }) {
  const [access, setAccess] = useState("");
  const [why, setWhy] = useState("");
  const go = async (event) => {
    event.preventDefault();
    try {
      const made = await ask("POST", `${session.address}/tokens`, {
        token: access || undefined,
        body: {},
      });
      await store.keepTable(session.id, { token: made.token });
      location.reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setWhy(error.status ? error.message : say("offline"));
    }
  };
  return html`<${Sheet} title=${say("score-too")} close=${close}>
    <form onSubmit=${go}>
      <p>${say("score-too-about")}</p>
      <div class="field">
        <label for="access">${say("token")}</label>
        <input id="access" type="password" autocomplete="off" value=${access} onInput=${(event) => setAccess(event.currentTarget.value)} />
      </div>
      ${why && html`<p class="note" role="alert">${why}</p>`}
      <button type="submit" class="main">${say("begin")}</button>
    </form>
  <//>`;
}

/** What can be seen of a table. */
export function Watch({ session }) {
  const { view, link } = session;
  const [asking, setAsking] = useState(false);
  const open = (session.info?.state ?? "open") === "open";
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
      ${
        open &&
        !session.mayScore &&
        html`<nav class="claim"><button type="button" class="aside" onClick=${() => setAsking(true)}>${say("score-too")}</button></nav>`
      }
    </footer>
    ${asking && html`<${Claim} session=${session} close=${() => setAsking(false)} />`}
  </main>`;
}
