// The sheets that open over the page: doubts, notes, tricks, what was agreed, links, the end.

import {
  agreedOf,
  changes,
  DeckOf,
  lacking,
  People,
  Rules,
  Scorer,
  Seats,
  twin,
  Where,
} from "./agreed.js";
import { staysOn } from "./awake.js";
import { Install } from "./install.js";
import * as judge from "./judge.js";
import { html, useEffect, useState } from "./lib.js";
import { ask } from "./server.js";
import { sign, silence, silent } from "./signs.js";
import * as store from "./store.js";
import { sideOf } from "./table.js";
import { Sheet, save, useOnce } from "./ui.js";
import { count, factions, inLanguage, isolated, language, linked, results, say } from "./words.js";

const ANNOTATIONS = ["!", "?", "!!", "??", "!?", "?!"];
const ENDINGS = ["resignation", "time", "adjudication", "abandoned"];

/**
 * An entry is impossible: was it mistyped, or did it really happen?  With `leave` the question may
 * be left open.
 */
export function Doubt({ doubt, view, add, setMode, leave = null }) {
  const { waiting } = view;
  const { entry, word, was, trick } = doubt;
  const clear = (more) => add({ kind: "clear", entry, ...more });
  const typed = doubt.kind === "enter";
  const mark = doubt.mark ?? "";
  const picks = doubt.code === "pick" ? view.possible : [];
  useEffect(() => sign("doubt"), [entry]);
  const anyway = doubt.remedies.includes("anyway");
  const title = word ? say("doubt", { word }) : say("doubt.change");
  // Without the entry in doubt, those behind it would mean something else.
  const close = leave ?? (waiting ? null : () => add({ kind: "undo" }));
  return html`<${Sheet} urgent title=${title} close=${close}>
    <p id="doubt">${doubt.sentence}</p>
    ${doubt.because && html`<p class="note">${doubt.because}</p>`}
    ${waiting > 0 && html`<p class="note">${count("waiting", waiting)}</p>`}
    <div class="choices">
      ${picks.map(
        (card) =>
          html`<button type="button" class=${`main of-${card[0]}`} onClick=${() => clear({ first: `=${card}` })}>
            ${say("doubt.first", { card, word })}
          </button>`,
      )}
      <button type="button" class=${picks.length ? "" : "main"} id="drop" onClick=${() => clear({ drop: true })}>
        ${say(word ? "doubt.drop" : "doubt.leave")}
      </button>
      ${
        typed &&
        html`<button type="button" id="instead" onClick=${() => setMode({ kind: "instead", entry, word, mark })}>
          ${say("doubt.instead")}
        </button>`
      }
      ${
        anyway &&
        html`<button type="button" id="anyway" onClick=${() => clear({ anyway: true })}>
          ${say("doubt.anyway")}
        </button>`
      }
      ${
        doubt.remedies.includes("earlier") &&
        html`<button type="button" id="earlier" onClick=${() => setMode({ kind: "earlier", entry, was, trick })}>
          ${say("doubt.earlier", { was, trick })}
        </button>`
      }
      ${
        (anyway || typed) &&
        html`<button type="button" id="later" onClick=${() => clear({ later: true, ...(anyway && { anyway }) })}>
          ${say(anyway ? "doubt.later-stands" : "doubt.later")}
        </button>`
      }
    </div>
  <//>`;
}

/** A long press: a play with a mark, or the correction of a card already played. */
export function Held({ card, places, view, close, enter, mend, note }) {
  const playing = view.due.kind === "play" || view.due.kind === "draw";
  const title = `${factions[card[0]].name} ${card.slice(1)}`;
  const play = (mark) => {
    close();
    enter(`${card}${mark}`);
  };
  return html`<${Sheet} title=${title} close=${close}>
    <div class="choices" id="held">
      ${places.map(
        (trick) =>
          html`<button type="button" onClick=${() => mend(card, trick)}>
            ${say("was-another", { card, trick })}
          </button>`,
      )}
      ${
        playing &&
        html`<button type="button" id="irregular" onClick=${() => play("^")}>${say("irregular")}</button>
          <div class="annotations" role="group" aria-label=${say("annotate")}>
            ${ANNOTATIONS.map(
              (mark) =>
                html`<button type="button" aria-label=${`${card}${mark}`} onClick=${() => play(mark)}>${mark}</button>`,
            )}
          </div>`
      }
      <button type="button" onClick=${note}>${say("note-last")}</button>
    </div>
  <//>`;
}

