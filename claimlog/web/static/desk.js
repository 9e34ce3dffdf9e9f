// The director's pages: forms that are sent to the API, and a board that follows the event.
import { keepToken, withToken } from "./token.js";

const EVERY = 5000;
/** The number of forms being sent; the board is not replaced meanwhile. */
let sending = 0;
/** The lines left in a field because they could not be read. */
const left = new WeakMap();
/** @type {HTMLFormElement} */
const token = /** @type {any} */ (document.getElementById("token"));

/** The body for a form: its fields by name, `plan.rounds` in an object of its own. */
function body(form) {
  const body = JSON.parse(form.dataset.body ?? "{}");
  const lists = new Set();
  for (const field of form.elements) {
    if (!field.name) continue;
    const path = field.name.split(".");
    const last = path.pop();
    let place = body;
    for (const part of path) place = place[part] ??= {};
    const several = field.hasAttribute("data-both") || field.hasAttribute("data-words");
    // The form's values replace those that the event has now.
    if (several && !lists.has(field.name)) place[last] = lists.add(field.name) && [];
    if (field.value === "" && field.hasAttribute("data-null")) place[last] = null;
    else if (field.value === "" && field.hasAttribute("data-empty")) place[last] = "";
    else if (field.value === "" && field.hasAttribute("data-list")) place[last] = [];
    if (field.value === "") continue;
    if (field.hasAttribute("data-both")) place[last].push(Number(field.value));
    else if (field.hasAttribute("data-words")) place[last].push(field.value);
    else if (field.hasAttribute("data-list")) place[last] = field.value.trim().split(/[\s,]+/);
    else if (field.type === "checkbox") place[last] = field.checked;
    else if (field.type === "number" || field.hasAttribute("data-number"))
      place[last] = Number(field.value);
    else place[last] = field.value;
    const sides = field.selectedOptions?.[0]?.dataset.forfeit;
    if (sides) place.forfeit = sides.split(" ").map(Number);
  }
  if (form.classList.contains("result") && !body.result?.result) body.result = null;
  return body;
}

const content = (field) => (field.type === "checkbox" ? field.checked : field.value);

/** Leave lines in a field, to be corrected. */
function leave(field, lines) {
  field.value = lines;
  left.set(field, lines);
}

/** Give a field the value that the page had for it. */
function restore(field) {
  if (field.type === "checkbox") field.checked = field.defaultChecked;
  else if (field.options) for (const one of field.options) one.selected = one.defaultSelected;
  else if (field.defaultValue !== undefined) field.value = field.defaultValue;
}

/**
 * Send a form; errors are shown below it.  What is typed meanwhile stays, and so do the lines of a
 * list that could not be read, with everything else in the form.
 */
async function send(form) {
  const wrong = form.querySelector(".wrong");
  const headers = withToken({
    "Content-Type": "application/json",
    "Accept-Language": document.documentElement.lang,
  });
  const sent = { method: "POST", headers, body: JSON.stringify(body(form)) };
  const contents = [...form.elements].map((field) => [field, content(field)]);
  sending += 1;
  const answer = await fetch(form.dataset.post, sent).catch(() => null);
  const reply = await answer?.json().catch(() => null);
  sending -= 1;
  if (!answer?.ok) {
    // A result that somebody else has entered meanwhile stays; choosing again replaces it.
    if (answer?.status === 412) for (const field of form.elements) restore(field);
    token.hidden = answer?.status !== 401 && answer?.status !== 403;
    wrong.textContent = reply?.detail ?? reply?.title ?? token.dataset.offline;
    wrong.hidden = false;
    offer(wrong, reply?.values?.relax ?? []);
    return;
  }
  if (form.dataset.go) {
    location.href = `/events/${reply.event}/desk`;
    return;
  }
  const opened = Array.isArray(reply) ? reply : reply.links;
  if (opened) await links(opened, form.closest("[data-round]"));
  const unread = reply.problems ?? [];
  wrong.hidden = !unread.length;
  wrong.textContent = unread.map((one) => one.text).join("\n");
  for (const [field, was] of contents) {
    if (content(field) !== was) continue;
    if (reply.left && field.name === "text") leave(field, reply.left);
    else if (!reply.left || field.type === "file") restore(field);
  }
  know(form, sent.body, reply);
  await look(true).catch(() => {}); // The act is saved; the board follows later.
}

