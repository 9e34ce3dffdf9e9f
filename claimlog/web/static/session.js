// A table on this phone: its entries, what they mean, and which of them the server has.
//
// An entry is on this phone's disk before anything of it is shown.  The outbox sends what the
// server has not acknowledged, in order, until it succeeds; each entry has an id, so that none
// counts twice.

import * as judge from "./judge.js";
import { ask, follow, Refused } from "./server.js";
import * as store from "./store.js";
import { language, say } from "./words.js";

const LONGEST_WAIT = 30_000;
const REMARKS = new Set(["note", "annotate", "stamp", "pause"]);
const WRITTEN_BY = new Set(["Annotator", "Recorder", "Director"]);

/** The entries without those that were undone at once. */
function inForce(entries) {
  const kept = [];
  for (const entry of entries) {
    if (entry.kind === "undo" && kept.length && kept.at(-1).kind !== "undo") kept.pop();
    else kept.push(entry);
  }
  return kept;
}

/** Whether an entry says nothing of the game itself, so that a confirmed one stays confirmed. */
function leavesGame({ kind, name, tags }) {
  const named = kind === "tag" ? [name] : Object.keys(tags ?? {});
  return REMARKS.has(kind) || (named.length > 0 && named.every((one) => WRITTEN_BY.has(one)));
}

/** What an entry does, whoever made it. */
function does({ id, number, ...what }) {
  return JSON.stringify(what);
}

/** Compare two lists of entries: how many are the same, and which ones only one list has. */
export function compared(mine, theirs) {
  const [here, there] = [inForce(mine), inForce(theirs)];
  let same = 0;
  while (same < Math.min(here.length, there.length) && does(here[same]) === does(there[same])) {
    same += 1;
  }
  return { same, here: here.slice(same), there: there.slice(same) };
}

