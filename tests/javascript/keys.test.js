// Cards typed on a keyboard: where a word ends.

import assert from "node:assert/strict";
import test from "node:test";

import { typed } from "../../claimlog/web/static/keys.js";

const VALUES = { G: ["0", "5", "8"], R: ["0", "1", "2", "10", "13"], U: ["5"] };

/** All cards that the keys enter, and the rest of the line. */
function cards(keys, led = "") {
  const made = [];
  let line = "";
  for (const key of keys) {
    let step = typed(line, key, led, VALUES);
    if (step.card) made.push(step.card);
    if (step.again) {
      step = typed("", key, led, VALUES);
      if (step.card) made.push(step.card);
    }
    line = step.line;
  }
  return [made.join(" "), line];
}

test("a card ends with its last key, R1 with the next", () => {
  assert.deepEqual(cards("u5g8"), ["U5 G8", ""]);
  assert.deepEqual(cards("r1g5"), ["R1 G5", ""]);
  assert.deepEqual(cards("r13r10r2"), ["R13 R10 R2", ""]);
  assert.deepEqual(cards(["r", "1", "Enter"]), ["R1", ""]);
  assert.deepEqual(cards("r1"), ["", "R1"]);
});

test("a value alone is of the faction led; what is no card goes nowhere", () => {
  assert.deepEqual(cards("58", "G"), ["G5 G8", ""]);
  assert.deepEqual(cards("5"), ["", ""]);
  assert.deepEqual(cards("z5u7u5"), ["U5", ""]);
  assert.deepEqual(cards("gu5"), ["U5", ""]);
});
