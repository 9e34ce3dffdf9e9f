// Which of the names that a phone knows a typed name means.

import assert from "node:assert/strict";
import test from "node:test";

import { meant, spelled } from "../../claimlog/web/static/names.js";

const ROWS = ["David Frei", "Anna Keller", "Anna Kolb", "Jörg Müller", "Li"].map((name) => ({
  name,
}));
const near = (text) => meant(text, ROWS).near.map((row) => row.name);

test("case, accents, commas and the order of words do not count", () => {
  assert.equal(meant("frei, DAVID", ROWS).same.name, "David Frei");
  assert.equal(meant("jorg muller", ROWS).same.name, "Jörg Müller");
  assert.equal(spelled("O’Neill,  Dan"), "dan oneill");
  assert.equal(spelled("Łukasz Søren Groß"), "gross lukasz soren");
});

test("a beginning and a slip name who may be meant, somebody else names nobody", () => {
  assert.deepEqual(near("anna k"), ["Anna Keller", "Anna Kolb"]);
  assert.deepEqual(near("Davd Frey"), ["David Frei"]);
  assert.deepEqual(near("Anna Kellr"), ["Anna Keller"]);
  assert.deepEqual(near("Zoe Neu"), []);
  assert.deepEqual(near("Lo"), []);
  assert.deepEqual(meant(" ", ROWS), { same: undefined, near: [] });
  assert.equal(meant("Davd Frei", ROWS).same, undefined);
});
