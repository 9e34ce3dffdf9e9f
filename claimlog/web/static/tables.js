// The open tables, and the form that opens one.

import { html, useEffect, useState } from "./lib.js";
import { ask, Refused } from "./server.js";
import { Link } from "./sheets.js";
import * as store from "./store.js";
import { factions, language, say } from "./words.js";

const PAIRS = [["G", "K"], ["N", "I"], ["M", "P"]];
const OF_PAIRS = new Set(PAIRS.flat());

/** Who plays, in a word. */
function title(one) {
  return (one.players ?? []).join(" – ");
}

/** The tables: those on this phone, and those that are open at the server. */
export function Tables() {
  const [open, setOpen] = useState(null);
  const [mine, setMine] = useState([]);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    store.tables().then((all) => setMine(all.filter((one) => one.token)));
    ask("GET", "/v1/tables?state=open")
      .then((page) => setOpen(page.tables))
      .catch((error) => setTrouble(error.status ? error.message : say("offline")));
  }, []);
  const row = (one) => html`<li>
    <a class="button" href=${`/tables/${one.id}`}>
      <strong>${title(one)}</strong>
      <span>${[one.event, one.round && say("round", { number: one.round }), one.table && say("table", { number: one.table })].filter(Boolean).join(" · ")}</span>
    </a>
  </li>`;
  return html`<main class="form">
    <h1>${say("tables")}</h1>
    <a class="button main" href="/tables/new">${say("new")}</a>
    ${mine.length > 0 && html`<h2>${say("mine")}</h2><ul class="tables">${mine.map((one) => row({ ...one.info, players: one.view?.players ?? one.info?.players, id: one.id }))}</ul>`}
    ${open && html`<h2>${say("open")}</h2>${open.length ? html`<ul class="tables">${open.map(row)}</ul>` : html`<p>${say("none-open")}</p>`}`}
    ${trouble && html`<p class="note" role="alert">${trouble}</p>`}
  </main>`;
}

function Field({ name, label, value, change, ...more }) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input id=${name} value=${value} onInput=${(event) => change(event.currentTarget.value)} ...${more} />
  </div>`;
}

/** The deck: a pair, and as many of the others as the players need. */
function DeckOf({ deck, change, tens }) {
  const pair = PAIRS.find(([first]) => deck.includes(first));
  const chosen = [...deck].filter((letter) => !OF_PAIRS.has(letter));
  const others = Object.keys(factions).filter((letter) => !OF_PAIRS.has(letter));
  const made = (letters, extra) => change([...letters, ...[...extra].sort()].join(""));
  const toggle = (letter) =>
    made(pair, chosen.includes(letter) ? chosen.filter((one) => one !== letter) : [...chosen, letter]);
  return html`<fieldset>
      <legend>${say("pair")}</legend>
      <div class="tabs">
        ${PAIRS.map(
          (each) =>
            html`<button type="button" aria-pressed=${each === pair} onClick=${() => made(each, chosen)}>
              ${each.map((letter) => factions[letter].name).join(" & ")}
            </button>`,
        )}
      </div>
    </fieldset>
    <fieldset>
      <legend>${say("tens", { number: tens, chosen: chosen.length })}</legend>
      <div class="tabs">
        ${others.map(
          (letter) =>
            html`<button type="button" class=${`of-${letter}`} aria-pressed=${chosen.includes(letter)} onClick=${() => toggle(letter)}>
              ${factions[letter].name}
            </button>`,
        )}
      </div>
    </fieldset>`;
}

/** A new table. */
export function New() {
  const [seats, setSeats] = useState(2);
  const [players, setPlayers] = useState(["", "", "", ""]);
  const [deck, setDeck] = useState("GKUWX");
  const [leader, setLeader] = useState(1);
  const [about, setAbout] = useState({ event: "", round: "", table: "" });
  const [access, setAccess] = useState("");
  const [trouble, setTrouble] = useState("");
  const [needsToken, setNeedsToken] = useState(false);
  const [made, setMade] = useState(null);
  const tens = seats === 2 ? 3 : 5;
  const whole = [...deck].length === tens + 2;
  const begin = async (event) => {
    event.preventDefault();
    setTrouble("");
    const body = {
      deck,
      players: players.slice(0, seats).map((name) => name.trim() || "?"),
      leader,
      ...Object.fromEntries(Object.entries(about).filter(([, value]) => value.trim())),
    };
    const now = new Date();
    body.date = new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    try {
      const table = await ask("POST", "/v1/tables", { token: access || undefined, body, language });
      await store.keepTable(table.id, { token: table.token, info: { ...about, players: body.players } });
      setMade(table);
    } catch (error) {
      if (error instanceof Refused && [401, 403].includes(error.status)) setNeedsToken(true);
      setTrouble(error.status ? error.message : say("offline"));
    }
  };
  if (made) {
    return html`<main class="form">
      <h1>${say("made")}</h1>
      <a class="button main" id="go" href=${`/tables/${made.id}`}>${say("go")}</a>
      <h2>${say("link.score")}</h2>
      <${Link} id=${made.id} token=${made.token} about=${say("link.score-about")} />
      <h2>${say("link.watch")}</h2>
      <${Link} id=${made.id} about=${say("link.watch-about")} />
    </main>`;
  }
  return html`<main class="form">
    <h1>${say("new")}</h1>
    <form onSubmit=${begin}>
      <fieldset>
        <legend>${say("players")}</legend>
        <div class="tabs">
          ${[2, 3, 4].map(
            (number) =>
              html`<button type="button" aria-pressed=${seats === number} aria-label=${say("players-number", { number })} onClick=${() => setSeats(number)}>${number}</button>`,
          )}
        </div>
        ${players.slice(0, seats).map(
          (name, place) =>
            html`<${Field}
              name=${`player${place + 1}`}
              label=${say("seat", { number: place + 1 })}
              value=${name}
              maxlength="200"
              autocomplete="off"
              change=${(value) => setPlayers(players.map((one, at) => (at === place ? value : one)))}
            />`,
        )}
      </fieldset>
      <div class="field">
        <label for="leader">${say("leader")}</label>
        <select id="leader" value=${leader} onChange=${(event) => setLeader(Number(event.currentTarget.value))}>
          ${players.slice(0, seats).map((name, place) => html`<option value=${place + 1}>${name || say("seat", { number: place + 1 })}</option>`)}
        </select>
      </div>
      <${DeckOf} deck=${deck} change=${setDeck} tens=${tens} />
      <${Field} name="event" label=${say("event")} value=${about.event} maxlength="200" change=${(event) => setAbout({ ...about, event })} />
      <div class="pair">
        <${Field} name="round" label=${say("round-label")} value=${about.round} maxlength="50" change=${(round) => setAbout({ ...about, round })} />
        <${Field} name="table" label=${say("table-label")} value=${about.table} maxlength="50" change=${(table) => setAbout({ ...about, table })} />
      </div>
      ${needsToken && html`<${Field} name="token" label=${say("token")} value=${access} type="password" autocomplete="off" change=${setAccess} />`}
      ${trouble && html`<p class="note" role="alert">${trouble}</p>`}
      <button type="submit" class="main" disabled=${!whole}>${say("begin")}</button>
    </form>
  </main>`;
}
