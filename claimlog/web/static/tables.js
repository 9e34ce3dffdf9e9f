// The open tables, and the form that opens one.

import {
  DeckOf,
  Field,
  lacking,
  learnNames,
  NOTHING,
  People,
  Rules,
  ruled,
  Scorer,
  Seats,
  twin,
  Where,
} from "./agreed.js";
import { Install } from "./install.js";
import { html, useEffect, useState } from "./lib.js";
import { readable } from "./results.js";
import { ask, Refused } from "./server.js";
import { Link } from "./sheets.js";
import * as store from "./store.js";
import { useOnce } from "./ui.js";
import { isolated, linked, looting, say } from "./words.js";

/** Who plays, in one line. */
function title(one) {
  return (one.players ?? []).map(isolated).join(" – ");
}

/** Which table it is, and how far the game is. */
function about(one) {
  const how = one.over
    ? say("over", { result: readable(one.result) })
    : one.decided > 0 && say("trick", { number: one.trick, total: one.tricks });
  return [
    one.event,
    one.round && say("round", { number: one.round }),
    one.table && say("table", { number: one.table }),
    how,
  ]
    .filter(Boolean)
    .map(isolated)
    .join(" · ");
}

/** Tables under a heading, if there are any. */
function List({ name, rows }) {
  if (!rows.length) return null;
  return html`<h2>${say(name)}</h2>
    <ul class="tables">
      ${rows.map(
        (one) =>
          html`<li key=${one.id}>
            <a class="button" href=${linked(`/tables/${one.id}`)}><strong>${title(one)}</strong><span>${about(one)}</span></a>
          </li>`,
      )}
    </ul>`;
}

/** A table on this phone, in the form in which the server lists tables. */
function listed({ id, info, view }) {
  const { players, over, result, decided, trick, tricks, tags } = view ?? {};
  return {
    ...info,
    event: info?.event ?? tags?.Event,
    round: info?.round ?? tags?.Round,
    table: info?.table ?? tags?.Table,
    players: players ?? info?.players,
    over,
    result,
    decided,
    trick,
    tricks,
    id,
  };
}

/** The headings of the tables on the server, in order. */
const GROUPS = ["open", "played-out", "adjourned", "waiting-tables"];

/** The heading of a table. */
function group(one) {
  if (one.over) return "played-out";
  if (one.adjourned) return "adjourned";
  return one.number > 0 ? "open" : "waiting-tables";
}

/** The tables: those on this phone, and those that are open on the server. */
export function Tables() {
  const [open, setOpen] = useState(null);
  const [mine, setMine] = useState([]);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    store.tables().then((all) => setMine(all.filter((one) => one.token).map(listed)));
    ask("GET", "/v1/tables?state=open")
      .then((page) => setOpen(page.tables))
      .catch((error) => setTrouble(error.message));
  }, []);
  const under = (name) => (open ?? []).filter((one) => group(one) === name);
  return html`<main class="form">
    <h1>${say("tables")}</h1>
    <a class="button main" href=${linked("/tables/new")}>${say("new")}</a>
    <${Install} />
    <${List} name="mine" rows=${mine} />
    ${open && !under("open").length && html`<h2>${say("open")}</h2><p>${say("none-open")}</p>`}
    ${GROUPS.map((name) => html`<${List} key=${name} name=${name} rows=${under(name)} />`)}
    ${trouble && html`<p class="note" role="alert">${trouble}</p>`}
  </main>`;
}

/** The form for a new table. */
export function New() {
  const [agreed, setAgreed] = useState(NOTHING);
  const [delay, setDelay] = useState("0");
  const [access, setAccess] = useState("");
  const [trouble, setTrouble] = useState("");
  const [needsToken, setNeedsToken] = useState(false);
  const [already, setAlready] = useState(null);
  const [made, setMade] = useState(null);
  const [busy, once] = useOnce();
  const change = (some) => {
    setAlready(null);
    setAgreed((all) => ({ ...all, ...some }));
  };
  const open = lacking(agreed);
  useEffect(() => {
    store.scorer().then((recorder) => recorder && change({ recorder }));
    learnNames();
  }, []);
  const begin = async (again) => {
    setTrouble("");
    setAlready(null);
    const { seats, players, leader, deck, rules, loot } = agreed;
    const where = Object.fromEntries(
      ["event", "round", "table", "recorder"]
        .map((name) => [name, agreed[name].trim()])
        .filter(([, value]) => value),
    );
    const now = new Date();
    const body = {
      deck,
      players: players.slice(0, seats).map((name) => name.trim() || "?"),
      leader,
      rules,
      rulings: ruled(agreed),
      delay: Number(delay) || 0,
      date: new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10),
      ...(loot && deck.includes(looting) && { loot }),
      ...where,
    };
    try {
      const there = again ? null : await twin(body, access);
      if (there) {
        setAlready(there);
        return;
      }
      const table = await ask("POST", "/v1/tables", { token: access || undefined, body });
      await store.keepScorer(agreed.recorder.trim());
      await store.keepTable(table.id, {
        token: table.token,
        info: { ...where, players: body.players },
      });
      setMade(table);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if ([401, 403].includes(error.status)) setNeedsToken(true);
      setTrouble(error.status ? error.message : say("offline-new"));
    }
  };
  if (made) {
    return html`<main class="form">
      <h1>${say("made")}</h1>
      <a class="button main" id="go" href=${linked(`/tables/${made.id}`)}>${say("go")}</a>
      <h2>${say("link.score")}</h2>
      <${Link} id=${made.id} token=${made.token} about=${say("link.score-about")} />
      <h2>${say("link.watch")}</h2>
      <${Link} id=${made.id} about=${say("link.watch-about")} />
    </main>`;
  }
  return html`<main class="form">
    <h1>${say("new")}</h1>
    <form onSubmit=${once(() => begin(false))}>
      <${Where} agreed=${agreed} change=${change} token=${access} />
      <${Seats} agreed=${agreed} change=${change} />
      <${People} agreed=${agreed} change=${change} token=${access} />
      <${DeckOf} agreed=${agreed} change=${change} />
      <${Scorer} agreed=${agreed} change=${change} />
      <${Rules} agreed=${agreed} change=${change}>
        <${Field} name="delay" label=${say("delay")} value=${delay} type="number" min="0" max="26" change=${setDelay} />
      <//>
      ${needsToken && html`<${Field} name="token" label=${say("token")} value=${access} type="password" autocomplete="off" change=${setAccess} />`}
      ${trouble && html`<p class="note" role="alert">${trouble}</p>`}
      ${
        already &&
        html`<div class="twin" role="alert">
          <p>${say("twin")} <strong>${title(already)}</strong> ${about(already)}</p>
          <a class="button main" href=${linked(already.href)}>${say("twin-go")}</a>
          <button type="button" id="another" disabled=${busy} onClick=${once(() => begin(true))}>${say("twin-another")}</button>
        </div>`
      }
      ${open.length > 0 && html`<p class="small" id="lacking">${say("lacking", { what: open.join(" · ") })}</p>`}
      <button type="submit" class="main" disabled=${busy || open.length > 0}>${say("begin")}</button>
    </form>
  </main>`;
}
