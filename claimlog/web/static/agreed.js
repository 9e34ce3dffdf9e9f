// What was agreed at a table: entered when it is opened, and corrected afterwards.

import { html, useEffect, useState } from "./lib.js";
import { meant } from "./names.js";
import { Refused, read } from "./server.js";
import * as store from "./store.js";
import { factions, isolated, looting, pairs, ruleSets, rulings, say, tens } from "./words.js";

const OF_PAIRS = new Set(pairs.flat());
const PAUSE = 250;

/** The form before anything is entered. */
export const NOTHING = {
  seats: 2,
  players: ["", "", "", ""],
  leader: 0,
  deck: "",
  rules: ruleSets[0],
  rulings: {},
  loot: null,
  event: "",
  round: "",
  table: "",
  recorder: "",
  seated: ["", "", "", ""].map(() => ({ Rating: "", Id: "" })),
};

/** The letters of a deck that belong to no pair. */
const others = (deck) => [...deck].filter((letter) => !OF_PAIRS.has(letter));

/** The rulings that concern a deck, by key. */
function open(deck) {
  return Object.entries(rulings).filter(([, { about }]) => deck.includes(about));
}

/** What is still missing from the form, in words. */
export function lacking({ seats, leader, deck }) {
  const chosen = others(deck).length;
  return [
    leader ? "" : say("leader"),
    [...deck].some((letter) => OF_PAIRS.has(letter)) ? "" : say("pair"),
    chosen === tens[seats] ? "" : say("tens", { number: tens[seats], chosen }),
  ].filter(Boolean);
}

/** The rulings that differ from those of the rule set, as in a record. */
export function ruled({ rules, rulings: chosen, deck }) {
  const differing = {};
  for (const [key, { values, classic }] of open(deck)) {
    const usual = rules === "Classic" ? classic : Object.keys(values)[0];
    if (chosen[key] && chosen[key] !== usual) differing[key] = chosen[key];
  }
  return differing;
}

/** The form for what was agreed at a table; ratings and ids move with their players. */
export function agreedOf({ agreed, tags }) {
  const seated = NOTHING.seated.map((_, place) => ({
    Rating: tags[`Rating${place + 1}`] ?? "",
    Id: tags[`Id${place + 1}`] ?? "",
  }));
  return { ...NOTHING, ...agreed, players: [...agreed.players, "", "", ""].slice(0, 4), seated };
}

/** What was agreed, as tags of a record. */
function tagsOf(agreed) {
  const kept = ruled(agreed);
  const seats = agreed.players.map((name, place) => ({
    [`Player${place + 1}`]: place < agreed.seats ? name.trim() || "?" : "",
    [`Rating${place + 1}`]: agreed.seated[place].Rating,
    [`Id${place + 1}`]: agreed.seated[place].Id,
  }));
  return {
    ...Object.assign({}, ...seats),
    Leader: String(agreed.leader),
    Deck: agreed.deck,
    Rules: agreed.rules === ruleSets[0] ? "" : agreed.rules,
    Rulings: Object.entries(kept)
      .map(([key, value]) => `${key}=${value}`)
      .join(" "),
    LootCards: agreed.deck.includes(looting) ? (agreed.loot ?? []).join(" ") : "",
    Event: agreed.event.trim(),
    Round: agreed.round.trim(),
    Table: agreed.table.trim(),
    Recorder: agreed.recorder.trim(),
  };
}

/** The tags that change between two agreements; all players if the number of seats changes. */
export function changes(before, after) {
  const was = tagsOf(before);
  const all = before.seats !== after.seats;
  return Object.fromEntries(
    Object.entries(tagsOf(after)).filter(
      ([name, value]) => value !== was[name] || (all && value && name.startsWith("Player")),
    ),
  );
}

export function Field({ name, label, value, change, children, ...more }) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input id=${name} dir="auto" value=${value} onInput=${(event) => change(event.currentTarget.value)} ...${more} />
    ${children}
  </div>`;
}

/** A choice from a few values, as a field. */
function Choice({ name, label, value, change, choices }) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} value=${value} onChange=${(event) => change(event.currentTarget.value)}>
      ${choices.map(([each, text]) => html`<option value=${each}>${text}</option>`)}
    </select>
  </div>`;
}

/** "Frei, David" in the usual order. */
function turned(name) {
  const [last, first, ...more] = name.split(",").map((part) => part.trim());
  return last && first && !more.length ? `${first} ${last}` : name.trim();
}

/** The names that match a text: on the server by all its words, or by one; and on this phone. */
async function asked(of, text, token, signal) {
  const search = async (words) =>
    (await read(`/v1/${of}?limit=8&search=${encodeURIComponent(words)}`, { token, signal }))[of];
  const rows = await search(text);
  const parts = rows.length ? [] : text.split(/\s+/).filter((word) => word.length > 2);
  if (parts.length > 1) for (const word of parts) rows.push(...(await search(word)));
  await store.keepNames(of, rows);
  return rows;
}

