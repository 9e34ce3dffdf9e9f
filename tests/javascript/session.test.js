// The outbox: nothing is lost, nothing counts twice, and one phone scores at a time.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { online, Server, until } from "./phone.js";

const { compared, Session } = await import("../../claimlog/web/static/session.js");
const store = await import("../../claimlog/web/static/store.js");

let server;
let session;
let tables = 0;

/** This phone opens a table, a new one or, after a reload, the same. */
async function open(id = `table-${++tables}`, token = "secret") {
  session = new Session(id, () => {});
  await session.open(token);
  return session;
}

const enter = (word) => session.add({ kind: "enter", word });
const words = (entries) => entries.map((one) => one.word);
const sent = () => until(() => session.kept > 0 && session.kept === session.atServer);

beforeEach(() => {
  server = new Server();
});

afterEach(() => session.close());

test("an entry is kept, sent and acknowledged", async () => {
  await open();
  await enter("G5");
  await sent();
  assert.deepEqual(server.words, ["G5"]);
  assert.equal(session.last, 1);
  assert.equal(server.device, session.device);
  assert.equal(session.link, "up");
});

test("a new table is stored with its first view, in case its page is left at once", async () => {
  session = new Session(`table-${++tables}`, () => {});
  session.seen = () => {}; // the page is left before it stores the view
  await session.open("secret");
  const { info, view } = await store.table(session.id);
  assert.equal(info.state, "open");
  assert.deepEqual(view.words, []);
});

test("without a network entries wait, through a reload too, and go in their order", async () => {
  const { id } = await open();
  server.up = false;
  for (const word of ["G5", "K8", "W2"]) await enter(word);
  await until(() => session.link === "down");
  assert.deepEqual([session.kept, session.atServer], [3, 0]);
  session.close();
  await open(id);
  assert.deepEqual(words(session.unsent.map((one) => one.entry)), ["G5", "K8", "W2"]);
  server.up = true;
  online();
  await sent();
  assert.deepEqual(server.words, ["G5", "K8", "W2"]);
});

test("what arrived counts once though its answer was lost", async () => {
  await open();
  server.losing = 1;
  await enter("G5");
  await until(() => server.entries.length === 1 && session.link === "down");
  assert.equal(session.atServer, 0);
  await enter("K8");
  await sent();
  assert.deepEqual(server.words, ["G5", "K8"]);
  assert.deepEqual(server.posts.slice(-1), [["G5", "K8"]]);
});

test("many entries go in several requests", async () => {
  await open();
  server.up = false;
  const words = Array.from({ length: 450 }, (_, number) => `N${number}`);
  for (const word of words) {
    await store.keepEntry(session.id, { id: store.newId(), kind: "enter", word }, 0);
  }
  server.up = true;
  await session.flush();
  assert.deepEqual(server.words, words);
  assert.deepEqual(server.posts.map((one) => one.length).filter(Boolean), [200, 200, 50]);
});

test("a phone that is behind learns first, and then sends", async () => {
  await open();
  await enter("G5");
  await sent();
  // For example the same device in another browser: the server has more than this phone knows.
  server.add(session.device, { id: "there", kind: "enter", word: "K8" });
  await enter("W2");
  await sent();
  assert.deepEqual(server.words, ["G5", "K8", "W2"]);
  assert.deepEqual(words(session.entries.map((one) => one.entry)), ["G5", "K8", "W2"]);
});

test("what the server has against an entry is told, and the entry stays", async () => {
  await open();
  server.refusal = { status: 400, answer: { detail: "no such kind" } };
  await enter("G5");
  await until(() => session.trouble);
  assert.equal(session.trouble, "no such kind");
  assert.equal(session.unsent.length, 1);
  server.refusal = null;
  await session.flush();
  assert.deepEqual([session.trouble, session.unsent.length], ["", 0]);
});

for (const status of [429, 503]) {
  test(`a server that is too busy (${status}) is as good as none`, async () => {
    await open();
    server.refusal = { status, answer: { title: "later" } };
    await enter("G5");
    await until(() => session.link === "down");
    assert.deepEqual([session.trouble, session.unsent.length], ["", 1]);
  });
}

test("a table that is not there is asked for once, and its entries stay", async () => {
  await open();
  server.refusal = { status: 404, answer: { title: "none" } };
  await enter("G5");
  await until(() => session.missing);
  const before = server.posts.length;
  await session.flush();
  assert.equal(server.posts.length, before);
  assert.equal(session.unsent.length, 1);
});

test("a table that was left sends no more, and what is under way ends well", async () => {
  await open();
  server.up = false;
  await enter("G5");
  await until(() => session.link === "down");
  server.up = true;
  const sending = session.flush();
  session.close();
  await sending;
  assert.deepEqual([session.unsent.length, server.words], [0, ["G5"]]);
  await session.add({ kind: "enter", word: "K8" });
  assert.deepEqual(server.words, ["G5"]);
});

test("whoever has no token sends nothing", async () => {
  await open(undefined, null);
  assert.equal(session.mayScore, false);
  await session.flush();
  assert.deepEqual(server.posts, []);
  assert.deepEqual(session.view.words, []);
});

