// The viewer in a page of the server that begins with one view and fetches the others.

import { read } from "./replay.js";
import { mount } from "./viewer.js";

/** The game in all views; nothing where it cannot be had, for one view is there. */
async function views(address) {
  try {
    // Asked for as the page was: it is a part of it.
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

const place = document.getElementById("replay");
if (place.dataset.more) {
  const options = {
    language: document.documentElement.lang,
    title: place.dataset.title !== "none",
  };
  const more = views(place.dataset.more);
  // Who comes by a link to the view of a seat sees that one first.
  const first = /seat=/.test(location.hash) && (await more);
  mount(place, first || (await read(document.getElementById("replay-data"))), options);
  const all = await more;
  if (all) mount(place, all, options);
}