/** Fetch the names of those who play most, so that they are known offline, too. */
export async function learnNames(token) {
  for (const [of, query] of [
    ["players", "limit=500&sort=games"],
    ["events", "limit=100"],
  ]) {
    try {
      const page = await read(`/v1/${of}?${query}`, { token });
      await store.keepNames(of, page[of]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
}

/**
 * A field for a name that the archive may know: it completes, suggests whom it may mean, and says
 * whether the name is new; offline it uses the names that this phone has seen.
 *
 * The suggestions come late and must not move anything: somebody may be tapping what is below.
 */
function Known({ of, name, label, value, change, token }) {
  const [rows, setRows] = useState(null); // null: unknown
  useEffect(() => {
    const typed = turned(value);
    if (typed.length < 2) {
      setRows(null);
      return undefined;
    }
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      const here = await store.names(of);
      try {
        const there = await asked(of, typed, token, stopped.signal);
        const more = here.filter((row) => there.every((one) => one.name !== row.name));
        if (!stopped.signal.aborted) setRows([...there, ...more]);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (!stopped.signal.aborted) setRows(here.length ? here : null);
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [value, token]);
  const typed = value.trim().length > 1;
  const { same, near } = meant(value, typed ? (rows ?? []) : []);
  const offered = same ?? near[0];
  const listed = `${name}-known`;
  return html`<${Field} name=${name} label=${label} value=${value} change=${change} maxlength="500" autocomplete="off" list=${listed}>
    <datalist id=${listed}>${near.map((row) => html`<option value=${row.name} />`)}</datalist>
    ${offered && offered.name !== value.trim() && html`<button type="button" class="suggested" aria-label=${say("known-as", { name: offered.name })} onClick=${() => change(offered.name)}>${isolated(offered.name)}</button>`}
    <small class="known">${typed && rows && (same ? say("known", { number: same.games ?? "" }) : near.length ? say("known-like") : say("unknown"))}</small>
  <//>`;
}

/** The fields for who plays, and who leads. */
export function People({ agreed, change, token }) {
  const { seats, players, leader, seated } = agreed;
  const rename = (place, name) =>
    change({ players: players.map((one, at) => (at === place ? name : one)) });
  const swapped = (list, place) => {
    const all = [...list];
    const next = (place + 1) % seats;
    [all[place], all[next]] = [all[next], all[place]];
    return all;
  };
  const swap = (place) =>
    change({ players: swapped(players, place), seated: swapped(seated, place) });
  return html`<fieldset>
      <legend>${say("players")}</legend>
      ${players.slice(0, seats).map(
        (name, place) =>
          html`${place > 0 && html`<button type="button" class="swap" aria-label=${say("swap-seats", { one: place, other: place + 1 })} onClick=${() => swap(place - 1)}>⇅</button>`}
          <${Known}
            key=${place}
            of="players"
            name=${`player${place + 1}`}
            label=${say("seat", { number: place + 1 })}
            value=${name}
            token=${token}
            change=${(value) => rename(place, value)}
          />`,
      )}
    </fieldset>
    <${Choice}
      name="leader"
      label=${say("leader")}
      value=${leader}
      change=${(seat) => change({ leader: Number(seat) })}
      choices=${[
        ...(leader ? [] : [[0, say("choose")]]),
        ...players
          .slice(0, seats)
          .map((name, place) => [place + 1, isolated(name) || say("seat", { number: place + 1 })]),
      ]}
    />`;
}

/** The deck: a pair, and as many other factions as the number of players needs. */
export function DeckOf({ agreed, change }) {
  const { deck, seats } = agreed;
  const pair = pairs.find(([first]) => deck.includes(first)) ?? [];
  const chosen = others(deck);
  const left = Object.keys(factions).filter((letter) => !OF_PAIRS.has(letter));
  const made = (letters, extra) => change({ deck: [...letters, ...[...extra].sort()].join("") });
  const toggle = (letter) =>
    made(
      pair,
      chosen.includes(letter) ? chosen.filter((one) => one !== letter) : [...chosen, letter],
    );
  return html`<fieldset>
      <legend>${say("pair")}</legend>
      <div class="tabs">
        ${pairs.map(
          (each) =>
            html`<button type="button" aria-pressed=${each[0] === pair[0]} onClick=${() => made(each, chosen)}>
              ${each.map((letter) => factions[letter].name).join(" & ")}
            </button>`,
        )}
      </div>
    </fieldset>
    <fieldset>
      <legend>${say("tens", { number: tens[seats], chosen: chosen.length })}</legend>
      <div class="tabs">
        ${left.map(
          (letter) =>
            html`<button type="button" class=${`of-${letter}`} aria-pressed=${chosen.includes(letter)} onClick=${() => toggle(letter)}>
              ${factions[letter].name}
            </button>`,
        )}
      </div>
    </fieldset>
    ${deck.includes(looting) && html`<${Loot} agreed=${agreed} change=${change} />`}`;
}

/** Which Raccoons show loot: no rulebook lists them, and they count at the end. */
function Loot({ agreed, change }) {
  const { loot } = agreed;
  const cards = [...new Set(factions[looting].values)].map((value) => `${looting}${value}`);
  const there = new Set(loot ?? []);
  const toggle = (card) => {
    if (!there.delete(card)) there.add(card);
    change({ loot: there.size ? cards.filter((one) => there.has(one)) : null });
  };
  return html`<fieldset id="loot">
    <legend>${say("loot")}</legend>
    <div class="loot">
      ${cards.map(
        (card) =>
          html`<button type="button" class=${`of-${looting}`} aria-label=${card} aria-pressed=${there.has(card)} onClick=${() => toggle(card)}>${card.slice(1)}</button>`,
      )}
    </div>
    ${!there.size && html`<small class="note">${say("loot-unknown")}</small>`}
  </fieldset>`;
}

/** The rules of the game. */
export function Rules({ agreed, change, children }) {
  const { rules, rulings: chosen, deck } = agreed;
  const names = ruleSets.map((name) => [name, say(`rules.${name}`)]);
  return html`<details class="more">
    <summary>${say(children ? "more-new" : "more-agreed")}</summary>
    <${Choice} name="rules" label=${say("rules")} value=${rules} change=${(value) => change({ rules: value, rulings: {} })} choices=${names} />
    ${open(deck).map(([key, { label, values, classic }]) => {
      const usual = rules === "Classic" ? classic : Object.keys(values)[0];
      return html`<${Choice}
        key=${key}
        name=${`ruling-${key}`}
        label=${label}
        value=${chosen[key] ?? usual}
        change=${(value) => change({ rulings: { ...chosen, [key]: value } })}
        choices=${Object.entries(values)}
      />`;
    })}
    ${children}
  </details>`;
}

/** The number of players. */
export function Seats({ agreed, change }) {
  const { seats, leader } = agreed;
  return html`<div class="tabs" role="group" aria-label=${say("players")}>
    ${[2, 3, 4].map(
      (number) =>
        html`<button
          type="button"
          aria-pressed=${seats === number}
          onClick=${() => change({ seats: number, leader: leader > number ? 0 : leader })}
        >${say("players-number", { number })}</button>`,
    )}
  </div>`;
}

/** The name of the scorer, which this phone remembers. */
export function Scorer({ agreed, change }) {
  return html`<${Field} name="scorer" label=${say("scorer")} value=${agreed.recorder} maxlength="200" autocomplete="name" change=${(recorder) => change({ recorder })} />`;
}

/** A game with the same event, round, table and day: at another table here, or in the archive. */
export async function twin({ event, round, table, date }, token, own = "") {
  if (!event) return null;
  const address = `/v1/tables?state=all&limit=200&event=${encodeURIComponent(event)}`;
  const { tables } = await read(address, { token });
  const wanted = { round, table, date };
  const open = tables.find(
    (one) =>
      one.id !== own &&
      one.state !== "abandoned" &&
      Object.entries(wanted).every(([name, value]) => (one[name] ?? "").trim() === (value ?? "")),
  );
  if (open) return { ...open, href: `/tables/${open.id}` };
  if (!round || !table) return null;
  const { events } = await read(`/v1/events?search=${encodeURIComponent(event)}`, { token });
  const { same } = meant(event, events);
  if (!same) return null;
  const query = new URLSearchParams({
    ...{ event: same.id, round, table, since: date, until: date },
    limit: "1",
  });
  const { games } = await read(`/v1/games?${query}`, { token });
  return games.length ? { ...there(games[0]), href: `/games/${games[0].id}` } : null;
}

/** A game of the archive, in the form in which tables are listed. */
function there({ event, round, table, players }) {
  return { event, round, table, players: players.map((one) => one.name ?? "?") };
}

/** The event, the round and the table. */
export function Where({ agreed, change, token }) {
  return html`<${Known} of="events" name="event" label=${say("event")} value=${agreed.event} token=${token} change=${(event) => change({ event })} />
    <div class="pair">
      <${Field} name="round" label=${say("round-label")} value=${agreed.round} maxlength="50" change=${(round) => change({ round })} />
      <${Field} name="table" label=${say("table-label")} value=${agreed.table} maxlength="50" change=${(table) => change({ table })} />
    </div>`;
}
