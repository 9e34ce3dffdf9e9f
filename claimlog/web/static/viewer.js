// The replay of a game: the display depends on the moment, the view, and little else.

import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { hashOf, moment, placeIn, Replay, read, Said, Trial, Worth } from "./replay.js";
import { Commenting, keep, kept, Own } from "./viewer-comments.js";
import { Guessing } from "./viewer-guess.js";
import { Others, Share } from "./viewer-more.js";
import {
  Cover,
  Ending,
  happened,
  Narration,
  Notes,
  Race,
  Tricks,
  Unseen,
} from "./viewer-panels.js";
import { Strip } from "./viewer-strip.js";
import { around, CardTable } from "./viewer-table.js";
import { judged, TrialPanel, WorthPanel } from "./viewer-worth.js";

const PACES = [200, 500, 1000, 2000, 3000, 5000, 10000];
const SWIPE = 40;
const ICONS = {
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  "previous-trick": "M12 4v16L2 12zM22 4v16l-10-8z",
  previous: "M17 4v16L6 12z",
  next: "M7 4v16l11-8z",
  "next-trick": "M2 4v16l10-8zM12 4v16l10-8z",
  last: "M4 4v16l11-8zM16 4h3v16h-3z",
  auto: "M12 2a10 10 0 100 20 10 10 0 000-20zm-2 6l6 4-6 4z",
  stop: "M6 4h4v16H6zM14 4h4v16h-4z",
  flip: "M4 12a8 8 0 0114-5V3h2v8h-8V9h4.500A6 6 0 006 12zm16 0a8 8 0 01-14 5v4H4v-8h8v2H7.500A6 6 0 0018 12z",
  guess: "M12 2a7 7 0 00-4 12.700V17h8v-2.300A7 7 0 0012 2zM9 18.500h6V20H9zM10 21h4v1.500h-4z",
  worth: "M3 20h18v1.500H3zM4 11h4v8H4zM10 4h4v15h-4zM16 8h4v11h-4z",
  mistake: "M10 3h4l-.7 11h-2.600zM10.500 16.500h3v3h-3z",
  try: "M11 22v-8L5 8V4L2 7h3zM11 14h2v8h-2zM19 8l-6 6V8l6-6zM16 3h6v6z",
  share:
    "M18 2a3 3 0 11-2.900 3.800L8.700 9.500a3 3 0 010 4l6.400 3.700a3 3 0 11-.8 1.700l-6.600-3.800a3.500 3.500 0 110-6.200l6.600-3.800A3 3 0 0118 2z",
  ended:
    "M12 5C6 5 2 12 2 12s4 7 10 7 10-7 10-7-4-7-10-7zm0 11.500a4.500 4.500 0 110-9 4.500 4.500 0 010 9zm0-2a2.500 2.500 0 100-5 2.500 2.500 0 000 5z",
  theme: "M12 2a10 10 0 100 20 10 10 0 000-20zm0 3v14a7 7 0 010-14z",
};

