// What a page with a replay asks the server.

import assert from "node:assert/strict";
import test from "node:test";

import { once } from "../../claimlog/web/static/replay.js";

test("a question is asked once, but again if it was not answered", async () => {
  const asked = [];
  let answer = null;
  const ask = once(async (about) => {
    asked.push(about);
    return answer;
  });
  assert.deepEqual(await Promise.all([ask("1.0"), ask("1.0")]), [null, null]);
  answer = { count: 3 };
  assert.deepEqual(await ask("1.0"), answer);
  assert.deepEqual(await ask("1.0"), answer);
  assert.deepEqual(asked, ["1.0", "1.0"]);
});
