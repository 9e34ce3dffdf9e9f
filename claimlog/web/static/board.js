// The scorer's page: one tap a card.

import { Field } from "./agreed.js";
import { awake } from "./awake.js";
import { Decided } from "./decided.js";
import * as judge from "./judge.js";
import { typed } from "./keys.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { Shape } from "./shapes.js";
import { Agreed, Doubt, End, Fill, Held, Links, Menu, Note, pageKept, Text } from "./sheets.js";
import { sign } from "./signs.js";
import * as store from "./store.js";
import { Deck, dueOf, Ending, shortName, sideOf, Trick } from "./table.js";
import { Asked, Tricks, UNCHANGED } from "./tricks.js";
import { Sheet, useOnce } from "./ui.js";
import { count, factions, linked, say } from "./words.js";

const LATEST = 12;
const MARKS = ["", "~", "=", "-", "/"];

/** Where a card is: the numbers of the tricks in which it was turned up, played or taken. */
function placesOf(view, card) {
  const tricks = [...(view.played ?? []), { ...view.table, number: view.trick, taken: {} }];
  return tricks
    .filter(
      ({ upcards, plays, taken }) =>
        upcards.includes(card) ||
        plays.some((play) => play.card === card) ||
        Object.values(taken).includes(card),
    )
    .map(({ number }) => number);
}