for (const closed of ["confirmed", "finished"]) {
  test(`what a ${closed} game takes no more is dropped, and told`, async () => {
    await open();
    await enter("G5");
    await sent();
    server.add("other", { id: "there", kind: "enter", word: "K8" });
    server.closed = closed;
    await enter("W2");
    await until(() => session.trouble);
    assert.match(session.trouble, /not-taken/);
    assert.deepEqual([session.unsent.length, session.closed], [0, true]);
    assert.deepEqual(words(session.entries.map((one) => one.entry)), ["G5", "K8"]);
    assert.deepEqual([session.view.words, session.current], [["G5", "K8"], true]);
  });
}

test("what was recorded at a table that was abandoned stays on the phone", async () => {
  await open();
  server.closed = "abandoned";
  await enter("G5");
  await until(() => session.trouble);
  assert.match(session.trouble, /not-sent/);
  assert.deepEqual([session.unsent.length, session.closed], [1, true]);
});

test("a second phone takes over a confirmed game, to hand it in", async () => {
  await open();
  server.add("other", { id: "there", kind: "enter", word: "G5" });
  server.closed = "confirmed";
  await session.look();
  assert.equal(session.other.device, "other");
  assert.equal(await session.takeOver([]), true);
  assert.deepEqual([session.scores, session.closed, session.trouble], [true, true, ""]);
});

test("an answer that was overtaken by a newer one counts no more", async () => {
  await open();
  await enter("G5");
  await sent();
  const view = (...words) => ({ number: words.length, words });
  session.seen(view("G5", "K8"));
  session.seen(view("G5"));
  assert.deepEqual(session.view.words, ["G5", "K8"]);
});

test("a view that came while another window sent is shown when the entry is known", async () => {
  await open();
  const id = store.newId();
  await store.keepEntry(session.id, { id, kind: "enter", word: "G5" }, 0);
  await session.reload();
  session.seen({ number: 1, words: ["G5"] });
  assert.deepEqual([session.view.words, session.current], [[], false]);
  await store.acknowledge(session.id, [{ id, number: 1 }]);
  await session.reload();
  assert.deepEqual([session.view.words, session.current], [["G5"], true]);
});

/** Both phones have a trick; then this one has no network, and another one takes over. */
async function apart(mine, theirs) {
  await open();
  await enter("G5");
  await sent();
  server.up = false;
  for (const word of mine) await enter(word);
  await until(() => session.link === "down");
  server.add("other", ...theirs.map((word) => ({ id: `o-${word}`, kind: "enter", word })));
  server.up = true;
  await session.flush();
  await until(() => session.other);
}

test("while another phone scores this one sends nothing, also after a reload", async () => {
  await apart(["K8"], ["W2"]);
  assert.equal(session.scores, false);
  assert.deepEqual(session.other, { device: "other", seen_at: server.seen });
  await session.flush();
  await enter("U7");
  assert.deepEqual(server.words, ["G5", "W2"]);
  const { id } = session;
  session.close();
  server.up = false;
  await open(id);
  assert.equal(session.other.device, "other");
});

test("while another phone scores this one asks only when the network is back", async () => {
  await apart(["K8"], ["W2"]);
  const { looks } = server;
  session.link = "down";
  online();
  await until(() => session.link === "up");
  assert.equal(server.looks, looks + 1);
  session.wait = 10;
  session.poll();
  await new Promise((go) => setTimeout(go, 100));
  assert.equal(server.looks, looks + 1);
});

test("taking over with what only this phone has", async () => {
  await apart(["K8", "W3"], []);
  const both = await session.compare();
  assert.deepEqual([both.same, words(both.here), words(both.there)], [0, ["K8", "W3"], []]);
  assert.equal(await session.takeOver(both.here.map((one) => one.id)), true);
  assert.deepEqual(server.words, ["G5", "K8", "W3"]);
  assert.equal(server.device, session.device);
  assert.deepEqual([session.scores, session.unsent.length], [true, 0]);
});

test("an entry whose answer was late is not one of the other phone", async () => {
  await open();
  await enter("G5");
  await sent();
  server.losing = 1;
  await enter("K8");
  await until(() => session.link === "down");
  server.up = false;
  await enter("W3");
  server.add("other", { id: "o-U7", kind: "enter", word: "U7" });
  server.up = true;
  await session.flush();
  await until(() => session.other);
  const both = await session.compare();
  assert.deepEqual([both.same, words(both.here), words(both.there)], [0, ["W3"], ["U7"]]);
});

test("what is seen after taking over has what was sent, also where both had some", async () => {
  await apart(["K8", "W3"], ["K8"]);
  const both = await session.compare();
  assert.deepEqual([both.same, words(both.here)], [1, ["W3"]]);
  assert.equal(await session.takeOver(both.here.map((one) => one.id)), true);
  assert.deepEqual(session.view.words, ["G5", "K8", "W3"]);
  assert.equal(session.current, true);
});

