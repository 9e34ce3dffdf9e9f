// What was agreed at a table: asked for when it is opened, and mended afterwards.

import { html, useEffect, useState } from "./lib.js";
import { ask, Refused } from "./server.js";
import { factions, looting, pairs, ruleSets, rulings, say, tens } from "./words.js";

const OF_PAIRS = new Set(pairs.flat());
const PAUSE = 250;

/** Nothing is agreed until somebody says so. */
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
};

/** The deck's letters that belong to no pair. */
const others = (deck) => [...deck].filter((letter) => !OF_PAIRS.has(letter));

/** The rulings that concern a deck, by key. */
function open(deck) {
  return Object.entries(rulings).filter(([, { about }]) => deck.includes(about));
}

/** What has still to be agreed, in words. */
export function lacking({ seats, leader, deck }) {
  const chosen = others(deck).length;
  return [
    leader ? "" : say("leader"),
    [...deck].some((letter) => OF_PAIRS.has(letter)) ? "" : say("pair"),
    chosen === tens[seats] ? "" : say("tens", { number: tens[seats], chosen }),
  ].filter(Boolean);
}

/** The rulings that are not those of the rule set, as a record writes them. */
export function ruled({ rules, rulings: chosen, deck }) {
  const found = {};
  for (const [key, { values, classic }] of open(deck)) {
    const usual = rules === "Classic" ? classic : Object.keys(values)[0];
    if (chosen[key] && chosen[key] !== usual) found[key] = chosen[key];
  }
  return found;
}

/** What was agreed at a table, for the form. */
export function agreedOf({ agreed }) {
  return { ...NOTHING, ...agreed, players: [...agreed.players, "", "", ""].slice(0, 4) };
}

/** What was agreed, as tags of a record. */
function tagsOf(agreed) {
  const names = agreed.players.slice(0, agreed.seats);
  const kept = ruled(agreed);
  return {
    ...Object.fromEntries(names.map((name, place) => [`Player${place + 1}`, name.trim() || "?"])),
    Leader: String(agreed.leader),
    // The stricter of two rule sets comes after the deck that it allows.
    ...(agreed.rules === "Classic" ? {} : { Rules: "" }),
    Deck: agreed.deck,
    ...(agreed.rules === "Classic" ? { Rules: agreed.rules } : {}),
    Rulings: Object.entries(kept)
      .map(([key, value]) => `${key}=${value}`)
      .join(" "),
    LootCards: agreed.deck.includes(looting) ? (agreed.loot ?? []).join(" ") : "",
    Event: agreed.event.trim(),
    Round: agreed.round.trim(),
    Table: agreed.table.trim(),
  };
}

/** The entries that make of one agreement another. */
export function changes(before, after) {
  const was = tagsOf(before);
  return Object.entries(tagsOf(after))
    .filter(([name, value]) => value !== was[name])
    .map(([name, value]) => ({ kind: "tag", name, value }));
}

export function Field({ name, label, value, change, children, ...more }) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input id=${name} value=${value} onInput=${(event) => change(event.currentTarget.value)} ...${more} />
    ${children}
  </div>`;
}

/** A choice out of a few, as a field. */
function Choice({ name, label, value, change, choices }) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} value=${value} onChange=${(event) => change(event.currentTarget.value)}>
      ${choices.map(([each, text]) => html`<option value=${each}>${text}</option>`)}
    </select>
  </div>`;
}

const plain = (name) => name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();

/** "Frei, David" as people say it. */
function turned(name) {
  const [last, first, ...more] = name.split(",").map((part) => part.trim());
  return last && first && !more.length ? `${first} ${last}` : name.trim();
}

/**
 * A name that the archive may know: it completes, and says whether it is a new one.
 *
 * What it says comes late and moves nothing: somebody may be tapping what is below.
 */
function Known({ of, name, label, value, change, token }) {
  const [rows, setRows] = useState(null); // null: nobody can say
  useEffect(() => {
    const typed = turned(value);
    if (typed.length < 2) {
      setRows(null);
      return undefined;
    }
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      const address = `/v1/${of}?limit=8&search=${encodeURIComponent(typed)}`;
      try {
        setRows(
          (await ask("GET", address, { token: token || undefined, signal: stopped.signal }))[of],
        );
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (!stopped.signal.aborted) setRows(null);
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [value, token]);
  const known = rows?.find((row) => plain(row.name) === plain(turned(value)));
  const typed = value.trim().length > 1;
  const listed = `${name}-known`;
  return html`<${Field} name=${name} label=${label} value=${value} change=${change} maxlength="200" autocomplete="off" list=${listed}>
    <datalist id=${listed}>${(rows ?? []).map((row) => html`<option value=${row.name} />`)}</datalist>
    ${known && known.name !== value.trim() && html`<button type="button" class="suggested" aria-label=${say("known-as", { name: known.name })} onClick=${() => change(known.name)}>${known.name}</button>`}
    <small class="known">${typed && rows && (known ? say("known", { number: known.games }) : say("unknown"))}</small>
  <//>`;
}

/** Who plays, and who leads. */
export function People({ agreed, change, token }) {
  const { seats, players, leader } = agreed;
  const rename = (place, name) =>
    change({ players: players.map((one, at) => (at === place ? name : one)) });
  return html`<fieldset>
      <legend>${say("players")}</legend>
      ${players.slice(0, seats).map(
        (name, place) =>
          html`<${Known}
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
          .map((name, place) => [place + 1, name || say("seat", { number: place + 1 })]),
      ]}
    />`;
}

/** The deck: a pair, and as many of the others as the players need. */
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

/** Which Raccoons show loot: what no rulebook lists, and what counts at the end. */
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

/** Which rules are played by. */
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

/** The event, its round, its table. */
export function Where({ agreed, change, token }) {
  return html`<${Known} of="events" name="event" label=${say("event")} value=${agreed.event} token=${token} change=${(event) => change({ event })} />
    <div class="pair">
      <${Field} name="round" label=${say("round-label")} value=${agreed.round} maxlength="50" change=${(round) => change({ round })} />
      <${Field} name="table" label=${say("table-label")} value=${agreed.table} maxlength="50" change=${(table) => change({ table })} />
    </div>`;
}
