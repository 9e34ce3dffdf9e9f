// The clock of a round and the announcement, on a page that gets occasional updates.

import assert from "node:assert/strict";
import test from "node:test";

import { left, Notice, time } from "../../claimlog/web/static/notice.js";

/** The parts of a page's elements that a notice needs. */
function element() {
  const classes = new Set();
  return {
    hidden: true,
    textContent: "",
    children: [],
    classList: {
      toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)),
      contains: (name) => classes.has(name),
    },
    setAttribute() {},
    replaceChildren(...children) {
      this.children = children;
    },
  };
}

test("a clock has hours only where it needs them, and a minus after its end", () => {
  assert.deepEqual([0, 59, 60, 3599, 3600, 5405, -1, -61].map(time), [
    ...["00:00", "00:59", "01:00", "59:59", "1:00:00", "1:30:05", "−00:01", "−01:01"],
  ]);
});

test("a clock that goes is counted on from when it was heard of", () => {
  const notice = { left: 100, running: true };
  assert.equal(left(notice, 5000, 5999), 100);
  assert.equal(left(notice, 5000, 65000), 40);
  assert.equal(left(notice, 5000, 205000), -100);
  assert.equal(left({ ...notice, running: false }, 5000, 65000), 100);
});

test("a page shows clock and announcement, and nothing where there is nothing", (context) => {
  context.mock.timers.enable({ apis: ["setInterval", "Date"], now: 1_000_000 });
  const [page, made] = [element(), []];
  globalThis.document = /** @type {any} */ ({
    createElement: () => made[made.push(element()) - 1],
  });
  const shown = new Notice(page);
  const [clock, text] = made;
  assert.deepEqual(page.children, [clock, text]);
  const nothing = { left: null, running: false, text: null };
  shown.show(nothing);
  assert.equal(page.hidden, true);
  shown.show({ ...nothing, text: "Pizza!" });
  assert.deepEqual([page.hidden, clock.hidden, text.textContent], [false, true, "Pizza!"]);
  shown.show({ left: 2, running: true, text: null });
  assert.deepEqual([clock.textContent, text.hidden], ["00:02", true]);
  context.mock.timers.tick(1000);
  assert.deepEqual([clock.textContent, clock.classList.contains("over")], ["00:01", false]);
  context.mock.timers.tick(2000);
  assert.deepEqual([clock.textContent, clock.classList.contains("over")], ["−00:01", true]);
  shown.show({ left: 1500, running: false, text: null });
  context.mock.timers.tick(5000);
  assert.deepEqual([clock.textContent, clock.classList.contains("over")], ["⏸ 25:00", false]);
  shown.stop();
  delete globalThis.document;
});
