// The director's message at the top of a table's page.

import { html, useEffect, useRef } from "./lib.js";
import { Notice } from "./notice.js";

export function Hall({ session }) {
  const place = useRef(null);
  const shown = useRef(null);
  useEffect(() => {
    shown.current = new Notice(place.current);
    return () => shown.current.stop();
  }, []);
  useEffect(() => {
    if (session.notice) shown.current.show(session.notice, session.noticed);
  }, [session.notice]);
  return html`<p class="hall" ref=${place} tabindex="0" hidden></p>`;
}
