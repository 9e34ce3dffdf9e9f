// The panels beside the card table of a replay: the text, the race, the tricks, both ends.

import { html, useEffect, useRef } from "./lib.js";
import { Row, Shape } from "./viewer-table.js";

/** Comments, and the problems of the record. */
export function Notes({ frame, said }) {
  const on = frame.plays.flatMap((play) =>
    play.comments.map((text) => [said.text("on-card", { card: play.card ?? "_" }), text]),
  );
  const all = [...on, ...frame.comments.map((text) => ["", text])];
  return html`${all.map(([card, text]) => html`<p class="comment"><b>${said.text("comment")} ${card}</b> ${text}</p>`)}
  ${frame.problems.map(([severity, text]) => html`<p class=${`problem ${severity}`}>${said.sentences[text]}</p>`)}`;
}

/** Why the trick was won, where cards went, what comes next. */
export function Narration({ frame, said, children }) {
  return html`<div class="narration">
    ${children}
    ${frame.why.map((number) => html`<p class="why">${said.sentences[number]}</p>`)}
    ${frame.then.map((number) => html`<p class=${frame.winner ? "" : "why"}>${said.sentences[number]}</p>`)}
    ${frame.removed.map(([seat, card, trick]) => html`<p class="dim">${said.text("removed")}: ${said.text("removed-in", { card, name: said.name(seat), number: trick })}</p>`)}
    <${Notes} frame=${frame} said=${said} />
  </div>`;
}

/** Who is ahead, and the state of every faction: what counts for each side, and what is open. */
export function Race({ frame, said, data }) {
  const { race, led, leader } = frame;
  const score = led.join("-");
  const ahead = leader
    ? said.text("viewer.ahead", { name: said.about.sides[leader - 1], score })
    : said.text("viewer.level", { score });
  return html`<section class="race" aria-label=${said.text("viewer.race")}>
    <p class="ahead">${ahead}</p>
    <p class="sides">
      ${said.about.sides.map((name, side) => html`<span><span class=${`dot side-${side + 1}`} aria-hidden="true"></span>${name}</span>`)}
    </p>
    ${race.map(([letter, counts, open, decided, leads]) => {
      const parts = counts.map((number, side) => ({ number, side: side + 1 }));
      const rest = { number: open, side: 0 };
      // Two sides grow towards each other.
      if (parts.length === 2) parts.splice(1, 0, rest);
      else parts.push(rest);
      const label = counts.map((number, side) => `${said.about.sides[side]} ${number}`);
      label.push(said.text("viewer.open", { number: open }));
      if (decided) label.push(said.text("viewer.decided", { name: said.about.sides[decided - 1] }));
      return html`<div class=${`standing of-${letter} ${decided ? "decided" : ""}`} role="img" aria-label=${`${said.about.factions[letter]}: ${label.join(", ")}`}>
        <span class="faction"><${Shape} path=${data.shapes[letter]} /><b>${letter}</b> <span class="name">${said.about.factions[letter]}</span></span>
        <span class="bar">
          ${parts.map(({ number, side }) => {
            const sign = side && side === decided ? "★ " : side && side === leads ? "▲ " : "";
            return html`<span class=${`${side ? `side-${side}` : "open"} ${number ? "" : "none"} ${sign ? "has" : ""}`} style=${{ flexGrow: number }}>${sign}${number || (sign ? 0 : "")}</span>`;
          })}
        </span>
      </div>`;
    })}
  </section>`;
}

/** The cards that the viewer has not seen, and what unknown hands cannot contain. */
export function Unseen({ frame, view, seats, said, data }) {
  if (!frame.unseen.length) return null;
  const hands = seats
    .map(({ seat }) => [seat, frame[`hand${seat}`].filter((card) => !card).length])
    .filter(([, number]) => number)
    .map(([seat, number]) => {
      const never = [...frame[`never${seat}`]].map((letter) => said.about.factions[letter]);
      const none = never.length
        ? `, ${said.text("viewer.never-held", { factions: never.join(", ") })}`
        : "";
      return html`<p>${said.text("viewer.may-hold", { name: said.name(seat), number })}${none}</p>`;
    });
  const title =
    view === "open" && frame.act
      ? said.text("viewer.unseen-by", { name: said.name(frame.act) })
      : said.text("viewer.unseen");
  return html`<details class="unseen" open=${view !== "open"}><summary>${title}</summary>
    ${frame.unseen.map(([letter, values]) => html`<p class=${`of-${letter}`}><${Shape} path=${data.shapes[letter]} /> <b>${letter}</b> ${values}</p>`)}
    ${hands}
  </details>`;
}

