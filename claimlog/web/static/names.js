// Names as people write them: which one is meant, and which are similar.  Case, accents, commas and
// the order of words do not matter, as in claimlog/notation/matching.py on the server.

const NEAREST = 3;
const LETTERS = { ß: "ss", ı: "i", ð: "d", đ: "d", ł: "l", ø: "o", æ: "ae", œ: "oe", þ: "th" };

/** A name in the form used for comparison: its words in plain lower-case letters, sorted. */
export function spelled(name) {
  const lower = name.toLowerCase().replace(/[ßıðđłøæœþ]/g, (letter) => LETTERS[letter]);
  const letters = lower.normalize("NFKD");
  const words = letters.replace(/[\u0300-\u036f'’]/g, "").split(/[^\p{L}\p{N}]+/u);
  return words.filter(Boolean).sort().join(" ");
}

/** The number of letters to change, insert or delete to turn one text into the other. */
function apart(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(same, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row.at(-1);
}

/** Whether each word typed begins a different word of a name. */
function begins(typed, name) {
  const words = name.split(" ");
  return typed.split(" ").every((one) => {
    const place = words.findIndex((word) => word.startsWith(one));
    if (place >= 0) words.splice(place, 1);
    return place >= 0;
  });
}

/**
 * The matches for a text: the name that is the `same`, undefined if there is none, and those that
 * may be meant, the most similar first.  A `row` has a `name`.
 */
export function meant(text, rows) {
  const typed = spelled(text);
  if (!typed) return { same: undefined, near: [] };
  const all = rows.map((row) => ({ row, name: spelled(row.name) }));
  const begun = all.filter(({ name }) => begins(typed, name)).map(({ row }) => row);
  const most = typed.length < 5 ? 0 : Math.floor(typed.length / 4);
  const like = all
    .map(({ row, name }) => ({ row, far: apart(typed, name) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .map(({ row }) => row);
  return {
    same: all.find(({ name }) => name === typed)?.row,
    near: [...new Set([...begun, ...like])].slice(0, NEAREST),
  };
}
