// The page's requests to the server.

import { language, say } from "./words.js";

/** An error in an answer, or no answer at all (status 0). */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || say("refused", { status }));
    this.status = status;
    this.problem = problem;
  }
}

function headers(token, more = {}) {
  return token ? { Authorization: `Bearer ${token}`, ...more } : more;
}

/**
 * Send a request to the server; throws `Refused`.
 *
 * @typedef {{token?: string, body?: unknown, accept?: string, signal?: AbortSignal}} Asked
 * @param {string} method
 * @param {string} address
 * @param {Asked} asked
 */
export async function ask(method, address, { token, body, accept, signal } = {}) {
  // The server words its errors in the language of the page.
  const more = { Accept: accept ?? "application/json", "Accept-Language": language };
  if (body !== undefined) more["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers: headers(token, more),
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal: signal ?? AbortSignal.timeout(20_000),
    });
  } catch {
    throw new Refused(0, { title: say("no-answer") });
  }
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, problem);
  }
  try {
    return accept && accept !== "application/json" ? await answer.text() : await answer.json();
  } catch {
    throw new Refused(0, { title: say("no-answer") });
  }
}

/** Whether this server has refused to let somebody without a token read. */
let closed = false;

/**
 * Read what most servers let everybody read: the token is sent only where one is needed, because
 * that of a table is known to one of several servers.
 *
 * @param {string} address
 * @param {Asked} asked
 */
export async function read(address, { token, signal } = {}) {
  if (!token || !closed) {
    try {
      return await ask("GET", address, { signal });
    } catch (refused) {
      if (!token || refused.status !== 401) throw refused;
      closed = true;
    }
  }
  return ask("GET", address, { token, signal });
}

/**
 * Follow the events of an address until `signal` aborts it; `heard` gets each event's name, data
 * and id, `connected` whether there is a connection.  (EventSource cannot send a token.)
 */
export async function follow(address, { token, signal, heard, connected }) {
  let lastId = "";
  let wait = 500;
  while (!signal.aborted) {
    try {
      const more = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": lastId }) };
      const answer = await fetch(address, {
        headers: headers(token, more),
        cache: "no-store",
        signal,
      });
      if (!answer.ok) throw new Refused(answer.status, {});
      connected(true);
      wait = 500;
      let text = "";
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const blocks = (text + value).replace(/\r\n?/g, "\n").split("\n\n");
        text = blocks.pop();
        for (const block of blocks) {
          const event = { event: "message", data: [] };
          for (const line of block.split("\n")) {
            const [, field, rest] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
            if (field === "data") event.data.push(rest);
            else if (field === "event") event.event = rest;
            else if (field === "id") lastId = rest;
          }
          if (event.event === "end") return;
          if (event.data.length) heard(event.event, JSON.parse(event.data.join("\n")), lastId);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && error.status >= 400 && error.status < 500) wait = 15_000;
    }
    connected(false);
    await new Promise((go) => setTimeout(go, wait * (0.75 + Math.random() / 2)));
    wait = Math.min(wait * 2, 15_000);
  }
}
