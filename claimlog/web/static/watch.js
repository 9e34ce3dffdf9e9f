// The spectators' page: it follows the table, and changes nothing.

import { html, useState } from "./lib.js";
import { ask, Refused } from "./server.js";
import { Link } from "./sheets.js";
import * as store from "./store.js";
import { Deck, dueOf, Ending, Race, Trick } from "./table.js";
import { Sheet, useOnce } from "./ui.js";
import { linked, say } from "./words.js";

/** Lets somebody who may open tables get a token to score this one on this phone. */
function Claim({ session, close }) {
  const [access, setAccess] = useState("");
  const [why, setWhy] = useState("");
  const [busy, once] = useOnce();
  const go = once(async () => {
    try {
      const made = await ask("POST", `${session.address}/tokens`, {
        token: access || undefined,
        body: {},
      });
      await store.keepTable(session.id, { token: made.token });
      location.reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setWhy(error.message);
    }
  });
  return html`<${Sheet} title=${say("score-too")} close=${close}>
    <form onSubmit=${go}>
      <p>${say("score-too-about")}</p>
      <div class="field">
        <label for="access">${say("token")}</label>
        <input id="access" type="password" autocomplete="off" value=${access} onInput=${(event) => setAccess(event.currentTarget.value)} />
      </div>
      ${why && html`<p class="note" role="alert">${why}</p>`}
      <button type="submit" class="main" disabled=${busy}>${say("begin")}</button>
    </form>
  <//>`;
}

/** What spectators see of a table. */
export function Watch({ session }) {
  const { view, link } = session;
  const [asking, setAsking] = useState(false);
  const [at, setAt] = useState(0); // the trick being looked at, 0 for the current one
  const [sheet, setSheet] = useState("");
  const open = (session.info?.state ?? "open") === "open";
  const played = view.played ?? [];
  const last = played.at(-1)?.number ?? 0;
  const earlier = played.find((one) => one.number === at) ?? null;
  // The last trick stays on the table until the next one begins.
  const closed = !view.over && !view.table.plays.length && !view.table.upcards.length;
  const back = () => setAt(earlier ? Math.max(at - 1, 1) : Math.max(closed ? last - 1 : last, 1));
  const on = () => setAt(at < last ? at + 1 : 0);
  const game = session.info?.game;
  return html`<main class="board watching">
    <section class="top" aria-live="polite">
      ${
        earlier
          ? html`<${Trick} view=${view} earlier=${earlier} />`
          : view.over
            ? html`<${Ending} view=${view} />`
            : html`<${Trick} view=${view} />${open && html`<div class="asked"><p class="due" id="due">${dueOf(view)}</p></div>`}`
      }
      ${
        view.over &&
        game &&
        html`<div class="choices" id="seats">
          <a class="button" href=${linked(`/games/${game}`)}>${say("watch.open")}</a>
          ${view.players.map(
            (name, place) =>
              html`<a class="button" href=${linked(`/games/${game}#seat=${place + 1}`)}>${say("watch.seat", { name })}</a>`,
          )}
        </div>`
      }
    </section>
    ${!view.over && html`<section class="bottom"><${Deck} view=${view} /></section>`}
    <footer>
      <nav class="foot paging" aria-label=${say("actions")}>
        <button type="button" id="back" aria-label=${say("watch.back")} disabled=${!last || at === 1} onClick=${back}>◀</button>
        <button type="button" id="now" aria-pressed=${!earlier} onClick=${() => setAt(0)}>${say(view.over ? "watch.end" : "watch.now")}</button>
        <button type="button" id="on" aria-label=${say("watch.on")} disabled=${!earlier} onClick=${on}>▶</button>
        <button type="button" id="standing" onClick=${() => setSheet("race")}>${say("watch.race")}</button>
        <button type="button" id="share" onClick=${() => setSheet("link")}>${say("watch.link")}</button>
      </nav>
      <p class=${`status ${link === "up" ? "safe" : "waiting"}`} role="status">
        <span aria-hidden="true">${link === "up" ? "●" : "⚡"}</span>
        <span>${say(link === "up" ? "live" : "offline-watch")}</span>
      </p>
      ${
        open &&
        !session.mayScore &&
        html`<nav class="claim"><button type="button" class="aside" onClick=${() => setAsking(true)}>${say("score-too")}</button></nav>`
      }
    </footer>
    ${
      sheet === "race" &&
      html`<${Sheet} title=${say("watch.race")} close=${() => setSheet("")}><div class="ending"><${Race} view=${view} /></div><//>`
    }
    ${
      sheet === "link" &&
      html`<${Sheet} title=${say("link.watch")} close=${() => setSheet("")}><${Link} id=${session.id} about=${say("link.watch-about")} /><//>`
    }
    ${asking && html`<${Claim} session=${session} close=${() => setAsking(false)} />`}
  </main>`;
}
