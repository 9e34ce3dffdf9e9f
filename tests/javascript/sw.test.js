// The service worker answers for the page at the table, and for nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

const heard = {};
const kept = { match: async () => "the page" };
Object.assign(globalThis, {
  KEPT: { page: ["/static/1/main.js"], vendor: ["/static/2/htm.js"] },
  caches: { open: async () => kept },
  location: { origin: "http://phone" },
  self: { addEventListener: (name, listener) => Object.assign(heard, { [name]: listener }) },
});
await import("../../claimlog/web/static/sw.js");

/** What it answers to a visit of an address; undefined if it leaves it to the server. */
async function visited(address) {
  let answer;
  const request = { method: "GET", mode: "navigate", url: `http://phone${address}` };
  heard.fetch({ request, respondWith: (given) => (answer = given) });
  return answer;
}

for (const address of ["/tables", "/tables/new", "/tables/6m2", "/tables/6m2?lang=de"]) {
  test(`${address} is the page`, async () => assert.equal(await visited(address), "the page"));
}

for (const address of [
  "/tables/6m2/qr",
  "/tables/6m2/events",
  "/tables/6m2?format=json",
  "/tables?format=json",
  "/games",
]) {
  test(`${address} is the server's`, async () => assert.equal(await visited(address), undefined));
}
