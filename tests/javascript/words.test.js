// Links keep the language that an address names.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./phone.js";

const { isolated, linked, say } = await import("../../claimlog/web/static/words.js");

test("a link keeps the language of the address, and its own place", () => {
  assert.equal(linked("/tables/new"), "/tables/new?lang=en");
  assert.equal(linked("/games/6m2#seat=1"), "/games/6m2?lang=en#seat=1");
});

test("a link says no language if the address says none", () => {
  const { search } = location;
  location.search = "";
  assert.equal(linked("/tables/new"), "/tables/new");
  location.search = search;
});

test("a name from right to left leaves the text around it in order", () => {
  for (const name of ["דוד לוי", "فاطمة", "Dov דב"]) {
    assert.equal(isolated(name), `\u2068${name}\u2069`);
    assert.ok(say("{name} leads", { name }).startsWith(`\u2068${name}\u2069`));
  }
  for (const name of ["Jörg Müller", "Νίκος", "安娜", "7"]) assert.equal(isolated(name), name);
});
