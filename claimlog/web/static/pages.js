// The layout of the deck on a screen: all of it if it fits, otherwise in pages of whole factions.

/** Pixels between keys, as `--gap` in theme.css. */
const GAP = 4;
/** The least size of a key for a thumb, in pixels; with large letters keys grow. */
const THUMB = 44;

/** The size of a key at a size of letters. */
function keyOf(letters) {
  return { wide: Math.max(THUMB, 2.2 * letters), high: Math.max(THUMB, 1.9 * letters) };
}

/** Keys in rows of at most `most` columns, as evenly as possible. */
function laid(number, most) {
  const rows = Math.ceil(number / most);
  return { rows, columns: Math.ceil(number / rows) };
}

/** The height of rows of keys, with the gaps between and after them. */
function high(rows, key) {
  return rows * (key.high + GAP);
}

/**
 * Lay out factions, [letter, number of values], on `width` × `height` pixels: for each letter its
 * `columns` and `rows`, and the `pages` as lists of letters.  Each faction has a label beside it,
 * or if that does not fit there are `tabs` below.
 */
export function laidOut(factions, { width, height, letters }) {
  const key = keyOf(letters);
  const label = Math.max(width < 600 ? 34 : 74, 2.1 * letters) + 5;
  const inRows = (room) => {
    const most = Math.max(1, Math.floor((room + GAP) / (key.wide + GAP)));
    return Object.fromEntries(factions.map(([letter, number]) => [letter, laid(number, most)]));
  };
  const whole = inRows(width - label);
  const all = factions.reduce((sum, [letter]) => sum + whole[letter].rows, 0);
  const every = factions.map(([letter]) => letter);
  if (high(all, key) <= height + GAP) return { keys: whole, pages: [every], key, tabs: false };
  const keys = inRows(width);
  const room = height - key.high - GAP;
  const pages = [];
  let left = 0;
  for (const letter of every) {
    const needed = high(keys[letter].rows, key);
    if (!pages.length || needed > left) {
      pages.push([]);
      left = room + GAP;
    }
    pages.at(-1).push(letter);
    left -= needed;
  }
  return { keys, pages, key, tabs: true };
}