/** Remember what a form has changed itself, in case it stays because another is being filled in. */
function know(form, sent, reply) {
  const now = JSON.parse(form.dataset.body ?? "{}");
  const { plan, entrant } = JSON.parse(sent);
  if ("seen" in now) form.dataset.body = JSON.stringify({ ...now, plan, seen: reply.act });
  const chosen = entrant && form.querySelector(`option[value="${entrant.number}"]`);
  if (chosen) chosen.dataset.fields = JSON.stringify(entrant);
}

/** Offer to pair a round that cannot be paired with relaxed rules. */
function offer(wrong, ways) {
  const names = JSON.parse(document.getElementById("board")?.dataset.relax ?? "{}");
  for (const way of ways) {
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = names[way] ?? way;
    again.addEventListener("click", () => {
      // By then the board may have been replaced, with its forms.
      const form = again.closest("form");
      const before = JSON.parse(form.dataset.body ?? "{}");
      const relax = [...new Set([...(before.relax ?? []), way])];
      form.dataset.body = JSON.stringify({ ...before, relax });
      send(form);
    });
    wrong.append(" ", again);
  }
}

/**
 * Make cards for the tables of a round with QR codes of the scorers' links, which are shown only
 * once.
 */
async function links(opened, round) {
  const section = document.getElementById("links");
  const say = JSON.parse(section.dataset.words);
  section.hidden = !opened.length;
  const cards = await Promise.all(
    opened.map(async (link) => {
      const card = document.createElement("section");
      card.className = "card";
      const who = [...round.querySelectorAll(`tr[data-table="${link.table}"] th`)].pop();
      const players = document.createElement("p");
      players.append(...(who?.cloneNode(true).childNodes ?? []));
      const where = text("p", ` · ${round.dataset.round}`);
      where.prepend(text("bdi", document.querySelector("h1").textContent));
      const secret = link.scorer.split("#token=")[1];
      const address = document.createElement("a");
      address.href = address.textContent = link.scorer;
      card.append(
        where,
        text("b", String(link.table)),
        players,
        await code(link, say.score, { Authorization: `Bearer ${secret}` }),
        await code(link, say.watch, {}),
        address,
      );
      return card;
    }),
  );
  section.querySelector(".cards").replaceChildren(...cards);
  section.scrollIntoView({ block: "start" });
}

function text(name, content) {
  const made = document.createElement(name);
  made.textContent = content;
  return made;
}

/** The QR code of a table's page, for its scorer with the table's own token. */
async function code(link, what, headers) {
  const figure = document.createElement("figure");
  const answer = await fetch(`/v1/tables/${link.id}/qr`, { headers }).catch(() => null);
  if (answer?.ok) {
    const image = document.createElement("img");
    image.alt = "";
    image.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
    figure.append(image);
  }
  figure.append(text("figcaption", what));
  return figure;
}

/** Refresh the board; unless `asked`, not while something in it is being filled in. */
async function look(asked = false) {
  const board = document.getElementById("board");
  if (!board) {
    location.reload();
    return;
  }
  const answer = await fetch(location.href, { headers: withToken({ Accept: "text/html" }) });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // A click that has begun would be lost with its button.
  while (document.querySelector("main:active")) await new Promise(requestAnimationFrame);
  if (sending) return;
  const now = page.getElementById("board");
  // Cards of an earlier round are of no use any more.
  if (now?.dataset.round !== board.dataset.round) {
    const cards = document.getElementById("links");
    cards.hidden = true;
    cards.querySelector(".cards").replaceChildren();
  }
  for (const id of ["board", "people", "typed", "forms"]) {
    const [before, after] = [document.getElementById(id), page.getElementById(id)];
    if (!after || unchanged(before, after)) continue;
    if (!asked && holds(before)) renewAll(before, after);
    else follow(before, after, id === "board" || id === "people");
  }
}

