// The shape of a faction, so that colour never stands alone (claimlog/draw/faces.py).

import { html } from "./lib.js";
import { factions } from "./words.js";

/** The shape of a faction. */
export function Shape({ letter }) {
  return html`<svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
    <path fill-rule="evenodd" d=${factions[letter].shape} />
  </svg>`;
}