/** The tricks so far, with a link at each card; future tricks only as numbers, unless `ended`. */
export function Tricks({ replay, worth, view, at, ended, own, said, go }) {
  const noted = new Set(own.map(([where]) => where));
  const list = useRef(null);
  const now = replay.frame(view, at);
  useEffect(() => {
    const row = list.current?.querySelector("[aria-current]");
    const box = list.current.parentNode;
    if (row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }, [now.trick]);
  const rows = replay.data.plays.map((full, i) => {
    const trick = i + 1;
    const shown = ended || trick < now.trick ? full : trick === now.trick ? now.played : 0;
    const frame = replay.frame(view, replay.place(trick, shown));
    return html`<li key=${trick} aria-current=${trick === now.trick ? "step" : undefined}>
      <button type="button" class="number" aria-label=${said.text("trick", { number: trick })} onClick=${() => go(replay.place(trick))}>${trick}</button>
      ${(shown ? frame.plays : []).map((play, place) => {
        const won = frame.winner === play.seat;
        const here = trick === now.trick && place + 1 === now.played;
        return html`<button
          type="button"
          class=${`${play.card ? `of-${play.card[0]}` : ""} ${won ? "won" : ""} ${here ? "here" : ""}`}
          onClick=${() => go(replay.place(trick, place + 1))}
        ><span aria-hidden="true"><small>${play.seat}</small> ${play.card ?? "_"}${won ? "★" : ""}${worth ? worth.marks(trick, place + 1, play.marks) : play.marks}${play.comments.length || noted.has(`${trick}.${place + 1}`) ? "…" : ""}</span><span class="sr">${said.name(play.seat)}: ${said.card(play.card)}${won ? `, ${said.text("wins")}` : ""}</span></button>`;
      })}
    </li>`;
  });
  return html`<section class=${`tricks for-${replay.data.seats}`} tabindex="0" aria-label=${said.text("viewer.tricks")}><ol ref=${list}>${rows}</ol></section>`;
}

/** The first page: the event, the players, the factions. */
export function Cover({ frame, said, data, begin }) {
  const { about } = said;
  const names = about.players.map(
    (player, i) =>
      html`<li><span class=${`dot side-${data.sides[i]}`} aria-hidden="true">${i + 1}</span> ${player}</li>`,
  );
  return html`<div class="felt cover">
    <ol class="players">${names}</ol>
    <ul class="deck" aria-label=${said.text("Deck")}>
      ${[...data.deck].map((letter) => html`<li class=${`of-${letter}`}><span class="face"><span class="corner">${letter}</span><${Shape} path=${data.shapes[letter]} /></span>${about.factions[letter]}</li>`)}
    </ul>
    <button type="button" class="begin" onClick=${begin}>${said.text("viewer.begin")}</button>
    <dl>${about.details.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <${Notes} frame=${frame} said=${said} />
  </div>`;
}

/** The end: who won which faction, and the game. */
export function Ending({ frame, said, data }) {
  const { ending, shapes } = data;
  const { about } = said;
  const outcome = html`<dl>${about.outcome.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  const notes = html`<${Notes} frame=${frame} said=${said} />`;
  if (!ending.factions) {
    return html`<div class="felt ending"><p class="verdict">${said.sentences[ending.stopped]}</p>${outcome}${notes}</div>`;
  }
  return html`<div class="felt ending">
    ${ending.verdict.map((number) => html`<p class="verdict">${said.sentences[number]}</p>`)}
    ${about.story.length > 0 && html`<p class="story">${about.story.join(" ")}</p>`}
    ${ending.before.map((number) => html`<p>${said.sentences[number]}</p>`)}
    <div class="wide" role="group" tabindex="0" aria-label=${about.end}><table>
      <thead><tr>
        <th scope="col">${said.text("faction")}</th>
        ${about.sides.map((name, side) => html`<th scope="col"><span class=${`dot side-${side + 1}`} aria-hidden="true"></span> ${name}</th>`)}
        <th scope="col">${said.text("won-by")}</th>
      </tr></thead>
      <tbody>
        ${ending.factions.map(
          (one) => html`<tr class=${`of-${one.faction}`}>
            <th scope="row"><${Shape} path=${shapes[one.faction]} /> ${about.factions[one.faction]}</th>
            ${one.sides.map(
              (side, i) => html`<td class=${one.winner === i + 1 ? "won" : ""}>
                <b>${side.count}</b> ${one.winner === i + 1 ? "★ " : ""}<${Row} cards=${side.cards} said=${said} shapes=${shapes} label=${about.sides[i]} />
                ${side.doubled.length > 0 && html`<small> ${side.doubled.join(" ")} ×2</small>`}
                ${side.loot > 0 && html`<small> + ${said.several("loot", side.loot)}</small>`}
                ${side.run.length > 0 && html`<small> ${said.text("run", { cards: side.run.map((card) => card.slice(1)).join(" ") })}</small>`}
              </td>`,
            )}
            <td>${one.winner ? about.sides[one.winner - 1] : said.text("nobody")}<small>${said.sentences[one.why]}</small></td>
          </tr>`,
        )}
      </tbody>
      <tfoot><tr><th scope="row">${said.text("votes")}</th>${ending.votes.map((number) => html`<td><b>${number}</b></td>`)}<td><b>${ending.result}</b></td></tr></tfoot>
    </table></div>
    ${about.outcome.length > 1 && outcome}
    ${notes}
  </div>`;
}

/** What a screen reader says about a moment; `cost` is what the card played last cost. */
export function happened(frame, said, where, cost) {
  const play = frame.plays.at(-1);
  const parts = frame.played ? [] : [where];
  if (play)
    parts.push(
      `${said.name(play.seat)}: ${said.card(play.card)}, ${said.text(`role.${play.role}`)}.`,
    );
  for (const number of [...frame.why, ...frame.then]) parts.push(said.sentences[number]);
  if (cost) parts.push(`${said.card(play.card)} ${cost}`);
  return parts.join(" ");
}
