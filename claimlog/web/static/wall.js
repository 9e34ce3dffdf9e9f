// The screen on the wall: standings and live tables in turn, as the server sends them.

import { Notice } from "./notice.js";
import { readable } from "./results.js";

const main = document.getElementById("main");
const wall = document.getElementById("wall");
const words = JSON.parse(main.dataset.words);
const seconds = Number(main.dataset.seconds);
const TILES = 12;
let news = null;
let round = { number: null, tables: [], byes: [] };
let at = 0;
let turning = 0;

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const language = document.documentElement.lang;
const number = (value) => {
  return value.toLocaleString(language, { maximumFractionDigits: 2 });
};
/** Names in one line of text, each with its own direction of writing. */
const apart = (names, between) =>
  names.flatMap((name, place) => [place ? between : "", element("bdi", {}, name)]);

/** How many rows or tiles of a page are whole on the screen, at least one. */
function fitting(page) {
  wall.replaceChildren(page);
  const end = wall.getBoundingClientRect().top + wall.clientHeight;
  const items = [...page.querySelectorAll("tbody tr, li")];
  const over = items.findIndex((item) => item.getBoundingClientRect().bottom > end);
  return over < 0 ? items.length : Math.max(1, over);
}

/** Split items among pages that the screen shows whole; a name may take several lines. */
function split(items, make) {
  const parts = [];
  for (let first = 0; first < items.length; first += parts.at(-1).length) {
    let part = items.slice(first);
    // The columns of fewer rows may be narrower.
    for (let fit = fitting(make(part)); fit < part.length; fit = fitting(make(part)))
      part = part.slice(0, fit);
    parts.push(part);
  }
  return parts;
}

function standings(lines, keys) {
  const cell = (text, kind = "number") => element("td", { class: kind }, text);
  const title = (key) => words[key] ?? key;
  const head = element(
    "tr",
    {},
    ...[
      words.rank,
      words.name,
      title(keys[0]),
      words.games,
      words.wsl,
      ...keys.slice(1).map(title),
    ].map((text, place) =>
      element("th", { scope: "col", class: place === 1 ? "" : "number" }, text),
    ),
  );
  const rows = lines.map((line) =>
    element(
      "tr",
      {},
      cell(String(line.rank)),
      element("th", { scope: "row" }, element("bdi", {}, line.name)),
      cell(number(line.values[0]), "number result"),
      cell(String(line.games)),
      cell(`${line.won}/${line.shared}/${line.lost}`),
      ...line.values.slice(1).map((value) => cell(number(value))),
    ),
  );
  return element(
    "table",
    { class: "standings" },
    element("thead", {}, head),
    element("tbody", {}, ...rows),
  );
}

function tile(table) {
  const sides = Object.values(table.race)[0]?.length ?? 2;
  const won = Object.values(table.race).map((counts) => counts.join(":"));
  const state = table.over
    ? fill(words.over, { result: readable(table.result) })
    : fill(words.trick, { number: table.trick, total: table.tricks });
  const place = [
    table.round && fill(words.round, { number: table.round }),
    table.table && fill(words.table, { number: table.table }),
  ];
  return element(
    "li",
    {},
    element(
      "span",
      { class: "tile" },
      element(
        "b",
        {},
        ...apart(table.players, sides === 2 && table.players.length === 2 ? " – " : ", "),
      ),
      element("span", { class: "dim" }, place.filter(Boolean).join(" · ")),
      element("span", {}, state),
      element(
        "span",
        { class: "race" },
        ...Object.keys(table.race).map((letter, index) =>
          element("span", { class: `of-${letter}` }, `${letter} ${won[index]}`),
        ),
      ),
    ),
  );
}

/** Tables of the last round: players, and results if known; or who has a bye. */
function paired(tables) {
  const rows = tables.map(([table, who, result, forfeit]) =>
    element(
      "tr",
      {},
      element("td", { class: "number" }, table),
      element(
        "th",
        { scope: "row" },
        ...who.flatMap((side, place) => [place ? " – " : "", ...apart(side, " & ")]),
      ),
      element(
        "td",
        { class: "number result" },
        readable(result) + (forfeit ? ` ${words.forfeit}` : ""),
      ),
    ),
  );
  return element("table", { class: "paired" }, element("tbody", {}, ...rows));
}

/** The pages that are shown in turn. */
function pages() {
  const found = [];
  const lines = news.standings?.lines ?? [];
  const ranked = (part) => standings(part, news.standings.tiebreaks);
  const tiles = (part) => element("ul", { class: "tables" }, ...part.map(tile));
  const add = (what, items, make) => {
    for (const part of split(items, make)) found.push({ what, node: () => make(part) });
  };
  add(words.standings, lines, ranked);
  // Games in progress first, then those that are played later, then the latest results.
  const open = news.tables.filter((one) => one.state === "open" && !one.over);
  const going = open.filter((one) => one.number && !one.adjourned);
  const over = news.tables.filter((one) => one.state !== "abandoned" && one.over);
  add(words.live, going, tiles);
  add(
    words.adjourned,
    open.filter((one) => one.adjourned),
    tiles,
  );
  add(words.results, over.slice(0, TILES), tiles);
  const { number: name, tables: seated, byes } = round;
  const played = (one) => one[2] && one[2] !== "*";
  const waiting = seated.filter((one) => !played(one));
  const ended = seated.filter(played);
  (waiting.length ? waiting : ended).push(...byes.map((who) => ["–", [[who]], words.bye]));
  for (const [what, tables] of [
    [words.pairings, waiting],
    [words.results, ended],
  ]) {
    add(name ? `${what} · ${fill(words.round, { number: name })}` : what, tables, paired);
  }
  return found.length ? found : [{ what: "", node: () => element("p", {}, words.nothing) }];
}

function show() {
  const all = pages();
  at %= all.length;
  wall.replaceChildren(all[at].node());
  document.getElementById("what").textContent = all[at].what;
  document.getElementById("page").textContent = all.length > 1 ? `${at + 1}/${all.length}` : "";
  main.dataset.shown = String(at);
}

function turn() {
  at += 1;
  if (news) show();
}

/** Ask for the state of the last round. */
async function follow() {
  const answer = await fetch(main.dataset.round, { headers: { Accept: "text/html" } }).catch(
    () => null,
  );
  if (!answer?.ok) return;
  round = await answer.json();
  show();
}

const state = document.getElementById("state");
const source = new EventSource(main.dataset.live);
source.addEventListener("live", (event) => {
  news = JSON.parse(event.data);
  state.textContent = fill(words.as_of, { time: new Date().toLocaleTimeString(language) });
  show();
  follow();
  if (!turning) turning = setInterval(turn, seconds * 1000);
});
const notice = new Notice(document.getElementById("notice"));
source.addEventListener("notice", (event) => {
  notice.show(JSON.parse(event.data));
  if (news) show();
});
source.addEventListener("error", () => {
  state.textContent = words.lost;
});
addEventListener("resize", () => news && show());
// Any key or tap turns the page at once.
addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" || event.key === " ") turn();
});
wall.addEventListener("click", turn);
