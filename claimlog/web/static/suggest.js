// Suggests names of players and events while they are typed.

const PAUSE = 150;
const MOST = 10;

const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
  document.querySelectorAll("input[data-suggest]")
);
for (const field of fields) {
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    const text = field.value.trim();
    if (text.length > 1) timer = setTimeout(() => offer(field, text), PAUSE);
  });
}

/** Put the archive's names for a text into the field's list. */
async function offer(field, text) {
  const kind = field.dataset.suggest;
  const query = new URLSearchParams({ search: text, limit: String(MOST) });
  const answer = await fetch(`/v1/${kind}?${query}`).catch(() => null);
  if (!answer?.ok || field.value.trim() !== text) return;
  const rows = (await answer.json())[kind];
  field.list.replaceChildren(...rows.map((row) => option(row, rows)));
}

/**
 * A name; if several players have it, with an id that distinguishes them: a federation's, or ours.
 */
function option(row, rows) {
  const others = rows.filter((one) => one !== row);
  if (others.every((one) => one.name !== row.name)) return new Option("", row.name);
  const apart = row.names?.find((name) => others.every((one) => !one.names.includes(name)));
  return new Option(`${row.name} (${row.games})`, apart ?? row.id);
}