function Icon({ name }) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d=${ICONS[name]} /></svg>`;
}

/** Keys and their actions, as in other steppers. */
const KEYS = {
  ArrowRight: "next",
  l: "next",
  Enter: "next",
  ArrowLeft: "previous",
  h: "previous",
  Backspace: "previous",
  ArrowDown: "next-trick",
  j: "next-trick",
  ArrowUp: "previous-trick",
  k: "previous-trick",
  Home: "first",
  End: "last",
  " ": "next",
  a: "auto",
  "+": "faster",
  "-": "slower",
  g: "ask",
  v: "view",
  f: "flip",
  x: "guess",
  e: "ended",
  w: "worth",
  m: "mistake",
  t: "try",
  c: "comment",
  Escape: "stop",
  "?": "help",
};
const HELP = [
  ["← →  h l", "help.play"],
  ["key.space", "viewer.next"],
  ["↑ ↓  k j", "help.trick"],
  ["key.ends", "help.ends"],
  ["g", "viewer.help-go"],
  ["a  + -", "help.auto"],
  ["v", "help.view"],
  ["f", "viewer.flip"],
  ["e", "viewer.ended"],
  ["x  1 2 3 …  Esc", "viewer.help-guess"],
];
const HELP_COMMENT = [["c", "viewer.comment"]];
const HELP_WORTH = [
  ["w", "viewer.help-worth"],
  ["m", "viewer.mistake"],
  ["t", "viewer.try"],
];

/** Whether a control with the focus handles the key itself. */
function taken({ target, key }) {
  if (target.matches("select, textarea, input:not([type=range])")) return true;
  if (target.matches("input")) return key.startsWith("Arrow") || ["Home", "End"].includes(key);
  return target.matches("button, a, summary") && [" ", "Enter"].includes(key);
}

function Viewer({ replay: whole, options }) {
  // A trial is a game of its own, which begins like the whole one.
  const [trial, setTrial] = useState(null);
  const replay = trial?.replay ?? whole;
  const { data } = replay;
  const languages = Object.keys(data.about);
  const [state, change] = useState(() => ({
    at: whole.opening,
    view: whole.views[0],
    language: languages.includes(options.language) ? options.language : languages[0],
    theme: "",
    bottom: 0,
    pace: 2,
    auto: false,
    guesses: null,
    before: null,
    values: false,
    lines: false,
    ended: false,
    sharing: false,
    ...moment(whole, options.at ?? ""),
    ...moment(whole, placeIn(location)),
  }));
  const set = (part) =>
    change((old) => ({ ...old, ...(typeof part === "function" ? part(old) : part) }));
  const { language } = state;
  const at = trial ? trial.at : state.at;
  const last = trial ? trial.last : whole.last;
  const view = trial ? "open" : state.view;
  const guesses = trial ? null : state.guesses;
  const said = new Said(data, language);
  const frame = replay.frame(view, at);
  const helping = useRef(null);
  const asking = useRef(null);
  const sharing = useRef(null);
  const held = useRef(null);
  const commenting = useRef(null);
  // Comments that no server keeps.
  const [own, noted] = useState(() =>
    whole.data.record && !options.correct ? kept(whole.data.record) : [],
  );
  const setOwn = (comments) => {
    noted(comments);
    keep(whole.data.record, comments);
  };
  const [analysis, setAnalysis] = useState(null);
  const late = at > 0 && frame.trick > data.total / 2;
  const worth = analysis?.views ? new Worth(analysis, view) : analysis;
  const known = worth instanceof Worth && worth.there && !trial ? worth : null;
  const pressed = useRef(null);

  const asked = guesses && !(at in guesses) ? replay.guessable(view, at) : null;
  // The values of the cards would reveal the next card to a reader who guesses.
  const values =
    state.values &&
    !asked &&
    (trial?.cards ?? known?.decision(frame.trick, frame.played + 1)?.cards);
  // Keys may come faster than the display: each goes on from where the previous one led.
  const step = (where) => {
    if (trial) setTrial((old) => old?.at_(where({ at: old.at, view: "open" })));
    else set((old) => ({ at: Math.max(0, Math.min(where(old), last)) }));
  };
  const go = (to) => step(() => to);
  const choose = (card) =>
    set((old) => ({ guesses: { ...old.guesses, [at]: [card, asked] }, at: at + 1, auto: false }));
  // It takes the server some time, and not every reader comes for Phase 2.
  const analysed = async () => {
    if (analysis?.views || !options.worth) return analysis;
    setAnalysis("busy");
    const found = await options.worth();
    setAnalysis(found ?? "failed");
    return found;
  };
  const toMistake = (found) =>
    set((old) => {
      const places = new Worth(found, old.view).costly.map((one) => replay.place(...one));
      if (!places.length) return {};
      // A reader who guesses is asked for the card first.
      const before = old.guesses ? 1 : 0;
      const next = places.find((one) => one - before > old.at) ?? places[0];
      return { at: next - before, auto: false };
    });
  const tryCard = async (card) => {
    const wanted = trial.choosing(card);
    setTrial(wanted);
    const found = await options.try(wanted.start, wanted.asked, language);
    setTrial((old) => (old === wanted ? wanted.answered(found) : old));
  };
  // A guessing reader sees what the acting player sees, if the other hands are hidden.
  const guessing = (old) => {
    const seat = String(replay.frame(old.view, old.at).act ?? 1);
    return Number(old.view) || !replay.views.includes(seat) ? old.view : seat;
  };
  // Afterwards the reader sees as much as before, unless another view was chosen meanwhile.
  const unguessing = (old) => ({ guesses: null, auto: false, view: old.before ?? old.view });
  const acts = {
    first: () => go(0),
    last: () => go(last),
    next: () => step((old) => old.at + 1),
    previous: () => step((old) => old.at - 1),
    "next-trick": () => step((old) => replay.trickAfter(old.view, old.at)),
    "previous-trick": () => step((old) => replay.trickBefore(old.view, old.at)),
    auto: () => set((old) => ({ auto: !old.auto && old.at < last })),
    faster: () => set((old) => ({ pace: Math.max(0, old.pace - 1) })),
    slower: () => set((old) => ({ pace: Math.min(PACES.length - 1, old.pace + 1) })),
    view: () =>
      set((old) => ({
        view: replay.views[(replay.views.indexOf(old.view) + 1) % replay.views.length],
        before: null,
        bottom: 0,
      })),
    flip: () => set((old) => ({ bottom: old.bottom + 1 })),
    guess: () =>
      set((old) =>
        old.guesses
          ? unguessing(old)
          : { guesses: {}, auto: false, view: guessing(old), before: old.view },
      ),
    share: () => set({ sharing: true }),
    ended: () => set((old) => ({ ended: !old.ended })),
    worth: () => {
      set((old) => ({ values: !old.values }));
      analysed();
    },
    mistake: async () => {
      const found = await analysed();
      if (found?.views) toMistake(found);
    },
    try: () => {
      if (trial) acts.stop();
      else if (!options.try) set((old) => ({ lines: !old.lines }));
      else if (state.view === "open" && late)
        setTrial(Trial.begun(whole, state.at, worth instanceof Worth ? worth : null));
    },
    comment: () => {
      if (!commenting.current) return;
      commenting.current.open = true;
      commenting.current.querySelector("textarea").focus();
    },
    stop: () => {
      if (trial) setTrial(null);
      else set((old) => (old.guesses ? unguessing(old) : { auto: false }));
    },
    ask: () => asking.current?.select(),
    help: () => {
      const { current: keys } = helping;
      if (keys.open) return keys.close();
      keys.showModal();
      // The button with the focus is at its end.
      keys.scrollTop = 0;
    },
  };

  // The address reflects the moment and can set it; the back button leaves the page.
  useLayoutEffect(() => {
    if (trial) return;
    const wanted = hashOf(replay, view, at);
    try {
      if (location.hash !== wanted)
        history.replaceState(null, "", wanted || location.pathname + location.search);
    } catch {
      // A frame without an address of its own has nothing to update.
    }
  }, [at, view]);
  useLayoutEffect(() => {
    const follow = () => {
      const found = moment(whole, location.hash);
      // The address may name another part of the page.
      if (location.hash && !Object.keys(found).length) return;
      setTrial(null);
      set({ at: whole.opening, view: whole.views[0], before: null, auto: false, ...found });
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [whole]);

  useEffect(() => {
    if (late && !analysis) analysed();
  }, [late]);
  // On a server's page the views of the seats may come after the first question.
  useEffect(() => {
    if (guesses) set((old) => ({ view: guessing(old) }));
  }, [replay.views.length]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  // Even if the table is higher than the screen, or was left for what is below it.
  useEffect(() => {
    if (asked) toChoice();
  }, [at, Boolean(asked)]);
  useEffect(() => {
    if (trial) toChoice();
  }, [Boolean(trial)]);
  useEffect(() => {
    if (!state.auto || asked) return undefined;
    const timer = setTimeout(
      () => set((old) => ({ at: Math.min(old.at + 1, last), auto: old.at + 1 < last })),
      PACES[state.pace],
    );
    return () => clearTimeout(timer);
  }, [state.auto, state.pace, at, Boolean(asked)]);

  useEffect(() => {
    if (state.sharing) sharing.current.showModal();
  }, [state.sharing]);

  pressed.current = (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (taken(event) || sharing.current.open || (helping.current.open && event.key !== "?")) return;
    const card =
      (asked || trial) && frame.legal && [...new Set(frame.legal)][Number(event.key) - 1];
    const act = card ? () => (trial ? tryCard : choose)(card) : acts[KEYS[event.key]];
    if (!act) return;
    event.preventDefault();
    act();
  };
  useLayoutEffect(() => {
    const press = (event) => pressed.current(event);
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  const touch = {
    onTouchStart: ({ touches }) => {
      held.current = touches.length === 1 ? touches[0] : null;
    },
    onTouchEnd: ({ changedTouches: [end] }) => {
      const start = held.current;
      if (!start) return;
      const [right, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
      if (Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down))
        acts[right < 0 ? "next" : "previous"]();
    },
  };

  const button = (name, key = name, more = {}) =>
    html`<button type="button" class=${`act-${name}`} title=${said.text(`viewer.${key}`)} aria-label=${said.text(`viewer.${key}`)} onClick=${acts[name]} ...${more}><${Icon} name=${key} /></button>`;
  const inside = options.title === false;
  const ended = state.ended && !guesses && !trial;
  const inTrick = frame.trick >= 1 && frame.trick <= replay.tricks;
  const where = inTrick
    ? `${said.text("trick-of", { number: frame.trick, total: data.total })} · ${said.text(`phase-${frame.phase}`)}`
    : at
      ? said.about.end
      : said.text("Start");
  const seats = around(data.seats, (((Number(view) || 1) - 1 + state.bottom) % data.seats) + 1);

  return html`<div class=${inside ? "viewer inside" : "viewer"} data-theme=${state.theme || undefined} data-guessing=${guesses ? "" : undefined}>
    <div class="screen">
    <header>
      <div class="about">
        ${!inside && html`<h1 title=${said.about.title}>${said.about.title}</h1>`}
        <h2>${where}${ended && html` · <b>${data.ending.result ?? ""}</b>`}</h2>
      </div>
      <div class="tools">
        ${
          replay.views.length > 1 &&
          !trial &&
          html`<select class="views" aria-label=${said.text("help.view")} onChange=${(event) => set({ view: event.target.value, before: null, bottom: 0 })}>
            ${replay.views.map((name) => html`<option value=${name} selected=${name === view}>${said.about.views[name]}</option>`)}
          </select>`
        }
        ${replay.views.length === 1 && !trial && view !== "open" && html`<span class="views">${said.about.views[view]}</span>`}
        ${button("flip")}
        ${button("guess", "guess", { "aria-pressed": Boolean(guesses) })}
        ${button("ended", "ended", { "aria-pressed": state.ended })}
        ${(options.share || data.code) && button("share")}
        ${!inside && html`<button type="button" class="act-theme" title=${said.text("viewer.theme")} aria-label=${said.text("viewer.theme")} onClick=${() => set({ theme: dark(state.theme) ? "light" : "dark" })}><${Icon} name="theme" /></button>`}
        ${languages.length > 1 && html`<button type="button" class="act-language" lang=${other(languages, language)} title=${said.text("viewer.language")} onClick=${() => set({ language: other(languages, language) })}><span aria-hidden="true">${other(languages, language).toUpperCase()}</span><span class="sr">${said.text("viewer.language")}</span></button>`}
        <button type="button" class="act-help" title=${said.text("help-title")} aria-label=${said.text("help-title")} onClick=${acts.help}>?</button>
      </div>
    </header>
    <div class="main">
      <div class="stage" ...${touch}>
        ${guesses && html`<${Guessing} replay=${replay} view=${view} frame=${frame} at=${at} asked=${asked} guesses=${guesses} others=${options.others} said=${said} go=${go} />`}
        ${
          inTrick
            ? html`<${CardTable} frame=${frame} worth=${known} values=${values} seats=${seats} said=${said} data=${data} choose=${trial ? tryCard : asked && choose} next=${asked ? null : acts.next} />`
            : at
              ? html`<${Ending} frame=${frame} said=${said} data=${data} />`
              : html`<${Cover} frame=${frame} said=${said} data=${data} begin=${acts.next} />`
        }
      </div>
      <aside>
        ${
          trial &&
          html`<${TrialPanel} trial=${trial} worth=${worth} game=${whole} values=${state.values} said=${said}>
          <p class="buttons">${button("worth", "worth", { "aria-pressed": state.values })}<button type="button" class="wide-button" onClick=${acts.stop}>${said.text("viewer.back")}</button></p>
        <//>`
        }
        ${
          inTrick &&
          html`<${Narration} frame=${frame} said=${said}>
            ${!trial && html`<${Own} replay=${replay} frame=${frame} own=${own} setOwn=${setOwn} said=${said} />`}
            ${at === whole.opening && !trial && html`<${Notes} frame=${replay.frame(view, 0)} said=${said} />`}
            ${ended && html`<p class="story">${said.about.story.join(" ")}</p>`}
          <//>`
        }
        ${frame.race?.length > 0 && at > 0 && html`<${Race} frame=${frame} said=${said} data=${data} />`}
        ${
          late &&
          worth &&
          !trial &&
          html`<${WorthPanel} replay=${replay} worth=${worth} frame=${frame} values=${state.values && !asked} lines=${state.lines && !asked} said=${said}>
          <p class="buttons">${button("worth", "worth", { "aria-pressed": state.values })}${button("mistake", "mistake", { disabled: !known?.costly.length })}${
            options.try
              ? data.seats !== 3 &&
                button("try", "try", {
                  disabled: state.view !== "open" || !Trial.begun(whole, state.at, null),
                  ...(state.view !== "open" && { title: said.text("try.view") }),
                })
              : state.view === "open" && button("try", "try", { "aria-pressed": state.lines })
          }</p>
        <//>`
        }
        ${inTrick && options.others && !asked && !trial && html`<${Others} frame=${frame} ask=${options.others} said=${said} data=${data} />`}
        ${data.record && !trial && !guesses && html`<${Commenting} replay=${replay} view=${view} frame=${frame} own=${own} setOwn=${setOwn} correct=${options.correct} authorize=${options.authorize} place=${commenting} said=${said} />`}
        ${inTrick && html`<${Unseen} frame=${frame} view=${view} seats=${seats} said=${said} data=${data} />`}
        ${replay.tricks > 0 && html`<${Tricks} replay=${replay} worth=${known} view=${view} at=${at} ended=${ended} own=${own} said=${said} go=${go} />`}
      </aside>
    </div>
    <nav aria-label=${said.text("viewer.at")}>
      <${Strip} replay=${replay} view=${view} worth=${known} at=${at} ended=${ended} valued=${state.values && !asked} label=${said.text("viewer.at")} now=${`${where}, ${frame.played}`} said=${said} go=${go} />
      <span class="buttons">
        ${button("first", "first", { disabled: !at })}
        ${button("previous-trick", "previous-trick", { disabled: !at })}
        ${button("previous", "previous", { disabled: !at })}
        ${button("next", "next", { disabled: at === last })}
        ${button("next-trick", "next-trick", { disabled: at === last })}
        ${button("last", "last", { disabled: at === last })}
        ${button("auto", state.auto ? "stop" : "auto", { "aria-pressed": state.auto })}
        <label class="ask"><span class="sr">${said.text("go-trick")}</span>
          <input ref=${asking} inputmode="numeric" maxlength="2" value=${inTrick ? frame.trick : ""} placeholder="–"
            onKeyDown=${(event) => {
              if (event.key === "Escape" || event.key === "Enter") event.target.blur();
            }}
            onChange=${(event) => {
              const trick = Number.parseInt(event.target.value, 10);
              if (trick) go(replay.place(trick));
            }} />
        </label>
      </span>
    </nav>
    </div>
    <p class="sr" role="status">${at ? happened(frame, said, where, judged(known, frame, said)) : ""}</p>
    <dialog ref=${sharing} aria-labelledby="viewer-share" onClose=${() => set({ sharing: false })}>
      ${state.sharing && html`<${Share} replay=${whole} frame=${whole.frame(state.view, state.at)} view=${state.view} share=${options.share} said=${said} close=${() => sharing.current.close()} />`}
    </dialog>
    <dialog ref=${helping} aria-labelledby="viewer-keys" onClick=${() => helping.current.close()}>
      <h2 id="viewer-keys">${said.text("help-title")}</h2>
      <dl>${[...HELP, ...(data.record ? HELP_COMMENT : []), ...(options.worth ? HELP_WORTH : [])].map(([keys, about]) => html`<div><dt>${said.text(keys)}</dt><dd>${said.text(about)}</dd></div>`)}</dl>
      <p><button type="button">${said.text("viewer.close")}</button></p>
    </dialog>
  </div>`;
}

/** Scroll to the cards to choose from. */
function toChoice() {
  document.querySelector(".viewer .seat.acts")?.scrollIntoView({ block: "nearest" });
}

function other(languages, language) {
  return languages[(languages.indexOf(language) + 1) % languages.length];
}

function dark(theme) {
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Show a game in an element; its data are made by `claimlog.web.replay.replay_data`.
 *
 * Options: `language`; `title: false` on a page with a heading and a theme of its own; `at`, the
 * moment to begin at; `share`, the addresses of page and picture; `others`, which resolves to what
 * was played at a moment; `worth`, which resolves to an analysis (`claimlog.web.worth.worth_data`)
 * or null; `try`, which resolves to a game continued with other cards from a moment on
 * (`trial_data`) or null. Comments are kept in this browser, or by a server: then `correct` and
 * `authorize` as for `Commenting`.
 */
export function mount(element, data, options = {}) {
  document.documentElement.classList.add("replaying");
  render(html`<${Viewer} replay=${new Replay(data)} options=${options} />`, element);
}

const place = document.getElementById("replay");
const found = document.getElementById("replay-data");
if (place && found && !place.dataset.more && !place.dataset.worth) {
  const worth = document.getElementById("replay-worth");
  mount(place, await read(found), {
    language: document.documentElement.lang,
    title: place.dataset.title !== "none",
    worth: worth && (() => read(worth)),
  });
}