/** A comment on the last entry. */
export function Note({ close, add }) {
  const [text, setText] = useState("");
  const [busy, once] = useOnce();
  const keep = once(async () => {
    await add({ kind: "note", text: text.trim().slice(0, 1000) });
    close();
  });
  return html`<${Sheet} title=${say("note-last")} close=${close}>
    <textarea
      id="note-text"
      rows="3"
      maxlength="1000"
      aria-label=${say("note-last")}
      value=${text}
      onInput=${(event) => setText(event.currentTarget.value)}
    ></textarea>
    <div class="choices">
      <button type="button" class="main" disabled=${busy || !text.trim()} onClick=${keep}>${say("keep")}</button>
    </div>
  <//>`;
}

/** Corrects what was agreed, as one change: names, seats, leader, deck, round, table. */
export function Agreed({ session, close, add }) {
  const [before] = useState(() => agreedOf(session.view));
  const [agreed, setAgreed] = useState(before);
  const [already, setAlready] = useState(null);
  const [busy, once] = useOnce();
  const { view } = session;
  const change = (some) => {
    setAlready(null);
    setAgreed((all) => ({ ...all, ...some }));
  };
  const tags = changes(before, agreed);
  const begun = view.decided > 0 || view.table.upcards.length > 0 || view.table.plays.length > 0;
  const keep = once(async () => {
    const moved = ["Event", "Round", "Table"].some((name) => name in tags);
    if (moved && !already) {
      const place = { ...agreed, date: view.tags.Date };
      const there = await twin(place, session.token, session.id).catch(() => null);
      if (there) {
        setAlready(there);
        return;
      }
    }
    close();
    if ("Recorder" in tags) await store.keepScorer(tags.Recorder);
    await add({ kind: "agree", tags });
  });
  return html`<${Sheet} title=${say("agreed")} close=${close}>
    <form onSubmit=${keep}>
      <p class="small">${say("agreed-about")}</p>
      ${!begun && html`<${Seats} agreed=${agreed} change=${change} />`}
      <${People} agreed=${agreed} change=${change} token=${session.token} />
      <${Where} agreed=${agreed} change=${change} token=${session.token} />
      <${DeckOf} agreed=${agreed} change=${change} />
      <${Scorer} agreed=${agreed} change=${change} />
      <${Rules} agreed=${agreed} change=${change} />
      ${already && html`<p class="note" role="alert">${say("twin")} ${already.players.map(isolated).join(" – ")}</p>`}
      <button type="submit" class="main" disabled=${busy || !Object.keys(tags).length || lacking(agreed).length > 0}>${say(already ? "keep-anyway" : "keep")}</button>
    </form>
  <//>`;
}

/** The key of a warning if this page would not open again offline; "" if it would. */
export function pageKept() {
  if (!window.isSecureContext) return "not-secure";
  return navigator.serviceWorker?.controller ? "" : "not-kept";
}