/** How many entries are saved, and whether there is a connection. */
function Status({ session, onTap }) {
  const { kept, atServer, link, trouble } = session;
  const abandoned = session.info?.state === "abandoned"; // then nothing waits to be sent
  const safe = kept === atServer && link === "up";
  const numbers = say("kept", { kept, server: atServer });
  const light = safe
    ? "light.green"
    : kept === atServer || abandoned || !pageKept()
      ? "light.yellow"
      : "light.red";
  useLayoutEffect(() => {
    // The page could not be reopened, so the browser asks before it closes or reloads it.
    if (light !== "light.red") return undefined;
    const ask = (event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [light]);
  const wrong = [link === "down" && say(pageKept() ? "offline-stay" : "offline"), trouble].filter(
    Boolean,
  );
  // What is inside a button is read with the button only, and not when it appears.
  return html`<button type="button" class=${`status ${safe ? "safe" : "waiting"}`} onClick=${onTap}>
    <span aria-hidden="true">${safe ? "✓" : link === "down" ? "⚡" : "↻"}</span>
    <span id="status">${numbers}</span>
    <span id="light" class="light">${say(light)}</span>
    ${pageKept() === "not-secure" && html`<span class="note">${say("no-https")}</span>`}
  </button>
  <div role="status">${wrong.length > 0 && html`<p class="wrong note">${wrong.map((one) => html`<span>${one} </span>`)}</p>`}</div>`;
}

/** What the next tap means, unless it is simply the next card. */
function Mode({ mode, line = "", cancel, done }) {
  const { kind, words } = mode;
  return html`<div class="mode" role="status">
    <span>${say(`mode.${kind}`, mode)} ${words && html`<b>${words.join(" ")}</b>`} ${line && html`<kbd>${line}</kbd>`}</span>
    ${words?.length > 0 && html`<button type="button" class="main" onClick=${done}>${say("done")}</button>`}
    <button type="button" onClick=${cancel}>${say("cancel")}</button>
  </div>`;
}

/** The large buttons for a choice that is due. */
function Choices({ view, enter, setMode }) {
  const { kind, seat } = view.due;
  if (kind === "look") {
    return html`<div class="choices">
      <button type="button" onClick=${() => enter("~-")}>${say("seer.left")}</button>
      <button type="button" onClick=${() => enter("~_")}>${say("seer.took")}</button>
      <button type="button" onClick=${() => setMode({ kind: "seer" })}>${say("seer.seen")}</button>
    </div>`;
  }
  if (kind === "pick") {
    return html`<div class="choices">
      ${view.possible.map(
        (card) =>
          html`<button type="button" class=${`of-${card[0]}`} onClick=${() => enter(`=${card}`)}>
            ${factions[card[0]].name} <b>${card}</b>
          </button>`,
      )}
    </div>`;
  }
  if (kind === "discard") {
    return html`<button type="button" class="aside" onClick=${() => enter("-_")}>${say("unseen")}</button>`;
  }
  if (kind === "draw") {
    const name = shortName(view, seat);
    return html`<button type="button" class="aside" onClick=${() => setMode({ kind: "draw", name })}>
      ${say("drawn", { name })}
    </button>`;
  }
  if (kind === "loot") {
    return html`<div class="choices">
      ${view.possible.map(
        (letter) =>
          html`<button type="button" class=${`of-${letter}`} aria-label=${factions[letter].name} onClick=${() => enter(letter)}>
            <${Shape} letter=${letter} /><b>${letter}</b><span class="name">${factions[letter].name}</span>
          </button>`,
      )}
    </div>`;
  }
  return null;
}

/** The end: both sides confirm, and the game is submitted. */
function Over({ session, view, judged, add, agree, open }) {
  const [acting, once] = useOnce();
  const busy = acting || !judged;
  const [refused, setRefused] = useState(null);
  const sides = view.race[view.deck[0]].map((_, side) => side + 1);
  const finished = session.info?.state === "finished";
  const whole = useRef(null);
  // Where the focus goes once the button that had it is gone: never to another button, which a key
  // that is held would press, too.
  const next = useRef("");
  useEffect(() => {
    const there = next.current && whole.current.querySelector(next.current);
    if (!there) return;
    next.current = "";
    if (document.activeElement === document.body) there.focus({ preventScroll: true });
  });
  const asked = view.asked?.length ?? 0;
  const before = useRef(asked);
  useEffect(() => {
    if (asked < before.current && document.activeElement === document.body) whole.current.focus();
    before.current = asked;
  }, [asked]);
  const confirm = (side) =>
    once(() => {
      next.current = `#confirmed-${side}`;
      return add({ kind: "confirm", side });
    });
  const hand = (beside) =>
    once(async () => {
      next.current = "#handed-in, #refused";
      setRefused(null);
      try {
        await session.finish(beside);
      } catch (error) {
        setRefused(error);
      }
    });
  const same = refused?.problem?.key === "game.doubtful" && refused.problem.values.id;
  return html`<div class="over" ref=${whole} tabindex="-1">
    <${Ending} view=${view} />
    ${asked > 0 && html`<p class="note" id="undecided" role="status">${finished ? count("undecided-handed-in", asked) : count("undecided", asked)}</p>`}
    ${!finished && asked > 0 && html`<button type="button" id="asked" onClick=${open}>${say("director")} (${asked})</button>`}
    ${
      !finished &&
      !same &&
      html`<div class="choices">
        ${sides.map((side) =>
          view.confirmed.includes(side)
            ? html`<p class="confirmed" id=${`confirmed-${side}`} tabindex="-1">✓ ${say("confirmed", { name: sideOf(view, side) })}</p>`
            : html`<button type="button" disabled=${busy} onClick=${confirm(side)}>
                ${say("confirm", { name: sideOf(view, side) })}
              </button>`,
        )}
        ${
          view.closed &&
          html`<button type="button" class="main" disabled=${busy} onClick=${hand(false)}>
            ${say("hand-in")}
          </button>`
        }
      </div>`
    }
    ${view.problems.length > 0 && html`<ul class="why" id="assumed">${view.problems.map((one) => html`<li>${one.message}</li>`)}</ul>`}
    ${!session.closed && view.problems.some((one) => one.code === "loot-unknown") && html`<button type="button" id="agree" onClick=${agree}>${say("agreed")}</button>`}
    ${
      finished &&
      html`<p class="confirmed" id="handed-in" tabindex="-1">✓ ${say("handed-in")}</p>
        ${session.info.game && html`<a class="button" href=${linked(`/games/${session.info.game}`)}>${say("watch.open")}</a>`}
        <${Decided} session=${session} view=${view} />`
    }
    ${
      same
        ? html`<p class="note" role="alert" id="refused" tabindex="-1">${say("same-game")} <a href=${linked(`/games/${same}`)} target="_blank">${say("same-game-look")}</a></p>
          <button type="button" disabled=${busy} onClick=${hand(true)}>${say("same-game-beside")}</button>`
        : refused &&
          html`<p class="note" role="alert" id="refused" tabindex="-1">${refused.message}</p>`
    }
  </div>`;
}

/** What was tapped since the last judgement, as words. */
function unjudgedWords(session) {
  return session.unjudged.map((entry) => entry.word ?? say(`kind.${entry.kind}`));
}

/** The unjudged words, with a choice of how to mark the next tap. */
function Unjudged({ session, mark, setMark }) {
  const words = unjudgedWords(session);
  const state = judge.stage();
  return html`<div class="unjudged" role="status">
    <p>${say(`judge.${state}`, { percent: judge.running.come })}</p>
    ${judge.running.state === "starting" && html`<progress max="100" value=${judge.running.come}></progress>`}
    <p class="words">${words.length > LATEST && html`<small>${words.length - LATEST} + </small>`}${words.slice(-LATEST).join(" ")}</p>
    <div class="marks" role="group" aria-label=${say("marks")}>
      ${MARKS.map(
        (each) =>
          html`<button type="button" aria-pressed=${mark === each} onClick=${() => setMark(each)}>
            ${say(`mark.${each || "card"}`)}
          </button>`,
      )}
    </div>
  </div>`;
}

/** The space of the last trick, which keeps the deck in its place. */
function Beneath({ view }) {
  return html`<div class="beneath" inert aria-hidden="true">
    <${Trick} view=${view} onCard=${null} />
    ${!view.over && html`<div class="asked"><p class="due">${dueOf(view)}</p></div>`}
  </div>`;
}

/** An entry is left to the director: later entries wait behind it, and are saved. */
function Later({ doubt, open }) {
  return html`<button type="button" class="later" onClick=${open}>
    <b>${say("doubt", { word: doubt.word })}</b> ${say("later.waits")} <b>${(doubt.behind ?? []).slice(-LATEST).join(" ")}</b>
  </button>`;
}

/**
 * Cards can be typed on a keyboard: u5. Backspace removes a key, or undoes an entry; with `cancel`
 * Escape leaves what the next card would be for.
 */
function useTyping({ view, closed, line, setLine, enter, undo, cancel }) {
  const now = useRef(null);
  now.current = { view, over: view.over || closed, line, enter, undo, cancel };
  useLayoutEffect(() => {
    const press = (event) => {
      const { view, over, line, enter, undo, cancel } = now.current;
      const { key, target } = event;
      const elsewhere = target.closest?.("input, select, textarea, dialog:not(.urgent)");
      if (elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === "Escape" && cancel) {
        event.preventDefault(); // or it would close the question that opens again, too
        setLine("");
        return cancel();
      }
      if (over) return;
      if (key === "Backspace") {
        event.preventDefault();
        return line ? setLine("") : undo();
      }
      if (!/^[a-z0-9]$/i.test(key) && !(key === "Enter" && line.length > 1)) return;
      event.preventDefault();
      const led = view.table.plays[0]?.card?.[0] ?? "";
      const values = Object.fromEntries([...view.deck].map((one) => [one, factions[one].values]));
      let step = typed(line, key, view.due.kind === "play" ? led : "", values);
      if (step.card) enter(step.card);
      if (step.again) step = typed("", key, "", values);
      setLine(step.line);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** The whole page. */
export function Board({ session }) {
  const { view, closed } = session;
  const [mode, setMode] = useState(null);
  const [sheet, setSheet] = useState(null);
  const [mark, setMark] = useState("");
  const [bounced, setBounced] = useState("");
  const [draft, setDraft] = useState(UNCHANGED);
  const [line, setLine] = useState("");
  useEffect(awake, []);
  const decided = useRef(view.decided);
  useEffect(() => {
    if (view.decided > decided.current) sign("won");
    decided.current = view.decided;
  }, [view.decided]);
  const close = () => {
    setSheet(null);
    setDraft(UNCHANGED);
  };
  const add = (entry) => {
    sign("card");
    setMode(null);
    setMark("");
    setBounced("");
    return session.add(entry);
  };
  const enter = (word) => add({ kind: "enter", word });
  const judged = session.current;
  const doubt = judged ? view.doubt : null;
  // A short wait does not change the page.
  const behind = !judged && (session.link === "down" || session.unjudged.length > 2);
  const over = view.over && !mode && !behind;

  // Earlier tricks: the effect of edits is shown in the list of tricks, and accepted there.
  const see = async (edits) => {
    const seen = edits.length ? await session.revision(edits) : null;
    setDraft((was) => (seen?.wrong ? { ...was, wrong: seen.wrong } : { edits, seen, wrong: "" }));
    setMode(null);
    setSheet({ kind: "tricks" });
  };
  const take = ({ edits, seen }) => {
    close();
    return add({
      kind: "revise",
      edits,
      ...(seen?.marked > 0 && { anyway: true }),
      ...(seen?.stopped && { cut: true }),
    });
  };
  const turn = async () => {
    const edits = view.wrong_player ?? [];
    if (!edits.length) return setSheet({ kind: "tricks" });
    const seen = await session.revision(edits);
    if (!seen || (!seen.wrong && !seen.marked && !seen.stopped)) return take({ edits, seen });
    return see(edits);
  };
  const insert = ({ number, upcards, plays }) => {
    setSheet(null);
    setMode({ kind: "insert", trick: number, words: [], total: upcards.length + plays.length });
  };
  const inserted = (words) => see([...draft.edits, { do: "insert", trick: mode.trick, words }]);
  const cancel = () => {
    setMode(null);
    if (draft.edits.length) setSheet({ kind: "tricks" });
  };

  const tap = (card) => {
    if (mode?.kind === "revise") {
      const { trick, was, place } = mode;
      return see([...draft.edits, { do: "card", trick, was, card, ...(place && { place }) }]);
    }
    if (mode?.kind === "insert") {
      const words = [...mode.words, card];
      sign("card");
      return words.length < mode.total ? setMode({ ...mode, words }) : inserted(words);
    }
    if (mode?.kind === "seer") return enter(`~${card}`);
    if (mode?.kind === "draw") return enter(`/${card}`);
    if (mode?.kind === "instead")
      return add({ kind: "clear", entry: mode.entry, word: `${mode.mark}${card}` });
    if (mode?.kind === "earlier") return add({ kind: "clear", entry: mode.entry, earlier: card });
    if (mode?.kind === "fill") {
      return add({ kind: "fill", trick: mode.trick, seat: mode.seat, card });
    }
    if (mode?.kind === "mend") return add({ kind: "mend", trick: mode.trick, was: mode.was, card });
    // A card without a mark is whatever is due, even if the previous tap is not judged yet.
    return enter(`${mark}${card}`);
  };
  // Always there, so that a card stays the same button, keeps the focus and is read out only once.
  const look = (card, trick) => judged && setSheet({ kind: "held", card, places: [trick] });
  const hold = (card) => {
    const places = placesOf(view, card);
    setSheet({ kind: "held", card, places });
  };
  useTyping({
    view,
    closed,
    line,
    setLine,
    enter: tap,
    undo: () => add({ kind: "undo" }),
    cancel: mode && cancel,
  });
  const mend = (was, trick) => {
    close();
    setMode({ kind: "mend", was, trick });
  };

  const sheets = {
    menu: () =>
      html`<${Menu} session=${session} close=${close} open=${(kind) => setSheet({ kind })} add=${add} />`,
    note: () => html`<${Note} close=${close} add=${add} />`,
    text: () => html`<${Text} session=${session} close=${close} />`,
    links: () => html`<${Links} session=${session} close=${close} />`,
    fill: () => html`<${Fill} session=${session} close=${close} setMode=${setMode} />`,
    tricks: () =>
      html`<${Tricks}
        view=${view}
        draft=${draft}
        closed=${closed}
        close=${close}
        see=${see}
        take=${() => take(draft)}
        insert=${insert}
        other=${(which) => {
          setSheet(null);
          setMode({ kind: "revise", ...which });
        }}
      />`,
    asked: () =>
      html`<${Asked}
        view=${view}
        closed=${closed}
        close=${close}
        decide=${() => setSheet({ kind: "doubt" })}
        settle=${({ trick, seat }) => {
          const played = [...view.played, { ...view.table, number: view.trick }];
          const { plays } = played.find((one) => one.number === trick);
          const place = plays.findIndex((play) => play.seat === seat) + 1;
          return take({ edits: [{ do: "settle", trick, place }], seen: null });
        }}
      />`,
    doubt: () =>
      doubt
        ? html`<${Doubt} doubt=${doubt} view=${view} leave=${close} add=${(entry) => {
            close();
            return add(entry);
          }} setMode=${(mode) => {
            close();
            setMode(mode);
          }} />`
        : null,
    agreed: () => html`<${Agreed} session=${session} close=${close} add=${add} />`,
    end: () => html`<${End} session=${session} close=${close} add=${add} />`,
    held: () =>
      html`<${Held} ...${sheet} view=${view} close=${close} enter=${enter} mend=${mend} note=${() => setSheet({ kind: "note" })} />`,
  };
  return html`<main class="board">
      <section class="top" aria-live="polite">
        ${
          over
            ? html`<${Over} session=${session} view=${view} judged=${judged} add=${add} agree=${() => setSheet({ kind: "agreed" })} open=${() => setSheet({ kind: "asked" })} />`
            : behind
              ? html`<${Beneath} view=${view} /><${Unjudged} session=${session} mark=${mark} setMark=${setMark} />`
              : html`<${Trick} view=${view} onCard=${closed ? null : look} />`
        }
        ${
          judged &&
          !view.over &&
          !closed &&
          html`<div class="asked" data-due=${view.due.kind}>
              ${mode ? html`<${Mode} mode=${mode} line=${line} cancel=${cancel} done=${() => inserted(mode.words)} />` : doubt?.later ? html`<${Later} doubt=${doubt} open=${() => setSheet({ kind: "doubt" })} />` : html`<p class="due" id="due">${line ? html`<kbd>${line}</kbd> ` : ""}${dueOf(view)}</p><${Choices} view=${view} enter=${enter} setMode=${setMode} />`}
            </div>`
        }
        ${!judged && !behind && !over && html`<div class="asked" aria-hidden="true"><p class="due">… ${unjudgedWords(session).join(" ")}</p></div>`}
        ${mode && view.over && html`<${Mode} mode=${mode} line=${line} cancel=${cancel} done=${() => inserted(mode.words)} />`}
      </section>
      ${
        !over &&
        html`<section class="bottom">
          <${Deck} view=${view} tapped=${session.unjudged} onTap=${closed ? null : tap} onHold=${hold} onBounce=${setBounced} />
        </section>`
      }
      <footer>
        <${Status} session=${session} onTap=${() => setSheet({ kind: "menu" })} />
        <nav class="foot" aria-label=${say("actions")}>
          <button type="button" id="undo" aria-label=${say("undo")} disabled=${!session.canUndo} onClick=${() => add(session.undoing)}>
            <span aria-hidden="true">↶</span> <span class="text">${say("undo")}</span>
          </button>
          <button type="button" id="redo" aria-label=${say("redo")} disabled=${closed || !judged || !view.can_redo} onClick=${() => add({ kind: "redo" })}>
            <span aria-hidden="true">↷</span> <span class="text">${say("redo")}</span>
          </button>
          <button type="button" id="turn" aria-label=${say("revise.wrong-player")} title=${say("revise.wrong-player")} disabled=${closed || !judged} onClick=${turn}>
            <span aria-hidden="true">⇄</span> <span class="text">${say("turn-short")}</span>
          </button>
          <button type="button" id="tricks" aria-label=${say("tricks-short")} onClick=${() => setSheet({ kind: "tricks" })}>
            <span aria-hidden="true">≡</span> <span class="text">${say("tricks-short")}</span>
          </button>
          <button type="button" id="note" aria-label=${say("note")} disabled=${closed} onClick=${() => setSheet({ kind: "note" })}>
            <span aria-hidden="true">✎</span> <span class="text">${say("note")}</span>
          </button>
          <button type="button" id="menu" aria-label=${say("menu")} onClick=${() => setSheet({ kind: "menu" })}>
            <span aria-hidden="true">⋯</span> <span class="text">${say("menu")}</span>
          </button>
        </nav>
      </footer>
    </main>
    ${
      doubt &&
      !doubt.later &&
      !mode &&
      !sheet &&
      html`<${Doubt} key=${`${doubt.entry} ${doubt.code}`} doubt=${doubt} view=${view} add=${add} setMode=${setMode} />`
    }
    ${
      bounced &&
      html`<div class="bounced" role="alert">
        <span>${say("bounced", { card: bounced })}</span>
        <button type="button" onClick=${() => enter(bounced)}>${say("bounced-twice")}</button>
      </div>`
    }
    ${sheet && sheets[sheet.kind]()}`;
}

/** Entries in short form. */
function Entries({ entries }) {
  return html`<b>${entries.map((entry) => entry.word ?? say(`kind.${entry.kind}`)).join(" ")}</b>`;
}

/** The entries of this phone and the other one, and the choice between them. */
function TakeOver({ session, close }) {
  const [both, setBoth] = useState(null);
  const [why, setWhy] = useState("");
  const { device } = session.other ?? {};
  const [name, setName] = useState("");
  const [busy, once] = useOnce();
  const compare = async () => {
    const entries = await session.compare();
    setWhy(session.link === "up" ? "" : say("offline-take-over"));
    setBoth(entries);
  };
  useEffect(() => {
    store.scorer().then(setName);
    compare();
  }, []);
  const take = (entries) =>
    once(async () => {
      if (!(await session.takeOver(entries.map((one) => one.id)))) {
        await compare();
        return;
      }
      close();
      const scorer = name.trim();
      await store.keepScorer(scorer);
      if (scorer && scorer !== session.view.tags?.Recorder && !session.closed) {
        await session.add({ kind: "agree", tags: { Recorder: scorer } });
      }
    });
  if (!both || why) {
    return html`<${Sheet} title=${say("take-over")} close=${close}><p class="note" role="status">${why || say("loading")}</p><//>`;
  }
  const { same, here, there } = both;
  return html`<${Sheet} title=${say("take-over")} close=${close}>
    <p>${say("take-over-sure", { device })}</p>
    ${session.trouble && html`<p class="note" role="alert">${session.trouble}</p>`}
    <${Field} name="scorer" label=${say("scorer")} value=${name} maxlength="200" autocomplete="name" change=${setName} />
    ${same > 0 && html`<p>${count("both-have", same)}</p>`}
    ${here.length > 0 && html`<p>${count("only-here", here.length)} <${Entries} entries=${here} /></p>`}
    ${here.length > 0 && there.length > 0 && html`<p>${count("only-there", there.length)} <${Entries} entries=${there} /></p>`}
    <div class="choices">
      ${
        here.length > 0 &&
        !there.length &&
        html`<button type="button" class="main" disabled=${busy} onClick=${take(here)}>${count("take-over-with", here.length)}</button>`
      }
      <button type="button" class=${here.length && !there.length ? "" : "main"} disabled=${busy} onClick=${take([])}>
        ${here.length ? count("take-over-discard", here.length) : say("take-over")}
      </button>
      ${
        here.length > 0 &&
        there.length > 0 &&
        html`<button type="button" disabled=${busy} onClick=${take(here)}>${count("take-over-behind", here.length)}</button>`
      }
    </div>
  <//>`;
}

/** Another phone scores: its entries are shown, and this phone may take over. */
export function Other({ session }) {
  const [sure, setSure] = useState(false);
  const { other } = session;
  const name = session.view?.tags?.Recorder ?? "";
  const unsent = session.unsent.length;
  const seen = other.seen_at ? new Date(other.seen_at).toLocaleTimeString() : "";
  return html`<div class="banner" role="status">
      <p>
        ${say(name ? "other-name" : "other", { device: other.device, name })} ${seen && say("other-seen", { time: seen })}
        ${unsent > 0 && html` <b>${count("unsent", unsent)}</b>`}
      </p>
      <button type="button" class="main" onClick=${() => setSure(true)}>${say("take-over")}</button>
    </div>
    ${sure && html`<${TakeOver} session=${session} close=${() => setSure(false)} />`}`;
}
