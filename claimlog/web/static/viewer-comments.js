// Comments that a reader writes: what each is about, and the record with them.

import { html, useEffect, useRef, useState } from "./lib.js";
import { save } from "./save.js";

/**
 * What a comment at a moment is about: the last card on the table, the previous trick, the game.
 */
export function subject(replay, { trick, played }) {
  if (played) return `${trick}.${played}`;
  let before = Math.min(trick - 1, replay.tricks);
  while (before > 0 && !replay.data.plays[before - 1]) before--;
  return before > 0 ? `${before}.${replay.data.plays[before - 1]}` : "0";
}

/** A comment as a record can contain it. */
export function plain(text) {
  return text.replaceAll("{", "(").replaceAll("}", ")").replace(/\s+/g, " ").trim();
}

/** The record with comments, each with its place (claimlog/web/comments.py). */
export function commented({ text, places }, comments) {
  const on = new Map();
  for (const [where, comment] of comments)
    on.set(where, [...(on.get(where) ?? []), `{${comment}}`]);
  // From the last place to the first, so that earlier places remain valid.
  return [...on]
    .sort(([one], [other]) => places[other][0] - places[one][0])
    .reduce((whole, [where, all]) => {
      const [start, end, before, after] = places[where];
      return whole.slice(0, start) + before + all.join(" ") + after + whole.slice(end);
    }, text);
}

const keptAs = ({ digest }) => `claimlog-comments-${digest}`;

/** The comments on a record that are saved in this browser. */
export function kept(record) {
  try {
    return JSON.parse(localStorage.getItem(keptAs(record))) ?? [];
  } catch {
    return [];
  }
}

export function keep(record, comments) {
  try {
    localStorage.setItem(keptAs(record), JSON.stringify(comments));
  } catch {
    // They stay on the page, and can be saved as a file.
  }
}

/** What a comment is about, in words. */
function about(replay, view, where, said) {
  if (where === "0") return said.text("viewer.on-game");
  const [trick, played] = where.split(".").map(Number);
  if (played === replay.data.plays[trick - 1])
    return said.text("viewer.on-trick", { number: trick });
  const { card } = replay.frame(view, replay.place(trick, played)).plays[played - 1];
  return said.text("viewer.on-card", { card: card ?? "_", number: trick });
}

/** The reader's comments on the current moment. */
export function Own({ replay, frame, own, setOwn, said }) {
  const where = subject(replay, frame);
  return own.map(
    (one) =>
      one[0] === where &&
      html`<p class="comment">${one[1]} <button type="button" onClick=${() => setOwn(own.filter((other) => other !== one))}>${said.text("viewer.comment-remove")}</button></p>`,
  );
}

/**
 * A field for comments. `own` are those kept by this page; if a server keeps them, `correct`
 * resolves to null once it has a record, otherwise to the error: `detail`, `token` if a token is
 * needed, which `authorize` takes, and `overtaken` if somebody else was faster.
 */
export function Commenting({ replay, view, frame, own, setOwn, correct, authorize, place, said }) {
  const { record } = replay.data;
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(null);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState("");
  const token = useRef(null);
  const where = subject(replay, frame);
  useEffect(() => {
    if (wrong?.token) token.current.focus();
  }, [wrong]);
  const write = async (event) => {
    event.preventDefault();
    const comment = plain(text);
    if (!comment || busy) return;
    const done = () => {
      // More may have been typed meanwhile.
      setText((now) => (now === text ? "" : now));
      setSaved(about(replay, view, where, said));
    };
    setSaved("");
    if (!correct) {
      setOwn([...own, [where, comment]]);
      done();
      return;
    }
    if (token.current?.value) authorize(token.current.value);
    setBusy(true);
    const refused = await correct(commented(record, [[where, comment]]), record, said);
    setBusy(false);
    setWrong(refused);
    if (!refused) done();
  };
  const keys = (event) => {
    if (event.key === "Escape") event.target.blur();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) write(event);
  };
  return html`<details class="commenting" ref=${place}>
    <summary>${said.text("viewer.comment")}</summary>
    <form onSubmit=${write}>
      <label for="comment-text">${about(replay, view, where, said)}</label>
      <textarea id="comment-text" rows="3" maxlength="2000" value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${keys}></textarea>
      ${wrong?.token && html`<label for="comment-token">${said.text("viewer.token")}</label><input ref=${token} id="comment-token" type="password" autocomplete="off" />`}
      ${wrong && html`<p class="bad" role="alert">${wrong.overtaken ? said.text("viewer.comment-overtaken") : (wrong.detail ?? said.text("viewer.comment-failed"))}</p>`}
      ${saved && html`<p class="dim" role="status">${said.text("viewer.comment-saved", { where: saved })}</p>`}
      <p class="buttons"><button type="submit" aria-disabled=${busy || !plain(text)}>${said.text("viewer.comment-save")}</button>
      ${own.length > 0 && html`<button type="button" onClick=${() => save("game.clm", commented(record, own))}>${said.text("viewer.comment-file")}</button>`}</p>
    </form>
    ${!correct && html`<p class="dim">${said.text("viewer.comment-kept")}</p>`}
  </details>`;
}
