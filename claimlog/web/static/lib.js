// Preact and htm for the other modules.

import htm from "./htm.mjs";
import { h } from "./preact.mjs";

// An effect that listens to events is a layout effect: others start only after the page is painted,
// and miss what happens in between.
export { useEffect, useLayoutEffect, useRef, useState } from "./hooks.mjs";
export { Fragment, render } from "./preact.mjs";
export const html = htm.bind(h);