/** The menu of everything else that can be done. */
export function Menu({ session, close, open, add }) {
  const missing = pageKept();
  const { view, entries, closed } = session;
  const going = !view.over && !closed;
  const last = entries.at(-1)?.entry;
  const other = language === "de" ? "en" : "de";
  const [off, setOff] = useState(silent);
  const asked = (view.asked?.length ?? 0) + (view.doubt?.later ? 1 : 0);
  const sounds = () => {
    silence(!off);
    setOff(!off);
    sign("won");
  };
  const pause = () => {
    const now = new Date();
    const time = [now.getHours(), now.getMinutes(), now.getSeconds()]
      .map((part, place) => (place ? String(part).padStart(2, "0") : part))
      .join(":");
    close();
    add({ kind: "pause", time });
  };
  return html`<${Sheet} title=${say("menu")} close=${close}>
    <p>${say("kept", { kept: session.kept, server: session.atServer })}</p>
    <p class="small">${say(`link.${session.link}`)} ${say(`judge.is-${judge.stage()}`, { percent: judge.running.come })}</p>
    ${missing && html`<p class="note" id="not-kept">${say(missing)}</p>`}
    ${missing !== "not-secure" && session.scores && !staysOn() && html`<p class="note" id="goes-dark">${say("goes-dark")}</p>`}
    ${session.trouble && html`<p class="note" role="alert">${session.trouble}</p>`}
    ${
      view.problems.length > 0 &&
      html`<ul class="why">${view.problems.map((one) => html`<li>${one.message}</li>`)}</ul>`
    }
    <div class="choices">
      ${asked > 0 && html`<button type="button" class="main" onClick=${() => open("asked")}>${say("director")} (${asked})</button>`}
      <button type="button" onClick=${() => open("text")}>${say("text")}</button>
      <button type="button" onClick=${() => open("links")}>${say("links")}</button>
      ${!closed && html`<button type="button" onClick=${() => open("agreed")}>${say("agreed")}</button>`}
      ${last?.kind !== "pause" && going && html`<button type="button" onClick=${pause}>${say("pause")}</button>`}
      ${going && view.phase === 1 && view.decided > 0 && html`<button type="button" onClick=${() => open("fill")}>${say("fill")}</button>`}
      <${Install} />
      ${going && html`<button type="button" onClick=${() => open("end")}>${say("end")}</button>`}
      <button type="button" id="sounds" aria-pressed=${!off} onClick=${sounds}>${say("sounds")}</button>
      <a class="button" href=${inLanguage(other)} hreflang=${other} lang=${other}>${say("language")}</a>
      <a class="button" href=${linked("/tables")}>${say("tables")}</a>
    </div>
  <//>`;
}

/** The game as text and as a QR code, including the unjudged entries. */
export function Text({ session, close }) {
  const [code, setCode] = useState("");
  const { view, unjudged } = session;
  const more = unjudged.map((entry) => `; ${JSON.stringify(entry)}\n`).join("");
  const text = (view?.record ?? "") + more;
  const name = `${[session.info?.event, session.id]
    .filter(Boolean)
    .join("-")
    .replace(/[^\w-]+/g, "-")}.clm`;
  useEffect(() => {
    if (judge.running.state !== "ready") return;
    judge.ask("qr", { text }).then(setCode, () => setCode(""));
  }, [text]);
  return html`<${Sheet} title=${say("text")} close=${close}>
    <pre id="record" tabindex="0">${text}</pre>
    <div class="choices">
      <button type="button" onClick=${() => save(name, text)}>${say("save")}</button>
      ${navigator.clipboard && html`<button type="button" onClick=${() => navigator.clipboard.writeText(text)}>${say("copy")}</button>`}
      ${navigator.share && html`<button type="button" onClick=${() => navigator.share({ title: name, text }).catch(() => {})}>${say("share")}</button>`}
    </div>
    <${Code} svg=${code} about=${say("qr-text")} />
  <//>`;
}

