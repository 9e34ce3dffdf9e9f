// The engine's interface for the page; where it cannot run, the page records without judging.

const { page, vendor, engine } = document.documentElement.dataset;

let worker;
let last = 0;
const asked = new Map();

/**
 * The state of the engine: "starting", "ready" or "off", and while it is starting how much of it
 * has been fetched, in percent.
 */
export const running = { state: "off", come: 0 };

/** The state, or "started" once everything is fetched and it only has to start up. */
export function stage() {
  return running.state === "starting" && running.come === 100 ? "started" : running.state;
}

function tell(answer) {
  const waiting = asked.get(answer.number);
  asked.delete(answer.number);
  if (answer.error === undefined) waiting?.good(answer.answer);
  else waiting?.bad(new Error(answer.error));
}

function stop() {
  running.state = "off";
  for (const { bad } of asked.values()) bad(new Error("the engine has stopped"));
  asked.clear();
  worker?.terminate();
}

/**
 * Ask the engine: "fold" entries into a view, "revision" for the effect of edits, "qr" of a text.
 */
export function ask(what, value) {
  return new Promise((good, bad) => {
    const number = ++last;
    asked.set(number, { good, bad });
    worker.postMessage({ number, ask: what, value });
  });
}

/** Start the engine; `changed` is called when it is ready, or has failed. */
export async function start(changed) {
  if (running.state !== "off") return;
  running.state = "starting";
  try {
    worker = new Worker(`${page}/engine.js`, { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.bytes === undefined) return tell(data);
      const now = Math.min(100, Math.round((100 * data.bytes) / Number(engine)));
      if (now === running.come) return undefined;
      running.come = now;
      return changed();
    };
    worker.onerror = () => {
      stop();
      changed();
    };
    await ask("start", { vendor, archive: `${page}/claimlog.zip` });
    running.state = "ready";
  } catch {
    stop();
  }
  changed();
}
