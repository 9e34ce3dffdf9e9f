// Reading from servers that let everybody read, and from others.

import "./phone.js";

import assert from "node:assert/strict";
import test from "node:test";

const { ask, read, Refused } = await import("../../claimlog/web/static/server.js");

/** Let a server answer that knows these tokens; return the tokens that it is asked with. */
function serve(known, open) {
  const seen = [];
  globalThis.fetch = async (_address, { headers }) => {
    const token = headers.Authorization?.replace("Bearer ", "") ?? "";
    seen.push(token);
    const good = token ? known.includes(token) : open;
    return Response.json(good ? { good } : { title: "no" }, { status: good ? 200 : 401 });
  };
  return seen;
}

test("reading needs no token where everybody may read", async () => {
  const seen = serve(["director"], true);
  assert.deepEqual(await read("/v1/games", { token: "of another server's table" }), { good: true });
  assert.deepEqual(await read("/v1/games", { token: "director" }), { good: true });
  assert.deepEqual(seen, ["", ""]);
  await assert.rejects(ask("GET", "/v1/games", { token: "unknown" }), Refused);
});

test("where it needs one, that is asked for once, and then sent", async () => {
  const seen = serve(["director"], false);
  await assert.rejects(read("/v1/games"), Refused);
  assert.deepEqual(await read("/v1/games", { token: "director" }), { good: true });
  assert.deepEqual(await read("/v1/games", { token: "director" }), { good: true });
  assert.deepEqual(seen, ["", "", "director", "director"]);
});
