// A table on this phone: its entries, what they mean, and how far the server has them.
//
// An entry is on this phone's disk before anything of it is shown.  The outbox sends what the
// server has not acknowledged, in order, again and again; each entry has an id, so that none
// counts twice.

import * as judge from "./judge.js";
import { ask, follow, Refused } from "./server.js";
import * as store from "./store.js";
import { language } from "./words.js";

const LONGEST_WAIT = 30_000;

/** Do something alone: of all windows of this phone, or where pages may not lock, of this one. */
let turn = Promise.resolve();

function alone(name, work) {
  if (navigator.locks) return navigator.locks.request(name, work);
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

export class Session {
  constructor(id, changed) {
    this.id = id;
    this.address = `/v1/tables/${encodeURIComponent(id)}`;
    this.changed = changed;
    this.entries = [];
    this.view = null;
    this.judged = 0; // so many of the entries are in the view
    this.info = null; // what the server says about the table, beside the view
    this.link = "unknown"; // "up", "down"
    this.trouble = ""; // what the server has against what is sent
    this.other = null; // the device that scores instead of this one
    this.missing = false;
    this.wait = 1000;
    this.stopped = new AbortController();
  }

  /** Whether this phone has what it takes to score. */
  get mayScore() {
    return Boolean(this.token);
  }

  /** Whether this phone scores, and not another one, or nobody any more. */
  get scores() {
    return this.mayScore && !this.other && this.info?.state !== "finished" && !this.missing;
  }

  get kept() {
    return this.entries.length;
  }

  get atServer() {
    return this.entries.filter((one) => one.number !== null).length;
  }

  /** Begin: with what is on this phone, at once; then with the server. */
  async open(token) {
    this.device = await store.device();
    if (token) await store.keepTable(this.id, { token });
    const known = await store.table(this.id);
    this.token = known?.token;
    this.setup = known?.setup;
    this.info = known?.info ?? null;
    this.view = known?.view ?? null;
    this.judged = known?.judged ?? 0;
    await this.reload();
    this.changed();
    this.news = new BroadcastChannel(`claimlog ${this.id}`);
    this.news.onmessage = () => this.reload();
    const again = () => this.flush();
    addEventListener("online", again, { signal: this.stopped.signal });
    document.addEventListener("visibilitychange", again, { signal: this.stopped.signal });
    if (this.mayScore) {
      judge.start(() => this.refold());
      this.poll();
    }
    await this.look();
    if (this.mayScore) this.flush();
    this.watch();
  }

  /** Read the entries again: here, or in another window, something was added. */
  async reload() {
    this.entries = await store.entries(this.id);
    await this.refold();
  }

  /** Let the engine say what the entries mean; without it the server's word stands. */
  async refold() {
    if (judge.state === "ready" && this.setup !== undefined && this.mayScore) {
      const entries = this.entries.map((one) => one.entry);
      try {
        const view = await judge.ask("fold", { setup: this.setup, entries, language });
        if (entries.length >= this.judged || this.entries.length === entries.length) {
          this.view = view;
          this.judged = entries.length;
          await store.keepTable(this.id, { view, judged: this.judged });
        }
      } catch (error) {
        this.trouble = error.message.trim().split("\n").at(-1);
      }
    }
    this.changed();
  }

  /** Whether the view says what the entries mean, all of them. */
  get current() {
    return Boolean(this.view) && this.judged >= this.entries.length;
  }

  /** The words that were tapped since anybody judged. */
  get unjudged() {
    return this.entries.slice(this.judged).map((one) => one.entry);
  }

  /** Keep an entry, show what it does, and send it. */
  async add(entry) {
    await store.keepEntry(this.id, { id: store.newId(), ...entry });
    this.news?.postMessage("more");
    await this.reload();
    this.flush();
  }

  // The server ---------------------------------------------------------------------------------

  /** Ask what the table is, and who scores it. */
  async look() {
    const view = this.mayScore ? "all" : "spectator";
    try {
      const after = Math.max(0, ...this.entries.map((one) => one.number ?? 0));
      const more = this.mayScore ? `&after=${after}` : "";
      const address = `${this.address}?view=${view}&lang=${language}${more}`;
      await this.heard(await ask("GET", address, { token: this.token }));
      this.link = "up";
    } catch (error) {
      this.failed(error);
    }
    this.changed();
  }

  /** The server has told about the table. */
  async heard({ view, begin, entries = [], ...info }) {
    this.info = info;
    this.missing = false;
    if (this.mayScore) {
      this.setup = begin ?? this.setup;
      if (info.device !== undefined) {
        this.other = info.device && info.device !== this.device ? info : null;
      }
      await store.keepTable(this.id, { info, setup: this.setup });
      await this.learn(entries);
    }
    this.seen(view);
  }

  /** Keep entries as the server has them. */
  async learn(entries) {
    if (!entries.length) return;
    await store.acknowledge(
      this.id,
      entries.map(({ number, ...entry }) => ({ id: entry.id, number, entry })),
    );
    await this.reload();
  }

  /** The server's view: right if it has all entries, or if nobody here can judge. */
  seen(view) {
    const pending = this.entries.some((one) => one.number === null);
    if (!this.mayScore || this.other || (judge.state !== "ready" && !pending)) {
      this.view = view;
      this.judged = this.entries.length;
      if (this.mayScore) store.keepTable(this.id, { view, judged: this.judged });
    }
  }

  failed(error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 0 || error.status >= 500 || error.status === 429) {
      this.link = "down";
      return;
    }
    this.link = "up";
    if (error.status === 404) this.missing = true;
    else this.trouble = error.message;
  }

  /** Send what the server does not have; one window of this phone at a time. */
  async flush(takeOver = false) {
    if (!this.mayScore || this.missing) return;
    await alone(`claimlog ${this.id}`, () => this.send(takeOver));
    this.changed();
  }

  async send(takeOver) {
    if (this.other && !takeOver) return;
    for (let rounds = 0; rounds < 20; rounds++) {
      this.entries = await store.entries(this.id);
      const numbers = this.entries.map((one) => one.number ?? 0);
      const pending = this.entries.filter((one) => one.number === null).slice(0, 200);
      if (!pending.length && !takeOver && this.link === "up") return;
      try {
        const answer = await ask("POST", `${this.address}/actions?lang=${language}`, {
          token: this.token,
          body: {
            device: this.device,
            after: Math.max(0, ...numbers),
            entries: pending.map((one) => one.entry),
            ...(takeOver && { take_over: true }),
          },
        });
        await this.acknowledged(answer);
      } catch (error) {
        if (!(await this.conflict(error))) return;
        continue;
      }
      takeOver = false;
      if (!this.entries.some((one) => one.number === null)) return;
    }
  }

  async acknowledged(answer) {
    this.link = "up";
    this.trouble = "";
    this.other = null;
    this.wait = 1000;
    await store.acknowledge(this.id, answer.entries);
    this.entries = await store.entries(this.id);
    await this.heard(answer.table);
    this.news?.postMessage("sent");
  }

  /** What stands in the way of sending; whether to try again at once. */
  async conflict(error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status !== 409) {
      this.failed(error);
      return false;
    }
    const { type, table } = error.problem;
    this.link = "up";
    if (type.endsWith("other-device")) {
      this.other = table;
      return false;
    }
    if (type.endsWith("behind") && table.entries.length) {
      await this.learn(table.entries);
      return true;
    }
    this.trouble = error.message;
    return false;
  }

  /** Score here from now on; with `anew` what only this phone has is thrown away. */
  async takeOver(anew = false) {
    if (anew) await store.forgetUnsent(this.id);
    await this.reload();
    await this.look();
    await this.flush(true);
    await this.reload();
  }

  /** Try again from time to time, more and more seldom, as long as anything waits. */
  poll() {
    if (this.stopped.signal.aborted) return;
    setTimeout(async () => {
      const waiting = this.kept > this.atServer || this.link !== "up";
      if (waiting && document.visibilityState === "visible") {
        await this.flush();
        this.wait = this.link === "up" ? 1000 : Math.min(this.wait * 1.6, LONGEST_WAIT);
      }
      this.poll();
    }, this.wait);
  }

  /** Follow what happens at the table, at other devices. */
  watch() {
    const view = this.mayScore ? "all" : "spectator";
    follow(`${this.address}/events?view=${view}&lang=${language}`, {
      token: this.token,
      signal: this.stopped.signal,
      connected: (up) => {
        const back = up && this.link === "down";
        this.link = up ? "up" : "down";
        if (back) this.flush();
        this.changed();
      },
      heard: (name, data) => {
        if (name === "table") this.heard(data).then(() => this.changed());
      },
    });
  }

  /** Make the game one of the archive. */
  async finish(body = undefined) {
    await this.flush();
    const answer = await ask("POST", `${this.address}/finish`, { token: this.token, body });
    await this.heard(answer);
    this.changed();
  }

  close() {
    this.stopped.abort();
    this.news?.close();
  }
}