test("taking over anew forgets what only this phone has", async () => {
  await apart(["K8"], ["K8", "W2"]);
  const both = await session.compare();
  assert.deepEqual([both.same, words(both.here), words(both.there)], [1, [], ["W2"]]);
  assert.equal(await session.takeOver([]), true);
  assert.deepEqual(server.words, ["G5", "K8", "W2"]);
  assert.deepEqual(words(session.entries.map((one) => one.entry)), ["G5", "K8", "W2"]);
  await enter("X1");
  await sent();
  assert.deepEqual(server.words, ["G5", "K8", "W2", "X1"]);
});

test("what is entered before the takeover is answered is sent", async () => {
  await apart(["K8"], ["K8"]);
  await session.compare();
  let answer;
  server.late = new Promise((go) => {
    answer = go;
  });
  const over = session.takeOver([]);
  await until(() => server.device === session.device);
  await session.heard(server.table()); // as an event, before the answer
  assert.equal(session.scores, true);
  await enter("X1");
  answer();
  await over;
  await sent();
  assert.deepEqual(server.words, ["G5", "K8", "X1"]);
});

test("whoever takes over sees first what the other phone has added since", async () => {
  await apart(["K8"], []);
  const both = await session.compare();
  server.add("other", { id: "late", kind: "enter", word: "W9" });
  assert.equal(await session.takeOver(both.here.map((one) => one.id)), false);
  assert.deepEqual(server.words, ["G5", "W9"]);
  const again = await session.compare();
  assert.deepEqual([words(again.here), words(again.there)], [["K8"], ["W9"]]);
  assert.equal(await session.takeOver(again.here.map((one) => one.id)), true);
  assert.deepEqual(server.words, ["G5", "W9", "K8"]);
});

test("an answer from before it took over does not say that another phone scores", async () => {
  await apart(["K8"], ["K8"]);
  const before = server.table();
  assert.equal(await session.takeOver([]), true);
  await session.heard(before);
  assert.deepEqual([session.scores, session.other], [true, null]);
  server.add("other");
  await session.heard(server.table());
  assert.deepEqual([session.scores, session.other.device], [false, "other"]);
});

test("an answer from before the end does not open the table again", async () => {
  await open();
  await enter("G5");
  await sent();
  const before = server.table();
  server.add(session.device);
  server.closed = "finished";
  await session.heard(server.table());
  await session.heard(before);
  assert.equal(session.closed, true);
});

test("taking over without a network changes nothing", async () => {
  await apart(["K8"], []);
  server.up = false;
  assert.equal(await session.takeOver([]), false);
  assert.equal(session.unsent.length, 1);
  assert.equal(server.device, "other");
});

test("undo takes a confirmation back before it takes a card back", async () => {
  await open();
  const after = async (...entries) => {
    for (const entry of entries) await session.add(entry);
    return session.undoing;
  };
  const [undo, confirm, unconfirm] = ["undo", "confirm", "unconfirm"].map((kind) => ({ kind }));
  assert.deepEqual(await after({ kind: "enter", word: "G5" }), undo);
  assert.deepEqual(await after({ ...confirm, side: 2 }), { ...unconfirm, side: 2 });
  const other = { ...confirm, side: 1 };
  const stored = session.add(other);
  assert.deepEqual(session.undoing, { ...unconfirm, side: 1 });
  await stored;
  assert.deepEqual(await after({ ...unconfirm, side: 1 }), { ...unconfirm, side: 2 });
  assert.deepEqual(await after({ ...unconfirm, side: 2 }), undo);
  assert.deepEqual(await after(other, undo), undo);
});

test("undo takes a note back before the confirmation that it stands behind", async () => {
  await open();
  const [undo, redo, back] = [{ kind: "undo" }, { kind: "redo" }, { kind: "unconfirm", side: 2 }];
  const steps = [
    [{ kind: "confirm", side: 2 }, back],
    [{ kind: "note", text: "Close" }, undo],
    [undo, back],
    [redo, undo],
    [{ kind: "agree", tags: { Recorder: "Rita" } }, undo],
    [undo, undo],
    [undo, back],
    [{ kind: "agree", tags: { Recorder: "Rita", Leader: "2" } }, undo],
    [undo, undo],
  ];
  for (const [entry, next] of steps) {
    await session.add(entry);
    assert.deepEqual(session.undoing, next);
  }
});

test("a confirmation is taken back as long as the game is not handed in", async () => {
  await open();
  await session.add({ kind: "confirm", side: 1 });
  await sent();
  server.closed = "confirmed";
  await session.look();
  assert.deepEqual([session.closed, session.canUndo], [true, true]);
  await session.add(session.undoing);
  await sent();
  assert.equal(server.entries.at(-1).kind, "unconfirm");
  server.closed = "finished";
  await session.look();
  assert.equal(session.canUndo, false);
});

test("entries are compared by what they do, without what was taken back", () => {
  const at = (id, word) => ({ id, kind: "enter", word });
  const undo = { id: "u", kind: "undo" };
  const { same, here, there } = compared(
    [at("a", "G5"), at("b", "K1"), undo, at("c", "K8"), at("d", "W2")],
    [{ ...at("x", "G5"), number: 4 }, at("y", "K8"), at("z", "W3")],
  );
  assert.deepEqual([same, words(here), words(there)], [2, ["W2"], ["W3"]]);
});
