// Preact and htm for the other modules.

import htm from "./htm.mjs";
import { h } from "./preact.mjs";

export { useEffect, useLayoutEffect, useRef, useState } from "./hooks.mjs";
export { Fragment, render } from "./preact.mjs";
export const html = htm.bind(h);