/** Run work exclusively among all windows of this phone, or of this window if locks are missing. */
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
    this.storing = []; // the entries on their way to this phone's disk
    this.view = null;
    this.judged = 0; // the number of entries in the view
    this.newest = null; // the newest view from the server
    this.info = null; // what the server says about the table, besides the view
    this.link = "unknown"; // "up", "down"
    this.trouble = ""; // why the server refuses what is sent
    this.other = null; // the device that scores instead of this one
    this.seenAt = 0; // the newest time at which the server has heard of the scoring device
    this.missing = false;
    this.notice = null; // the clock of the round and the announcement, and when they arrived
    this.noticed = 0;
    this.wait = 1000;
    this.stopped = new AbortController();
  }

  /** Whether this phone has a token to score. */
  get mayScore() {
    return Boolean(this.token);
  }

  /** Whether this phone scores, rather than another one or nobody any more. */
  get scores() {
    return this.mayScore && !this.other && this.info?.state !== "finished" && !this.missing;
  }

  /** Whether the game was handed in, or the table abandoned. */
  get ended() {
    const { state = "open" } = this.info ?? {};
    return state !== "open";
  }

  /** Whether nothing changes the game: all sides have confirmed it, or it has ended. */
  get closed() {
    return this.ended || Boolean(this.view?.closed);
  }

  get kept() {
    return this.entries.length;
  }

  get atServer() {
    return this.entries.filter((one) => one.number !== null).length;
  }

  /** The entries that only this phone has. */
  get unsent() {
    return this.entries.filter((one) => one.number === null);
  }

  /** The number of the last entry that the server is known to have. */
  get last() {
    return Math.max(0, ...this.entries.map((one) => one.number ?? 0));
  }

  /** Begin with the data on this phone, at once; then ask the server. */
  async open(token) {
    this.device = await store.device();
    if (token) await store.keepTable(this.id, { token });
    const known = await store.table(this.id);
    this.token = known?.token;
    this.setup = known?.setup;
    this.info = known?.info ?? null;
    this.view = known?.view ?? null;
    this.judged = known?.judged ?? 0;
    this.other = known?.other ?? null;
    await this.reload();
    this.changed();
    this.news = new BroadcastChannel(`claimlog ${this.id}`);
    this.news.onmessage = () => this.reload();
    // If another phone scores, nothing is sent, but the server may be reachable again.
    const again = () => (this.other && this.link !== "up" ? this.look() : this.flush());
    addEventListener("online", again, { signal: this.stopped.signal });
    document.addEventListener("visibilitychange", again, { signal: this.stopped.signal });
    // If nothing is shown yet, the server's answer comes first: the engine is large.
    const fresh = !this.view;
    if (fresh) await this.look();
    if (this.mayScore) {
      judge.start(() => this.refold());
      this.poll();
    }
    if (!fresh) await this.look();
    if (this.mayScore) this.flush();
    this.watch();
  }

  /** Read the entries again: one was added here or in another window. */
  async reload() {
    this.entries = await store.entries(this.id);
    await this.refold();
  }

  /** Let the engine judge the entries; without it the server's view is used. */
  async refold() {
    if (judge.running.state === "ready" && this.setup !== undefined && this.mayScore) {
      // What another phone scores is shown without the entries waiting on this one.
      const those = this.other ? this.entries.filter((one) => one.number !== null) : this.entries;
      const entries = those.map((one) => one.entry);
      try {
        const view = await judge.ask("fold", { setup: this.setup, entries, language });
        if (this.other || entries.length >= this.judged || this.entries.length === entries.length) {
          this.view = view;
          this.judged = entries.length;
          await store.keepTable(this.id, { view, judged: this.judged });
        }
      } catch (error) {
        console.warn(error);
        this.trouble = say("judge.off");
      }
    }
    this.settle();
    this.changed();
  }

  /** The effect of edits of earlier tricks; null if the engine cannot run here. */
  async revision(edits) {
    if (judge.running.state !== "ready") return null;
    const entries = this.entries.map((one) => one.entry);
    return judge.ask("revision", { setup: this.setup, entries, edits, language });
  }

  /** Whether the view covers all entries. */
  get current() {
    return Boolean(this.view) && this.judged >= this.entries.length;
  }

  /** The entries made since the last judgement. */
  get unjudged() {
    return this.entries.slice(this.judged).map((one) => one.entry);
  }

  /** The entry that takes the last one back; of a confirmed result the confirmation, not a card. */
  get undoing() {
    let steps = []; // the sides that have confirmed, and since the first of them 0 for other entries
    let undone = 0;
    for (const entry of [...this.entries.map((one) => one.entry), ...this.storing]) {
      const { kind, side } = entry;
      const others = steps.filter((one) => one !== side);
      if (kind === "confirm") steps = [...others, side];
      else if (kind === "unconfirm") steps = others.some(Boolean) ? others : [];
      else if (kind === "undo" && steps.at(-1) === 0) {
        steps.pop();
        undone += 1;
      } else if (kind === "redo" && undone) {
        steps.push(0);
        undone -= 1;
      } else {
        if (!leavesGame(entry)) steps = [];
        else if (steps.length) steps.push(0);
        undone = 0;
      }
    }
    const side = steps.at(-1);
    return side ? { kind: "unconfirm", side } : { kind: "undo" };
  }

  /** Whether `undoing` can be done, as far as is known here. */
  get canUndo() {
    if (this.ended) return false;
    if (this.undoing.kind === "unconfirm") return true;
    return !this.closed && (this.current ? this.view.can_undo : this.kept > 0);
  }

  /** Save an entry, show its effect, and send it. */
  async add(entry) {
    this.storing.push(entry);
    await store.keepEntry(this.id, { id: store.newId(), ...entry }, this.last);
    this.news?.postMessage("more");
    await this.reload();
    this.storing.splice(this.storing.indexOf(entry), 1);
    this.flush();
  }

  // The server ---------------------------------------------------------------------------------

  /** Ask for the state of the table, and who scores it. */
  async look() {
    const view = this.mayScore ? "all" : "spectator";
    try {
      const more = this.mayScore ? `&after=${this.last}` : "";
      const address = `${this.address}?view=${view}&lang=${language}${more}`;
      await this.heard(await ask("GET", address, { token: this.token }));
      this.link = "up";
    } catch (error) {
      this.failed(error);
    }
    this.changed();
  }

  /**
   * Take the state of the table from the server; answers overtake each other, and an older one says
   * nothing about who scores, nor whether the table is open.
   */
  async heard({ view, begin, entries = [], ...info }) {
    const seenAt = Date.parse(info.seen_at) || 0;
    const old = seenAt < this.seenAt && info.device !== undefined;
    if (!old) {
      this.info = info;
      this.seenAt = seenAt;
    }
    this.missing = false;
    if (this.mayScore) {
      this.setup = begin ?? this.setup;
      if (!old && info.device !== undefined) {
        await this.scoredBy(info.device && info.device !== this.device ? info : null);
      }
      // The view of a new table is stored with that, not later: the list of tables takes the event
      // from it, which this answer does not repeat.
      const first = !this.view && !this.entries.length && !entries.length && { view, judged: 0 };
      await store.keepTable(this.id, { info: this.info, setup: this.setup, ...first });
      await this.learn(entries);
    }
    this.seen(view);
  }

  /** Another phone scores, or (null) none does; this survives a reload without a network. */
  async scoredBy(other) {
    if (!other && !this.other) return;
    this.other = other && { device: other.device, seen_at: other.seen_at ?? null };
    await store.keepTable(this.id, { other: this.other });
  }

  /** Save entries as the server has them. */
  async learn(entries) {
    if (!entries.length) return;
    await store.acknowledge(
      this.id,
      entries.map(({ number, ...entry }) => ({ id: entry.id, number, entry })),
    );
    await this.reload();
  }

  /** Take the server's view, unless a newer one came before it. */
  seen(view) {
    if (this.mayScore && view.number < (this.newest?.number ?? 0)) return;
    this.newest = view;
    this.settle();
  }

  /**
   * Show the server's view, unless this phone judges itself, has entries that the server lacks, or
   * knows of entries that the view lacks.
   */
  settle() {
    const view = this.newest;
    if (!view) return;
    if (this.mayScore) {
      const judges = judge.running.state === "ready" || this.unsent.length > 0;
      if ((judges && !this.other) || view.number < this.last) return;
    }
    if (this.view === view && this.judged === this.entries.length) return;
    this.view = view;
    this.judged = this.entries.length;
    if (this.mayScore) store.keepTable(this.id, { view, judged: this.judged });
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

  /** Send what the server does not have, from one window of this phone at a time. */
  async flush() {
    if (!this.mayScore || this.missing || this.stopped.signal.aborted) return;
    await alone(`claimlog ${this.id}`, () => this.send());
    this.changed();
  }

  /** Send what waits; with `taking`, take over scoring and send only the entries with these ids. */
  async send(taking = null) {
    if (this.other && !taking) return;
    let takeOver = taking !== null;
    for (let rounds = 0; rounds < 20; rounds++) {
      this.entries = await store.entries(this.id);
      const drops = (one) => takeOver && !taking.includes(one.id);
      const dropped = this.unsent.filter(drops).map((one) => one.id);
      const pending = this.unsent.filter((one) => !drops(one)).slice(0, 200);
      if (!pending.length && !takeOver && this.link === "up") return;
      try {
        const answer = await ask("POST", `${this.address}/actions?lang=${language}`, {
          token: this.token,
          body: {
            device: this.device,
            after: this.last,
            entries: pending.map((one) => one.entry),
            ...(takeOver && { take_over: true }),
          },
        });
        await this.acknowledged(answer, dropped);
      } catch (error) {
        // Before a takeover, show what the other phone has added since.
        if (!(await this.conflict(error)) || (takeOver && pending.length)) return;
        continue;
      }
      takeOver = false;
      if (!this.unsent.length) return;
    }
  }

  /** The server has the entries; those with the ids in `dropped` are forgotten. */
  async acknowledged(answer, dropped) {
    this.link = "up";
    this.trouble = "";
    await this.scoredBy(null);
    this.wait = 1000;
    await store.acknowledge(this.id, answer.entries);
    if (dropped.length) await store.forgetUnsent(this.id, dropped);
    this.entries = await store.entries(this.id);
    await this.heard(answer.table);
    this.news?.postMessage("sent");
  }

  /** Handle an error while sending; returns whether to try again at once. */
  async conflict(error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status !== 409) {
      this.failed(error);
      return false;
    }
    const { type, table } = error.problem;
    this.link = "up";
    if (type.endsWith("other-device")) {
      await this.scoredBy(table);
      await this.refold();
      return false;
    }
    if (type.endsWith("behind") && table.entries.length) {
      await this.learn(table.entries);
      return true;
    }
    if (type.endsWith("table-closed")) {
      await this.shut(error);
      return false;
    }
    this.trouble = error.message;
    return false;
  }

  /**
   * The table takes no more entries.  Those behind a confirmed result are dropped; a game that was
   * abandoned stays on this phone as far as it was recorded here.
   */
  async shut(error) {
    const what = this.unsent.map(({ entry }) => entry.word ?? say(`kind.${entry.kind}`)).join(" ");
    const abandoned = error.problem.key === "table.closed-abandoned";
    if (!abandoned) {
      await store.forgetUnsent(this.id);
      await this.reload();
    }
    await this.look();
    if (what) this.trouble = say(abandoned ? "not-sent" : "not-taken", { what });
  }

  /** The entries that only this phone has, and those that the other one has made since. */
  async compare() {
    await this.look();
    const mine = this.unsent;
    const after = mine[0]?.after ?? this.last;
    // Entries of this phone may have reached the server after the first unsent one was made.
    const others = this.entries.filter((one) => one.after === undefined);
    const theirs = others.filter((one) => one.number > after);
    return compared(
      mine.map((one) => one.entry),
      theirs.map((one) => one.entry),
    );
  }

  /**
   * Take over scoring: of the entries that only this phone has, those with the ids in `sending` are
   * sent, and the others forgotten.  Returns whether it succeeded.
   */
  async takeOver(sending = []) {
    await alone(`claimlog ${this.id}`, () => this.send(sending));
    await this.reload();
    return !this.other;
  }

  /** Try again from time to time, less and less often, as long as anything waits. */
  poll() {
    if (this.stopped.signal.aborted) return;
    setTimeout(async () => {
      // Nothing is sent until the server has said who scores.
      const known = this.link !== "unknown";
      // If another phone scores, what waits here is not sent, and the stream says what is new.
      const unsent = this.kept > this.atServer && !this.other;
      const waiting = known && (unsent || this.link !== "up");
      if (waiting && document.visibilityState === "visible") {
        await (this.other ? this.look() : this.flush());
        const well = this.link === "up" && !this.trouble;
        this.wait = well ? 1000 : Math.min(this.wait * 1.6, LONGEST_WAIT);
      }
      this.poll();
    }, this.wait);
  }

  /** Follow changes of the table made by other devices. */
  watch() {
    const view = this.mayScore ? "all" : "spectator";
    let played = [];
    follow(`${this.address}/events?view=${view}&lang=${language}&played=new`, {
      token: this.token,
      signal: this.stopped.signal,
      connected: (up) => {
        const back = up && this.link === "down";
        this.link = up ? "up" : "down";
        if (back) this.flush();
        this.changed();
      },
      heard: (name, data) => {
        if (name === "notice") {
          this.notice = data;
          this.noticed = Date.now();
          this.changed();
        }
        if (name !== "table") return;
        this.link = "up";
        const { view } = data;
        if (view.played_from !== undefined) {
          view.played = [...played.slice(0, view.played_from), ...view.played];
        }
        played = view.played;
        this.heard(data).then(() => this.changed());
      },
    });
  }

  /** Store the game in the archive, with `beside` even if it seems to be stored already. */
  async finish(beside = false) {
    await this.flush();
    const address = `${this.address}/finish?lang=${language}${beside ? "&doubtful=beside" : ""}`;
    const answer = await ask("POST", address, { token: this.token });
    await this.heard(answer);
    this.changed();
  }

  close() {
    this.stopped.abort();
    this.news?.close();
    this.news = null;
  }
}
