// The data kept on this phone: tables and their entries, saved on its disk before they are shown.

function request(made) {
  return new Promise((good, bad) => {
    made.onsuccess = () => good(made.result);
    made.onerror = () => bad(made.error);
  });
}

function finished(transaction) {
  return new Promise((/** @type {(done?: unknown) => void} */ good, bad) => {
    transaction.oncomplete = () => good();
    transaction.onabort = transaction.onerror = () => bad(transaction.error);
  });
}

const MOST_NAMES = 3000;

let opened;

function database() {
  opened ??= new Promise((good, bad) => {
    const asked = indexedDB.open("claimlog", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("tables", { keyPath: "id" });
      const entries = asked.result.createObjectStore("entries", {
        keyPath: "place",
        autoIncrement: true,
      });
      entries.createIndex("table", "table");
      entries.createIndex("once", ["table", "id"], { unique: true });
    };
    asked.onsuccess = () => good(asked.result);
    asked.onerror = () => bad(asked.error);
  });
  return opened;
}

async function writing(stores, work) {
  // "strict": on the disk, not only on its way there, when it is reported as done.
  const transaction = (await database()).transaction(stores, "readwrite", {
    durability: "strict",
  });
  const done = finished(transaction);
  await work(transaction);
  await done;
}

/** The data of a table, undefined if there are none. */
export async function table(id) {
  return request((await database()).transaction("tables").objectStore("tables").get(id));
}

/** All tables with data on this phone. */
export async function tables() {
  return request((await database()).transaction("tables").objectStore("tables").getAll());
}

/** Save data of a table, in addition to those that are there. */
export async function keepTable(id, known) {
  await writing(["tables"], async (transaction) => {
    const tables = transaction.objectStore("tables");
    tables.put({ ...(await request(tables.get(id))), ...known, id });
  });
}

/**
 * The entries of a table: first those that the server has, by its numbers, then the others.  Each
 * is {place, table, id, number or null, entry, after}: an entry made here says which of the
 * server's entries it comes after.
 */
export async function entries(id) {
  const index = (await database()).transaction("entries").objectStore("entries").index("table");
  const rows = await request(index.getAll(id));
  const rank = (one) => one.number ?? Infinity;
  return rows.sort((a, b) => (rank(a) === rank(b) ? a.place - b.place : rank(a) - rank(b)));
}

/** Save an entry made here, after the server's entry number `after`. */
export async function keepEntry(id, entry, after) {
  await writing(["entries"], (transaction) => {
    const entries = transaction.objectStore("entries");
    entries.add({ table: id, id: entry.id, number: null, entry, after });
  });
}

/** Save what the server has: [{id, number}], with `entry` for those that others made. */
export async function acknowledge(id, those) {
  if (!those.length) return;
  await writing(["entries"], async (transaction) => {
    const entries = transaction.objectStore("entries");
    const once = entries.index("once");
    for (const { id: entryId, number, entry } of those) {
      const there = await request(once.get([id, entryId]));
      if (there) entries.put({ ...there, number });
      else if (entry) entries.add({ table: id, id: entryId, number, entry });
    }
  });
}

/** Delete entries that the server does not have: those with these ids, or all. */
export async function forgetUnsent(id, those = null) {
  const unsent = (await entries(id)).filter((one) => one.number === null);
  const waiting = those ? unsent.filter((one) => those.includes(one.id)) : unsent;
  await writing(["entries"], (transaction) => {
    for (const one of waiting) transaction.objectStore("entries").delete(one.place);
  });
}

/** Names of players or events that this phone has seen, each with its number of games. */
export async function names(of) {
  return Object.entries((await table(`(${of})`))?.names ?? {}).map(([name, games]) => ({
    name,
    games,
  }));
}

/** Remember names: [{name, games}]. */
export async function keepNames(of, rows) {
  const known = (await table(`(${of})`))?.names ?? {};
  const fresh = rows.filter((row) => known[row.name] !== row.games);
  if (!fresh.length) return;
  const all = { ...known, ...Object.fromEntries(fresh.map((row) => [row.name, row.games])) };
  await keepTable(`(${of})`, {
    names: Object.fromEntries(Object.entries(all).slice(-MOST_NAMES)),
  });
}

/** The name of the scorer on this phone, as last entered. */
export async function scorer() {
  return (await table("(scorer)"))?.name ?? "";
}

/** Remember the name of the scorer on this phone. */
export async function keepScorer(name) {
  await keepTable("(scorer)", { name });
}

/** The name of this phone, which is the same for all its tables and visible to others. */
export async function device() {
  const kept = await table("(device)");
  if (kept) return kept.name;
  const kind = /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? "Web";
  const name = `${kind}-${newId().slice(0, 6)}`;
  await keepTable("(device)", { name });
  return name;
}

/** A unique id. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}
