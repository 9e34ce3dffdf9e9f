// Offers to install the page if the browser can; on iOS it says how.

import { html, useLayoutEffect, useState } from "./lib.js";
import { say } from "./words.js";

const changes = new EventTarget();
let asking = null;

function now(event) {
  asking = event;
  changes.dispatchEvent(new Event("change"));
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  now(event);
});
addEventListener("appinstalled", () => now(null));

/** The offer, while there is one. */
export function Install() {
  const [, again] = useState(0);
  useLayoutEffect(() => {
    const heard = () => again((number) => number + 1);
    changes.addEventListener("change", heard);
    return () => changes.removeEventListener("change", heard);
  }, []);
  const install = () => {
    asking.prompt(); // which is possible only once
    now(null);
  };
  if (asking) {
    return html`<button type="button" id="install" onClick=${install}>${say("install")}</button>`;
  }
  return "standalone" in navigator && !navigator.standalone
    ? html`<p class="small">${say("install-by-hand")}</p>`
    : null;
}