/** A QR code, if there is one. */
function Code({ svg, about }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!svg) return;
    const drawn = svg.includes("xmlns")
      ? svg
      : svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
    const made = URL.createObjectURL(new Blob([drawn], { type: "image/svg+xml" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return address
    ? html`<figure class="code"><img src=${address} alt=${about} /><figcaption>${about}</figcaption></figure>`
    : html`<p class="note">${say("qr-none")}</p>`;
}

/** A link as text and as a QR code, made here or by the server. */
export function Link({ id, token, about }) {
  const [code, setCode] = useState("");
  const address = `${location.origin}/tables/${id}${token ? `#token=${token}` : ""}`;
  useEffect(() => {
    const drawn =
      judge.running.state === "ready"
        ? judge.ask("qr", { text: address })
        : ask("GET", `/v1/tables/${id}/qr`, { token, accept: "image/svg+xml" });
    drawn.then(setCode, () => setCode(""));
  }, [address]);
  return html`<${Code} svg=${code} about=${about} />
    <p class="address"><code>${address}</code></p>
    ${navigator.share && html`<button type="button" onClick=${() => navigator.share({ url: address }).catch(() => {})}>${say("share")}</button>`}`;
}

/** Links for spectators, and for a second phone. */
export function Links({ session, close }) {
  const [scoring, setScoring] = useState(false);
  return html`<${Sheet} title=${say("links")} close=${close}>
    <div class="tabs" role="group">
      <button type="button" aria-pressed=${!scoring} onClick=${() => setScoring(false)}>${say("link.watch")}</button>
      <button type="button" aria-pressed=${scoring} onClick=${() => setScoring(true)}>${say("link.score")}</button>
    </div>
    ${
      scoring
        ? html`<${Link} key="score" id=${session.id} token=${session.token} about=${say("link.score-about")} />`
        : html`<${Link} key="watch" id=${session.id} about=${say("link.watch-about")} />`
    }
  <//>`;
}

/** The seats that took a hidden card in a trick. */
function drawing({ upcards, taken }) {
  const cards = Object.values(taken);
  // Of equal cards, one may have been turned up.
  const several = (card) => cards.filter((one) => one === card).length > 1;
  return Object.keys(taken)
    .filter((seat) => !upcards.includes(taken[seat]) || several(taken[seat]))
    .map(Number);
}

/** A card that was drawn unseen, and is known now. */
export function Fill({ session, close, setMode }) {
  const { view } = session;
  const tricks = view.played.filter((one) => drawing(one).length > 0).reverse();
  const [trick, setTrick] = useState(tricks[0]?.number);
  const [chosen, setSeat] = useState(0);
  const seats = tricks.filter((one) => one.number === trick).flatMap(drawing);
  const seat = seats.includes(chosen) ? chosen : seats[0];
  const go = () => {
    close();
    setMode({ kind: "fill", trick, seat, name: view.players[seat - 1] });
  };
  return html`<${Sheet} title=${say("fill")} close=${close}>
    <label for="fill-trick">${say("fill.trick")}</label>
    <select id="fill-trick" value=${trick} onChange=${(event) => setTrick(Number(event.currentTarget.value))}>
      ${tricks.map(({ number }) => html`<option value=${number}>${number}</option>`)}
    </select>
    <label for="fill-seat">${say("fill.seat")}</label>
    <select id="fill-seat" value=${seat} onChange=${(event) => setSeat(Number(event.currentTarget.value))}>
      ${seats.map((each) => html`<option value=${each}>${isolated(view.players[each - 1])}</option>`)}
    </select>
    <div class="choices">
      <button type="button" class="main" disabled=${!seat} onClick=${go}>${say("fill.go")}</button>
    </div>
  <//>`;
}

/** Who wins by a result. */
function winning(view, { winners }) {
  const names = winners.map((side) => sideOf(view, side));
  if (names.length === 1) return names[0];
  return sidesOf(view) === 2
    ? say("end.shared")
    : say("end.shared-by", { names: names.join(", ") });
}

/** The number of sides. */
const sidesOf = (view) => view.race[view.deck[0]].length;

/** The end of a game that is ended early. */
export function End({ session, close, add }) {
  const { view } = session;
  const endings = results[sidesOf(view)];
  const [result, setResult] = useState("");
  const [why, setWhy] = useState("");
  const [busy, once] = useOnce();
  // Whoever resigns does not share the win.
  const fits = (one, reason) => reason !== "resignation" || one.winners.length < sidesOf(view);
  const because = (reason) => {
    setWhy(reason);
    if (!endings.some((one) => one.result === result && fits(one, reason))) setResult("");
  };
  const open = why === "abandoned";
  const keep = once(async () => {
    await add({ kind: "finish", result: open ? "*" : result, termination: why });
    close();
  });
  return html`<${Sheet} title=${say("end")} close=${close}>
    <label for="why">${say("end.why")}</label>
    <select id="why" value=${why} onChange=${(event) => because(event.currentTarget.value)}>
      ${!why && html`<option value="">${say("choose")}</option>`}
      ${ENDINGS.map((each) => html`<option value=${each}>${say(`end.${each}`)}</option>`)}
    </select>
    ${
      !open &&
      html`<label for="winner">${say("end.winner")}</label>
        <select id="winner" value=${result} onChange=${(event) => setResult(event.currentTarget.value)}>
          ${!result && html`<option value="">${say("choose")}</option>`}
          ${endings
            .filter((one) => fits(one, why))
            .map((one) => html`<option value=${one.result}>${winning(view, one)}</option>`)}
        </select>`
    }
    <div class="choices">
      <button type="button" class="main" disabled=${busy || !why || (!open && !result)} onClick=${keep}>${say("keep")}</button>
    </div>
  <//>`;
}
