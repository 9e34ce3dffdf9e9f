// The page's texts, in the language that the browser prefers or that ?lang names.

const LANGUAGES = ["en", "de"];

function wanted() {
  const asked = new URLSearchParams(location.search).get("lang");
  const all = [asked, ...(navigator.languages ?? [navigator.language])];
  for (const each of all) {
    const code = String(each ?? "")
      .slice(0, 2)
      .toLowerCase();
    if (LANGUAGES.includes(code)) return code;
  }
  return LANGUAGES[0];
}

export const language = wanted();
document.documentElement.lang = language;

const catalogue = await (await fetch(new URL(`words-${language}.json`, import.meta.url))).json();

/** The factions by letter, with their names and their values, repeated as in the deck. */
export const factions = catalogue.factions;

/** The pairs, of which a deck has one, and the number of other factions by number of players. */
export const { pairs, tens } = catalogue;

/** The letter of the faction whose cards may show loot. */
export const { looting } = catalogue;

/** The factions with whose cards the winner of a trick may take the hidden card. */
export const { looking } = catalogue;

/** The results of a game that was ended early, each with its winners, by number of sides. */
export const { results } = catalogue;

/** The rule sets, the default first. */
export const ruleSets = catalogue.rules;

/** The rulings by key: the faction that each concerns, its values in words, the default first. */
export const rulings = catalogue.rulings;

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name that, written from right to left, leaves the text around it in order, as in <bdi>. */
export function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** The text of a key, with its placeholders filled in. */
export function say(key, values = {}) {
  const text = catalogue.texts[`page.${key}`] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => isolated(values[name] ?? whole));
}

/** The text of a key for a number of things. */
export function count(key, number, values = {}) {
  return say(`${key}.${number === 1 ? "one" : "other"}`, { number, ...values });
}

/** An address of this server in a language. */
export function inLanguage(code, path = location.pathname + location.search) {
  const address = new URL(path, "http://here");
  address.searchParams.set("lang", code);
  return address.pathname + address.search + address.hash;
}

/** An address of this server, in the language that this page's address names, if it names one. */
export function linked(path) {
  const asked = new URLSearchParams(location.search).get("lang");
  return asked ? inLanguage(asked, path) : path;
}
