// The layout of the deck on a screen: every faction once, and whole; keys no smaller than a thumb.

import assert from "node:assert/strict";
import test from "node:test";

import { laidOut } from "../../claimlog/web/static/pages.js";

const DECKS = [
  "G10 K8 U10 W10 X10",
  "M9 P13 R14 U10 V10",
  "N5 I5 A10 B10 F10 S10 T10",
  "M9 P13 R14 S10 T10 U10 V10",
].map((deck) => deck.split(" ").map((one) => [one[0], Number(one.slice(1))]));

test("all factions are there once, in pages that have room, with keys of 44 pixels", () => {
  for (const deck of DECKS) {
    for (const letters of [16, 24, 32]) {
      for (const width of [312, 344, 374, 800]) {
        for (let height = 200; height <= 900; height += 50) {
          const { keys, pages, key, tabs } = laidOut(deck, { width, height, letters });
          const all = deck.map(([letter]) => letter);
          assert.deepEqual(pages.flat(), all);
          assert.ok(key.wide >= 44 && key.high >= 44);
          assert.ok(tabs || pages.length === 1);
          const below = tabs ? key.high + 4 : 0;
          const label = tabs ? 0 : 39;
          for (const page of pages) {
            const rows = page.reduce((sum, letter) => sum + keys[letter].rows, 0);
            const fits = rows * (key.high + 4) - 4 + below <= height;
            assert.ok(fits || page.length === 1, `${page} on ${width} × ${height}`);
          }
          for (const [letter, number] of deck) {
            const { rows, columns } = keys[letter];
            assert.ok(rows * columns >= number && (rows - 1) * columns < number);
            assert.ok(columns * (key.wide + 4) - 4 <= width - label);
          }
        }
      }
    }
  }
});

test("where all has room there is one page, and no faction alone where two have room", () => {
  assert.equal(laidOut(DECKS[2], { width: 800, height: 400, letters: 16 }).pages.length, 1);
  assert.deepEqual(laidOut(DECKS[2], { width: 344, height: 242, letters: 16 }).pages, [
    ["N", "I", "A"],
    ["B", "F"],
    ["S", "T"],
  ]);
});