/** Whether a part of the page is the same as before, apart from messages in it. */
function unchanged(before, after) {
  const plain = before.cloneNode(true);
  for (const one of plain.querySelectorAll(".wrong")) {
    one.hidden = true;
    one.textContent = "";
  }
  return plain.innerHTML === after.innerHTML;
}

/** What a form is about, also after somebody has done something else. */
function about(form) {
  const { round, table, entrant } = JSON.parse(form.dataset.body ?? "{}");
  return JSON.stringify([form.dataset.post, round, table, entrant]);
}

/**
 * Replace forms; what is open stays open, messages stay, with the lines that they are about while
 * the round is the same, and so do forms that are being filled in, unless `all` are replaced.
 */
function follow(before, after, all) {
  const title = (one) => one.querySelector("summary").textContent;
  const open = new Set([...before.querySelectorAll("details[open]")].map(title));
  for (const one of after.querySelectorAll("details")) one.open = open.has(title(one));
  const made = [...after.querySelectorAll("form")];
  const forms = new Map(made.map((form) => [about(form), form]));
  const places = new Map(made.map((form) => [form.dataset.post, form]));
  const focused = /** @type {HTMLInputElement} */ (document.activeElement);
  const held = holds(before) && focused.form;
  for (const form of before.querySelectorAll("form")) {
    if (!all && begun(form)) {
      keep(form, places.get(form.dataset.post), after);
      continue;
    }
    const now = forms.get(about(form));
    const wrong = form.querySelector(".wrong:not([hidden])");
    if (!now || !wrong) continue;
    now.querySelector(".wrong").replaceWith(wrong);
    const { text, round } = form.elements;
    if (left.has(text) && now.elements.round?.value === round?.value)
      leave(now.elements.text, text.value);
  }
  before.replaceWith(after);
  if (held) focus(after, focused, held);
}

/** Put a form that is being filled in where the one after it is, or with its panel at the end. */
function keep(form, now, after) {
  if (!now) {
    after.append(form.closest("section"));
    tell(form, token.dataset.past);
    return;
  }
  renew(form, now);
  now.replaceWith(form);
}

/** Let the forms of a part follow the event where they are, as somebody is at one of them. */
function renewAll(before, after) {
  const places = new Map(
    [...after.querySelectorAll("form")].map((form) => [form.dataset.post, form]),
  );
  for (const form of before.querySelectorAll("form.act:not(.one)")) {
    const now = places.get(form.dataset.post);
    if (now) renew(form, now);
  }
}

/** Give a form the round and the lists of the one after it; what is chosen stays if it is listed. */
function renew(form, now) {
  const { seen } = JSON.parse(now.dataset.body ?? "{}");
  // A form that knows what it has seen must not overwrite what it has not.
  if (!("seen" in JSON.parse(form.dataset.body ?? "{}")) && now.dataset.body)
    form.dataset.body = now.dataset.body;
  const wrong = form.querySelector(".wrong");
  if (wrong.textContent === token.dataset.past) wrong.hidden = true;
  const lists = (one) => [...one.querySelectorAll("select")];
  for (const [place, list] of lists(form).entries()) {
    const other = lists(now)[place];
    if (!other || other.name !== list.name || list === document.activeElement || same(list, other))
      continue;
    const chosen = list.selectedOptions[0];
    list.replaceChildren(...[...other.options].map((one) => one.cloneNode(true)));
    // Whoever chooses from the new list has seen what it was made from.
    if (seen !== undefined && list.hasAttribute("data-fill")) list.dataset.seen = String(seen);
    if (!chosen) continue;
    if ([...list.options].some((one) => one.value === chosen.value)) list.value = chosen.value;
    else tell(form, `${token.dataset.gone} ${chosen.textContent.trim()}`);
  }
}

