// A fake phone and server: a page's browser environment, and a table as the API keeps it.
//
// The server treats entries as claimlog/api/tables/live.py does (`actions`, `_refuse`).

import "fake-indexeddb/auto";
import { webcrypto } from "node:crypto";

const page = new EventTarget();
const fallen = new Error("no network");
let server;

Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  location: { search: "?lang=en" },
  document: Object.assign(new EventTarget(), {
    documentElement: { dataset: {} },
    visibilityState: "visible",
  }),
  fetch: async (address, options) =>
    String(address).includes("words-")
      ? Response.json({ texts: {} })
      : server.fetched(String(address), options),
});
// Newer versions of Node define these, as read-only properties.
for (const [name, value] of Object.entries({
  crypto: webcrypto,
  navigator: { userAgent: "Android", languages: ["en"] },
})) {
  Object.defineProperty(globalThis, name, { value });
}

/** A table on a server, and the network in between. */
export class Server {
  constructor() {
    server = this;
    this.entries = [];
    this.device = null;
    this.seen = null; // when it has heard of the device
    this.up = true;
    this.late = null; // what its answers to entries wait for
    this.losing = 0; // the number of answers that get lost on their way back
    this.refusal = null; // the answer that it gives instead
    this.closed = ""; // why it takes no more entries: "confirmed", "finished", "abandoned"
    this.posts = [];
    this.looks = 0; // how often it was asked for the table
  }

  /** A phone adds entries. */
  add(device, ...entries) {
    this.device = device;
    this.seen = new Date(Date.parse(this.seen ?? "2026-11-26T18:00Z") + 1000).toISOString();
    for (const entry of entries) this.entries.push({ ...entry, number: this.entries.length + 1 });
  }

  get words() {
    return this.entries.map((one) => one.word);
  }

  async fetched(address, { method = "GET", body, signal } = {}) {
    if (!this.up) throw fallen;
    if (address.includes("/events")) return this.events(signal);
    const { status, answer } = method === "POST" ? this.take(JSON.parse(body)) : this.look(address);
    if (method === "POST") await this.late;
    if (this.losing && method === "POST") {
      this.losing -= 1;
      throw fallen;
    }
    return Response.json(answer, { status });
  }

  /** A stream in which nothing happens. */
  events(signal) {
    const stream = new ReadableStream({
      start: (control) => signal.addEventListener("abort", () => control.close()),
    });
    return new Response(stream);
  }

  since(after) {
    return this.entries.filter((one) => one.number > after);
  }

  table(more = {}) {
    const { device } = this;
    const { length: number } = this.entries;
    const view = { number, words: this.words, closed: this.closed };
    const state = this.closed && this.closed !== "confirmed" ? this.closed : "open";
    return { state, device, seen_at: this.seen, view, begin: {}, ...more };
  }

  look(address) {
    this.looks += 1;
    const after = Number(new URL(address, "http://table").searchParams.get("after") ?? Infinity);
    return { status: 200, answer: this.table({ entries: this.since(after) }) };
  }

  take({ device, after, entries, take_over: taking }) {
    this.posts.push(entries.map((one) => one.word));
    if (this.refusal) return this.refusal;
    const known = new Map(this.entries.map((one) => [one.id, one.number]));
    const fresh = entries.filter((one) => !known.has(one.id));
    const sent = new Set(entries.map((one) => one.id));
    if (fresh.length || !entries.length || taking) {
      const stays = fresh.length && fresh[0].kind !== "unconfirm";
      if (this.closed && (stays || this.closed !== "confirmed")) {
        return this.conflict("table-closed", {}, `table.closed-${this.closed}`);
      }
      const lacking = this.since(after).filter((one) => !sent.has(one.id));
      if (this.device && this.device !== device && !taking) {
        return this.conflict("other-device", { device: this.device, seen_at: this.seen });
      }
      if (lacking.length || after > this.entries.length) {
        return this.conflict("behind", { entries: lacking });
      }
      this.add(device, ...fresh);
    }
    const numbers = new Map(this.entries.map((one) => [one.id, one.number]));
    const acknowledged = entries.map(({ id }) => ({ id, number: numbers.get(id) }));
    return { status: 200, answer: { entries: acknowledged, table: this.table() } };
  }

  conflict(type, table, key = "") {
    const answer = { type: `urn:claimlog:${type}`, title: type, key, table };
    return { status: 409, answer };
  }
}

/** Tell the page that the network is back. */
export function online() {
  dispatchEvent(new Event("online"));
}

/** Wait until a condition holds. */
export async function until(so) {
  for (let tries = 0; tries < 400; tries++) {
    if (await so()) return;
    await new Promise((go) => setTimeout(go, 5));
  }
  throw new Error(`not so: ${so}`);
}
