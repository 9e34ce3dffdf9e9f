// The director's pages: forms that are sent to the API, and a board that follows what happens.
import { keepToken, withToken } from "./token.js";

const EVERY = 5000;
/** @type {HTMLFormElement} */
const token = /** @type {any} */ (document.getElementById("token"));

/** What a form says: its fields by their names, `plan.rounds` in an object of its own. */
function body(form) {
  const told = JSON.parse(form.dataset.body ?? "{}");
  for (const field of form.elements) {
    if (!field.name) continue;
    const path = field.name.split(".");
    const last = path.pop();
    let place = told;
    for (const part of path) place = place[part] ??= {};
    if (field.value === "") continue;
    if (field.hasAttribute("data-names"))
      place[last] = field.value
        .split("\n")
        .map((name) => ({ name: name.trim() }))
        .filter((one) => one.name);
    else if (field.hasAttribute("data-both"))
      place[last] = [...(place[last] ?? []), Number(field.value)];
    else if (field.hasAttribute("data-list")) place[last] = field.value.split(/[\s,]+/);
    else if (field.type === "number" || field.hasAttribute("data-number"))
      place[last] = Number(field.value);
    else place[last] = field.value;
    const side = field.selectedOptions?.[0]?.dataset.forfeit;
    if (side) place.forfeit = [Number(side)];
  }
  if (form.classList.contains("result") && !told.result?.result) told.result = null;
  return told;
}

/** Send a form; what is wrong stands below it. */
async function send(form) {
  const wrong = form.querySelector(".wrong");
  const headers = withToken({
    "Content-Type": "application/json",
    "Accept-Language": document.documentElement.lang,
  });
  const sent = { method: "POST", headers, body: JSON.stringify(body(form)) };
  const answer = await fetch(form.dataset.post, sent).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok) {
    token.hidden = answer?.status !== 401 && answer?.status !== 403;
    wrong.textContent = told?.detail ?? told?.title ?? token.dataset.offline;
    wrong.hidden = false;
    offer(form, wrong, told?.values?.relax ?? []);
    return;
  }
  if (form.dataset.go) {
    location.href = `/events/${told.event}/desk`;
    return;
  }
  if (told.links) links(told.links);
  form.reset();
  await look();
}

/** Where a round cannot be paired: to pair it with what may be allowed. */
function offer(form, wrong, ways) {
  const names = JSON.parse(document.getElementById("board")?.dataset.relax ?? "{}");
  for (const way of ways) {
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = names[way] ?? way;
    again.addEventListener("click", () => {
      const before = JSON.parse(form.dataset.body ?? "{}");
      const relax = [...new Set([...(before.relax ?? []), way])];
      form.dataset.body = JSON.stringify({ ...before, relax });
      send(form);
    });
    wrong.append(" ", again);
  }
}

/** The links of scorers, shown only once. */
function links(told) {
  const section = document.getElementById("links");
  section.hidden = !told.length;
  section.querySelector("ul").replaceChildren(
    ...told.map((link) => {
      const line = document.createElement("li");
      const address = document.createElement("a");
      address.href = address.textContent = link.scorer;
      line.append(`${link.table}: `, address);
      return line;
    }),
  );
}

/** The board as it is now; not while something is being chosen in it. */
async function look() {
  const board = document.getElementById("board");
  if (!board) {
    location.reload();
    return;
  }
  const answer = await fetch(location.href, { headers: withToken({ Accept: "text/html" }) });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("board");
  if (now && now.innerHTML !== board.innerHTML) board.replaceWith(now);
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
  const form = /** @type {HTMLElement} */ (event.target).closest("form.result");
  if (form) send(form);
});
setInterval(() => {
  const busy = document.getElementById("board")?.contains(document.activeElement);
  if (!busy && !document.hidden && document.getElementById("board")) look().catch(() => {});
}, EVERY);
