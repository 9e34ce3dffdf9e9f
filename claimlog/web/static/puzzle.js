// A puzzle on a server's page: choose a card, see whether it wins and how the game continues.

import { html, render, useLayoutEffect, useRef, useState } from "./lib.js";
import { factions, Replay, read, Said } from "./replay.js";
import { Ending, happened, Narration, Race } from "./viewer-panels.js";
import { around, CardTable } from "./viewer-table.js";

const VIEW = "open";

/** How the game continues after a card; null if the server cannot be reached. */
async function line(address, card) {
  try {
    const answer = await fetch(`${address}/line?card=${card}`, {
      headers: { Accept: "text/html" },
    });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function Puzzle({ replay: before, place }) {
  const { id, solution } = place.dataset;
  const [trick, played, seat] = ["trick", "played", "seat"].map((name) =>
    Number(place.dataset[name]),
  );
  const start = before.place(trick, played);
  const [state, change] = useState({
    replay: before,
    at: start,
    card: "",
    value: null,
    message: "",
  });
  const first = useRef(state);
  const { replay, at, card, value, message } = state;
  const { data } = replay;
  const said = new Said(data, document.documentElement.lang);
  const phrase = (name) => place.dataset[`say${name[0].toUpperCase()}${name.slice(1)}`];
  const frame = replay.frame(VIEW, at);
  const choosing = replay === before;
  const move = (to) =>
    change((old) => ({ ...old, at: Math.max(start, Math.min(to(old.at), old.replay.last)) }));
  const again = () => change({ replay: before, at: start, card: "", value: null, message: "" });
  const choose = async (chosen) => {
    change((old) => ({ ...old, message: phrase("busy") }));
    const reply = await line(id, chosen);
    change((old) =>
      reply
        ? { ...reply, replay: new Replay(reply.data), at: start + 1, card: chosen, message: "" }
        : { ...old, message: phrase("failed") },
    );
  };
  // The card or button that had the focus is gone, or has nothing to do any more.
  const came = useRef(null);
  useLayoutEffect(() => {
    if (state !== first.current && document.activeElement?.matches("body, :disabled"))
      came.current.focus();
  }, [state]);
  useLayoutEffect(() => {
    const press = (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target.matches("select, input, textarea")) return;
      const legal = choosing && frame.legal && [...new Set(frame.legal)][Number(event.key) - 1];
      if (legal) choose(legal);
      else if (!choosing && event.key === "ArrowRight") move((old) => old + 1);
      else if (!choosing && event.key === "ArrowLeft") move((old) => old - 1);
      else if (!choosing && event.key === "Escape") again();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const right = card === solution;
  const score = value && (seat === 1 ? factions(value) : factions([value[0], value[2], value[1]]));
  const verdict = right ? phrase("right") : phrase("wrong");
  const over = frame.trick > replay.tricks;
  const where = said.text("trick-of", { number: frame.trick, total: data.total });
  return html`<div class="viewer inside solving">
    <div class="main">
      <div class="stage">
        <p class=${`came ${choosing ? "" : right ? "good" : "bad"}`} role="status" ref=${came} tabindex="-1">${
          choosing
            ? message || phrase("choose")
            : html`<b>${right ? "✓" : "✗"} ${card}</b> ${verdict.replace("{score}", score)}`
        }</p>
        ${
          over
            ? html`<${Ending} frame=${frame} said=${said} data=${data} />`
            : html`<${CardTable} frame=${frame} worth=${null} values=${null} seats=${around(2, seat)} said=${said} data=${data} choose=${choosing ? choose : null} next=${choosing ? null : () => move((old) => old + 1)} />`
        }
      </div>
      <aside>
        ${
          !choosing &&
          html`<p class="buttons">
          <button type="button" disabled=${at <= start} onClick=${() => move((old) => old - 1)}>← ${phrase("back")}</button>
          <button type="button" disabled=${at >= replay.last} onClick=${() => move((old) => old + 1)}>${phrase("on")} →</button>
          <button type="button" onClick=${again}>${phrase("again")}</button>
        </p>`
        }
        ${!choosing && !over && html`<p class="dim">${where}</p>`}
        ${!choosing && !over && html`<${Narration} frame=${frame} said=${said} />`}
        <p class="sr" role="status">${!choosing && happened(frame, said, where)}</p>
        ${!over && html`<${Race} frame=${frame} said=${said} data=${data} />`}
      </aside>
    </div>
  </div>`;
}

const place = document.getElementById("puzzle");
document.documentElement.classList.add("replaying");
render(
  html`<${Puzzle} replay=${new Replay(await read(document.getElementById("replay-data")))} place=${place} />`,
  place,
);
