// The viewer on a page of the server, which begins with one view and fetches the others.

import { once, read } from "./replay.js";
import { keepToken, withToken } from "./token.js";
import { mount } from "./viewer.js";

/** The JSON at an address, or null if it cannot be fetched. */
async function had(address) {
  try {
    // Requested like the page, of which it is a part.
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

/** Replace the record of a game; null if that succeeded, otherwise the error. */
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
  const { status } = answer ?? {};
  return { detail: reply?.detail, token: [401, 403].includes(status), overtaken: status === 412 };
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
      // Also if somebody else was faster: the next attempt starts from the current record.
      if (!wrong?.token) show(await had(all));
      return wrong;
    };
  }
  const show = (views) => {
    if (views) mount(place, views, options);
  };
  const more = all ? had(all) : null;
  // A link to the view of a seat shows that view first.
  const first = /seat=/.test(location.hash) && (await more);
  mount(place, first || (await read(document.getElementById("replay-data"))), options);
  show(await more);
}
