// More about a moment of a replay: what others played there, and ways to share it.

import { html, useEffect, useRef, useState } from "./lib.js";
import { Shape } from "./viewer-table.js";

const percent = (share, language) =>
  share.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });

/** What others played, in words: the cards among `choices`, the most frequent first. */
export function othersIn(answer, choices, said) {
  const moves = answer.moves
    .filter((one) => choices.includes(one.card) && one.share)
    .slice(0, 5)
    .map((one) => `${one.card} ${percent(one.share, said.language)}`);
  const form = answer.count === 1 ? "one" : "other";
  return moves.length
    ? said.text(`guess.others.${form}`, { number: answer.count, moves: moves.join(", ") })
    : "";
}

/** What was played at this moment in all games of the archive; fetched on demand. */
export function Others({ frame, ask, said, data }) {
  const [open, setOpen] = useState(false);
  const [explored, setExplored] = useState(null);
  const at = `${frame.trick}.${frame.played}`;
  useEffect(() => {
    if (!open) return undefined;
    let wanted = true;
    ask(at).then((answer) => wanted && setExplored(answer));
    return () => {
      wanted = false;
    };
  }, [open, at]);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(explored?.query ?? {}))
    for (const one of [value].flat()) query.append(name, one);
  return html`<details class="others" onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${said.text("viewer.others")}</summary>
    ${explored === null && html`<p class="dim">…</p>`}
    ${
      explored &&
      (explored.moves.length
        ? html`<table>
            <tbody>
              ${explored.moves.map(
                (one) => html`<tr class=${`of-${one.card[0]}`}>
                  <th scope="row"><${Shape} path=${data.shapes[one.card[0]] ?? ""} /> ${one.card}</th>
                  <td><span class="share"><i style=${{ width: `${100 * one.share}%` }}></i></span></td>
                  <td>${percent(one.share, said.language)}</td>
                  <td class="dim">${one.won !== null && said.text("viewer.others-won", { share: percent(one.won, said.language) })}</td>
                </tr>`,
              )}
            </tbody>
          </table>
          <p class="dim">${said.text("viewer.others-of", { number: explored.count.toLocaleString(said.language) })} <a href=${`/explorer?${query}`}>${said.text("viewer.explorer")}</a></p>`
        : html`<p class="dim">${said.text("viewer.others-none")}</p>`)
    }
  </details>`;
}

/** A text to copy. */
function Line({ id, label, text, said }) {
  const field = useRef(null);
  const copy = async () => {
    field.current.select();
    await navigator.clipboard?.writeText(text);
  };
  return html`<p class="line"><label for=${id}>${label}</label><input ref=${field} id=${id} readonly value=${text} onFocus=${(event) => event.target.select()} /><button type="button" onClick=${copy}>${said.text("viewer.copy")}</button></p>`;
}

/** This moment as an address, a code, a picture, an embedded page. */
export function Share({ replay, frame, view, share, said, close }) {
  const { trick, played } = frame;
  const there = trick >= 1 && trick <= replay.tricks;
  const moment = there ? `${trick}${played ? `.${played}` : ""}` : "";
  const seat = view === replay.views[0] ? "" : `#${moment ? `t${moment}&` : ""}seat=${view}`;
  const at = (address) => {
    const url = new URL(address, location.href);
    if (moment) url.searchParams.set("t", moment);
    return url.href;
  };
  const { code } = replay.data;
  const games = share?.page?.startsWith("/games/");
  const link = games
    ? new URL(moment ? `${share.page}/${moment}` : share.page, location.href).href
    : share && at(share.page);
  const whole = code && share ? at(code) : (code ?? "").replace(/^\/r\//, "").replace(/\?.*/, "");
  const embed = `<iframe width="900" height="640" loading="lazy" title="Claim" src=${JSON.stringify(whole)}></iframe>`;
  return html`<h2 id="viewer-share">${said.text("viewer.share")}</h2>
    ${link && html`<${Line} id="share-link" label=${said.text("viewer.share-link")} text=${link + seat} said=${said} />`}
    ${code && html`<${Line} id="share-code" label=${said.text("viewer.share-code")} text=${whole} said=${said} />`}
    ${code && share && html`<${Line} id="share-embed" label=${said.text("viewer.share-embed")} text=${embed} said=${said} />`}
    ${
      share &&
      there &&
      html`<p><a class="picture" href=${at(share.picture)} target="_blank" rel="noopener"><img src=${at(share.picture)} alt=${said.text("viewer.share-picture")} /></a>${games && html`<img class="qr" src=${at(`${share.picture}/qr`)} alt=${said.text("viewer.share-qr")} />`}</p>`
    }
    <p><button type="button" onClick=${close}>${said.text("viewer.close")}</button></p>`;
}
