// The data of a replay: unpacked, and queried.  Everything in it was computed by claimlog itself.

/** The data in a script element: JSON, plain or packed (deflate, base64). */
export async function read(element) {
  const text = element.textContent;
  if (element.type === "application/json") return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** A function that asks each question once, or again if the answer was null. */
export function once(ask) {
  const answers = new Map();
  return async (about) => {
    if (!answers.has(about)) answers.set(about, ask(about));
    const answer = await answers.get(about);
    if (answer === null) answers.delete(about);
    return answer;
  };
}

/** A game to query: its moments by view, their places, guesses and what can be guessed. */
export class Replay {
  constructor(data) {
    this.data = data;
    this.views = data.order;
    this.frames = Object.fromEntries(
      Object.entries(data.views).map(([view, rows]) => [view, unpacked(rows, data)]),
    );
    const frames = this.frames[this.views[0]];
    this.last = frames.length - 1;
    this.tricks = data.plays.length;
    this.opening = Math.min(this.tricks, 1);
    this.places = new Map(frames.map((frame, at) => [`${frame.trick}.${frame.played}`, at]));
  }

  /** A moment in a view. */
  frame(view, at) {
    return this.frames[view][at];
  }

  /** The place of a trick with this many plays on the table, or the nearest one. */
  place(trick, played = 0) {
    if (trick < 1) return 0;
    if (trick > this.tricks) return this.last;
    return this.places.get(`${trick}.${Math.min(played, this.data.plays[trick - 1])}`);
  }

  /** The end of this trick, or of the next one if it has ended. */
  trickAfter(view, at) {
    const { trick, played } = this.frame(view, at);
    const done = trick < 1 || trick > this.tricks || played === this.data.plays[trick - 1];
    const next = done ? trick + 1 : trick;
    return next > this.tricks ? this.last : this.place(next, Infinity);
  }

  /** The end of the previous trick. */
  trickBefore(view, at) {
    return this.place(this.frame(view, at).trick - 1, Infinity);
  }

  /** The card that is played next, if the viewer can guess it, that is, if others are possible. */
  guessable(view, at) {
    const { legal, plays } = this.frame(view, at);
    if (!legal || new Set(legal).size < 2) return null;
    return this.frame(view, at + 1).plays[plays.length]?.card ?? null;
  }
}

const PLAY = ["seat", "card", "role", "value", "bonus", "rank", "marks", "taken", "comments"];

/** Complete frames, made from rows that contain only what differs from the previous row. */
function unpacked(rows, { keys, values }) {
  let frame = {};
  return rows.map((row) => {
    frame = { ...frame };
    for (let i = 0; i < row.length; i += 2) frame[keys[row[i]]] = values[row[i + 1]];
    const plays = (frame.plays ?? []).map((play) =>
      Object.fromEntries(PLAY.map((name, i) => [name, play[i]])),
    );
    return { ...frame, plays };
  });
}

const NOTHING = { course: {}, decisions: {} };

/** An analysis, as far as the viewer could know it (claimlog/web/worth.py). */
export class Worth {
  constructor(data, view) {
    this.data = data;
    this.there = view in data.views;
    this.of = data.views[view] ?? NOTHING;
    // With three players a value is what the acting seat can secure.
    this.secures = data.seats === 3;
  }

  /** Whether it has the values of any cards. */
  get valued() {
    return Object.keys(this.of.decisions).length > 0;
  }

  /** The value of a moment, if known: share, factions of both sides, or bounds of these. */
  value(trick, played) {
    return this.of.course[`${trick}.${played}`] ?? null;
  }

  /** The decision that led to a moment. */
  decision(trick, played) {
    return this.of.decisions[`${trick}.${played}`] ?? null;
  }

  /** The moments after mistakes, in order. */
  get costly() {
    return Object.entries(this.of.decisions)
      .filter(([, one]) => one.mark.startsWith("?"))
      .map(([at]) => at.split(".").map(Number));
  }

  /** The marks of a card: the record's own, otherwise the analysis's. */
  marks(trick, played, marks) {
    const own = marks.replace("^", "");
    return own ? marks : marks + (this.decision(trick, played)?.mark ?? "");
  }

  /** The cards of a decision that keep the value. */
  best(trick, played) {
    const { cards, seat } = this.decision(trick, played);
    const all = Object.entries(cards ?? {});
    if (all.some(([, value]) => value.length > 3)) return [];
    const worth = (value) => (seat % 2 || this.secures ? 1 : -1) * rank(value);
    const most = Math.max(...all.map(([, value]) => worth(value)));
    return all.filter(([, value]) => worth(value) === most).map(([card]) => card);
  }
}

/**
 * A different continuation from a moment on: `line` are the cards since then, of which the last
 * ones may be those of best play.  It is immutable: every change makes a new one.
 */
export class Trial {
  constructor({ whole, replay, from, at, start, line, tried, known, asked, failed }) {
    this.whole = whole;
    this.replay = replay;
    this.from = from;
    this.at = at;
    this.start = start;
    this.line = line;
    this.tried = tried;
    this.known = known;
    this.asked = asked;
    this.failed = failed;
  }

  /** A trial that begins at a moment of the game, or at the next one at which a card is due. */
  static begun(whole, at, worth) {
    let from = at;
    if (whole.data.seats === 3) return null;
    if (whole.frame("open", from).winner && from < whole.last) from++;
    const { trick, played, act } = whole.frame("open", from);
    if (!act) return null;
    const value = worth?.value(trick, played) ?? null;
    const cards = worth?.decision(trick, played + 1)?.cards ?? null;
    return new Trial({
      whole,
      replay: null,
      from,
      at: from,
      start: [trick, played],
      line: [],
      tried: 0,
      known: { "": { value, cards } },
      asked: null,
      failed: false,
    });
  }

  get game() {
    return this.replay ?? this.whole;
  }

  /** The number of cards from the start of the trial to the current moment. */
  get index() {
    const { trick, played } = this.game.frame("open", this.at);
    if (trick > this.game.tricks) return this.line.length;
    return (trick - this.start[0]) * this.whole.data.seats + played - this.start[1];
  }

  /** The place after this many cards. */
  place(number) {
    if (!number) return this.from;
    const { seats } = this.whole.data;
    const played = this.start[1] + number;
    const after = Math.floor((played - 1) / seats);
    return this.game.place(this.start[0] + after, played - after * seats);
  }

  /** The last moment with something to see: the end of the line. */
  get last() {
    const end = this.place(this.line.length);
    return end === this.game.last - 1 ? this.game.last : end;
  }

  /** The same trial at another moment. */
  at_(at) {
    return new Trial({ ...this, at: Math.max(this.from, Math.min(at, this.last)), failed: false });
  }

  /** What is known about the position; all positions of a line of best play have the same value. */
  get found() {
    return this.known[this.line.slice(0, this.index).join(" ")] ?? null;
  }

  get value() {
    if (this.found) return this.found.value;
    return this.index >= this.tried
      ? (this.known[this.line.slice(0, this.tried).join(" ")]?.value ?? null)
      : null;
  }

  get cards() {
    return this.found?.cards ?? null;
  }

  /** The same trial while the result of a card is being fetched. */
  choosing(card) {
    return new Trial({ ...this, asked: [...this.line.slice(0, this.index), card], failed: false });
  }

  /** The same trial with the answer; without one it stays where it was. */
  answered(found) {
    if (!found) return new Trial({ ...this, asked: null, failed: true });
    const key = this.asked.join(" ");
    const next = new Trial({
      ...this,
      replay: new Replay(found.data),
      line: found.line,
      tried: found.known,
      known: { ...this.known, [key]: { value: found.value, cards: found.cards } },
      asked: null,
    });
    return next.at_(next.place(found.known));
  }
}

/** The higher, the better for side 1 (`claimlog.solve.value.Value`). */
function rank([share, mine, others]) {
  return share * 1000 + (mine - others) * 20 + mine;
}

/**
 * The side that wins by a value: 1 or 2, 0 if the win is shared, null if unknown; with a `seat`,
 * for the value that it can secure, that seat or 0.
 */
export function winner(value, seat = 0) {
  if (!value || (value.length > 3 && value[0] !== value[3])) return null;
  return (seat ? [null, 0, seat] : [2, 0, 1])[value[0]];
}

/** The factions of both sides by a value, "?" if unknown. */
export function factions(value) {
  return value?.length === 3 ? `${value[1]}-${value[2]}` : "?";
}

/** The moment in an address: after its `#`, otherwise the argument `t`, which servers see. */
export function placeIn({ hash, search }) {
  const trick = new URLSearchParams(search).get("t");
  return hash || (trick ? `#t${trick}` : "");
}

/**
 * The place and view in an address: `#t17.2&seat=1` is trick 17 after two plays, seen from seat 1.
 */
export function moment(replay, hash) {
  const place = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const trick = /^t(\d{1,3})(?:\.(\d))?$/.exec(part);
    if (trick) place.at = replay.place(Number(trick[1]), Number(trick[2] ?? 0));
    else if (part === "end") place.at = replay.last;
    else if (part === "start") place.at = 0;
    else if (part === "guess") place.guesses = {};
    const view = /^seat=(\w+)$/.exec(part)?.[1];
    if (replay.views.includes(view)) place.view = view;
  }
  return place;
}

/** The end of the address of a moment, without defaults: a game opens on the table. */
export function hashOf(replay, view, at) {
  const { trick, played } = replay.frame(view, at);
  const parts = [];
  if (at === replay.last) parts.push("end");
  else if (!trick && replay.opening) parts.push("start");
  else if (at !== replay.opening) parts.push(played ? `t${trick}.${played}` : `t${trick}`);
  if (view !== replay.views[0]) parts.push(`seat=${view}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** The texts of a replay in one language. */
export class Said {
  constructor(data, language) {
    this.language = language;
    this.about = data.about[language];
    this.sentences = data.sentences[language];
  }

  /** The text of a key, with its placeholders filled in. */
  text(key, values = {}) {
    const text = this.about.texts[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }

  /** The text of a key for a number of things. */
  several(key, number) {
    return this.text(`${key}.${number === 1 ? "one" : "other"}`, { number });
  }

  /** The player at a seat. */
  name(seat) {
    return this.about.names[seat - 1];
  }

  /** A card in words. */
  card(card) {
    return card
      ? `${this.about.factions[card[0]]} ${card.slice(1)}`
      : this.text("viewer.face-down");
  }
}
