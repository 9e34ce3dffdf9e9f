// The viewer in a page of the server that begins with one view and fetches the others.

import { read } from "./replay.js";
import { keepToken, withToken } from "./token.js";
import { mount } from "./viewer.js";

/** What an address has; nothing where it cannot be had. */
async function had(address) {
  try {
    // Asked for as the page was: it is a part of it.
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** An address below another one, with further arguments. */
function below(address, name, more = {}) {
  const url = new URL(address, location.href);
  url.pathname += `/${name}`;
  for (const [key, value] of Object.entries(more)) url.searchParams.set(key, value);
  return url;
}

/** The same question is asked once. */
function once(ask) {
  const answers = new Map();
  return (about) => {
    if (!answers.has(about)) answers.set(about, ask(about));
    return answers.get(about);
  };
}

/** Put a record in the place of a game's; null once it is there, otherwise what is wrong. */
async function corrected(address, revision, record, { language, why }) {
  const headers = withToken({
    "Content-Type": "text/x-claim",
    "Accept-Language": language,
    "If-Match": `"${revision}"`,
  });
  const asked = `/v1${address}?${new URLSearchParams({ why })}`;
  const answer = await fetch(asked, { method: "PUT", headers, body: record }).catch(() => null);
  if (answer?.ok) return null;
  const reply = await answer?.json().catch(() => null);
  return { detail: reply?.detail, token: [401, 403].includes(answer?.status) };
}

const place = document.getElementById("replay");
const { more: all, worth, at } = place.dataset;
const stored = worth?.startsWith("/games/");
if (all || worth) {
  const options = {
    language: document.documentElement.lang,
    title: place.dataset.title !== "none",
    at: at && `#${at}`,
    share: worth && {
      page: worth,
      picture: stored ? worth.replace("/games/", "/pictures/") : below(worth, "picture").href,
    },
    others: stored && once((t) => had(below(worth, "others", { t }))),
    worth: worth && (() => had(below(worth, "worth"))),
    try:
      worth &&
      (([trick, played], cards, lang) =>
        had(below(worth, "try", { t: `${trick}.${played}`, cards: cards.join(" "), lang }))),
  };
  if (stored) {
    options.authorize = keepToken;
    options.correct = async (text, { revision }, said) => {
      const about = { language: options.language, why: said.text("comment") };
      const wrong = await corrected(worth, revision, text, about);
      // Also where somebody else was faster: the next try begins with what there is now.
      if (!wrong?.token) show(await had(all));
      return wrong;
    };
  }
  const show = (views) => {
    if (views) mount(place, views, options);
  };
  const more = all ? had(all) : null;
  // Who comes by a link to the view of a seat sees that one first.
  const first = /seat=/.test(location.hash) && (await more);
  mount(place, first || (await read(document.getElementById("replay-data"))), options);
  show(await more);
}