/** Whether two lists offer the same. */
function same(one, other) {
  const offered = (list) =>
    JSON.stringify([...list.options].map((each) => [each.value, each.text, each.dataset.fields]));
  return offered(one) === offered(other);
}

/** Show a message below a form. */
function tell(form, message) {
  const wrong = form.querySelector(".wrong");
  wrong.textContent = message;
  wrong.hidden = false;
}

/**
 * Focus the field or button that had the focus; if it is gone, the player or heading that it was
 * about, never another button, which a key that is held would press, too.
 */
function focus(part, field, form) {
  const forms = [...part.querySelectorAll("form")];
  const { entrant } = JSON.parse(form.dataset.body ?? "{}");
  const again = forms.find((one) => about(one) === about(form));
  const same = [...(again?.elements ?? [])].find(
    (one) => one.name === field.name && (field.name || one.textContent === field.textContent),
  );
  const changed = forms.find((one) => entrant && JSON.parse(one.dataset.body).entrant === entrant);
  const place = changed?.closest("li") ?? part.querySelector("h2");
  place?.setAttribute("tabindex", "-1");
  (field.isConnected ? field : (same ?? place))?.focus();
}

/** Whether the focus is in this part of the page. */
const holds = (part) => part.contains(document.activeElement);

/** Whether a form is being filled in. */
function begun(form) {
  const touched = (field) =>
    field.type === "checkbox"
      ? field.checked !== field.defaultChecked
      : field.options
        ? [...field.options].some((one) => one.defaultSelected && !one.selected) ||
          (field.selectedIndex > 0 && ![...field.options].some((one) => one.defaultSelected))
        : field.value !== (field.defaultValue ?? "") && field.value !== left.get(field);
  return [...form.elements].some(touched);
}

/** Put a file's text into its form's field, with a message unless it is UTF-8. */
async function read(file, field) {
  const wrong = field.form.querySelector(".wrong");
  const bytes = await file.arrayBuffer();
  wrong.textContent = "";
  try {
    field.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // As Excel writes it; no list has control characters.
    const text = new TextDecoder("windows-1252").decode(bytes);
    const unreadable = /[^\P{Cc}\t\r\n]/u.test(text);
    wrong.textContent = unreadable ? token.dataset.unreadable : token.dataset.ansi;
    field.value = unreadable ? "" : text;
  }
  wrong.hidden = !wrong.textContent;
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form === token) {
    keepToken(new FormData(token).get("token").toString());
    token.hidden = true;
    for (const wrong of document.querySelectorAll(".wrong")) wrong.toggleAttribute("hidden", true);
  } else if (form.classList.contains("act")) {
    if (!form.dataset.ask || confirm(form.dataset.ask)) send(form);
  } else return;
  event.preventDefault();
});
document.addEventListener("change", (event) => {
  const field = /** @type {HTMLInputElement & HTMLSelectElement} */ (event.target);
  if (field.closest("form.result")) send(field.closest("form.result"));
  else if (field.dataset.into) {
    const area = /** @type {any} */ (field.form.elements).namedItem(field.dataset.into);
    if (field.files[0]) read(field.files[0], area);
  } else if (field.hasAttribute("data-fill")) {
    const known = JSON.parse(field.selectedOptions[0]?.dataset.fields ?? "{}");
    const now = JSON.parse(field.form.dataset.body ?? "{}");
    if (field.dataset.seen)
      field.form.dataset.body = JSON.stringify({ ...now, seen: Number(field.dataset.seen) });
    for (const [name, value] of Object.entries(known)) {
      const other = /** @type {any} */ (field.form.elements).namedItem(`entrant.${name}`);
      if (other && other !== field) other.value = value ?? "";
    }
  }
});
document.querySelector("[data-print]")?.addEventListener("click", () => print());
setInterval(() => {
  if (!document.hidden && document.getElementById("board")) look().catch(() => {});
}, EVERY);
