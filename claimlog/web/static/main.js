// The start of the page: which page it is, and keeping it on the phone.

import { Board, Other } from "./board.js";
import { Hall } from "./hall.js";
import { html, render, useEffect, useLayoutEffect, useState } from "./lib.js";
import { Session } from "./session.js";
import { New, Tables } from "./tables.js";
import { Watch } from "./watch.js";
import { isolated, linked, say } from "./words.js";

/** The token in a link after the "#", which no server ever sees. */
function tokenOf(hash) {
  const token = new URLSearchParams(hash.slice(1)).get("token");
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

let scoring = false;
let keepAll = () => {};

/** Keep the page on the phone, but only once it is displayed. */
async function keep() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js", { scope: "/tables" });
    const ready = await navigator.serviceWorker.ready;
    navigator.serviceWorker.onmessage = ({ data }) => {
      if (data.kept) document.documentElement.dataset.kept = "all";
    };
    keepAll = () => ready.active.postMessage("keep all");
    if (scoring) keepAll();
  } catch (error) {
    console.warn(`this page is not kept for later: ${error.message}`);
  }
}

/** A scorer's phone keeps the engine, too; spectators do not need it. */
function scores() {
  scoring = true;
  keepAll();
  // Then browsers short of space ask before they delete a game.
  navigator.storage?.persist?.();
}

function Table({ id, token }) {
  const [session, setSession] = useState(null);
  const [, again] = useState(0);
  useEffect(() => {
    const made = new Session(id, () => again((number) => number + 1));
    setSession(made);
    made
      .open(token)
      .then(() => made.mayScore && scores())
      .finally(keep);
    return () => made.close();
  }, [id, token]);
  if (!session) return null;
  const { view, missing } = session;
  if (!view) {
    const why = missing ? "no-table" : session.link === "down" ? "not-here" : "loading";
    return html`<main class="form" data-why=${why}><div role="status"><h1>${session.trouble || say(why)}</h1></div><a class="button" href=${linked("/tables")}>${say("tables")}</a></main>`;
  }
  const about = [
    view.tags?.Event,
    view.tags?.Round && say("round", { number: view.tags.Round }),
    view.tags?.Table && say("table", { number: view.tags.Table }),
  ].filter(Boolean);
  const ended = (session.info?.state ?? "open") !== "open";
  document.title = `${view.players.map(isolated).join(" – ")} · Claim`;
  return html`<header class="bar">
      <h1>${view.players.map(isolated).join(" – ")}</h1>
      <p>${about.map(isolated).join(" · ")}</p>
    </header>
    <${Hall} session=${session} />
    ${session.info?.state === "abandoned" && html`<p class="banner">${say("abandoned")}</p>`}
    ${session.other && !ended && html`<${Other} session=${session} />`}
    ${session.scores || (session.mayScore && session.info?.state === "finished" && view.possible) ? html`<${Board} session=${session} />` : html`<${Watch} session=${session} />`}`;
}

function Page() {
  const [, , id] = location.pathname.split("/");
  const [token, setToken] = useState(() => tokenOf(location.hash));
  useLayoutEffect(() => {
    // The link of a scorer, opened in a tab that has the table already.
    const look = () => setToken((known) => tokenOf(location.hash) ?? known);
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  useEffect(() => {
    if (!id || id === "new") keep();
  }, []);
  if (!id) return html`<${Tables} />`;
  if (id === "new") return html`<${New} />`;
  return html`<${Table} id=${decodeURIComponent(id)} token=${token} />`;
}

render(html`<${Page} />`, document.getElementById("app"));
