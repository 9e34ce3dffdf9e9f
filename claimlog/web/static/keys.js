// Cards typed on a keyboard: where a card's name ends.

/**
 * The effect of a key after `line`: the new line, and the card that is complete now, if any.
 *
 * `values` are those of each faction of the deck; a value alone belongs to the faction `led`.  R1
 * may become R10: it is completed by the next key, and then `again` says that this key is still to
 * be handled.
 */
export function typed(line, key, led, values) {
  const now = key.toUpperCase();
  const letter = /^[A-Z]/.test(line) ? line[0] : "";
  if (/^[A-Z]$/.test(now)) {
    if (letter && line.length > 1) return { line: "", card: line, again: true };
    return { line: now in values ? now : "", card: "", again: false };
  }
  if (!/^[0-9]$/.test(now)) {
    const whole = letter && line.length > 1;
    return { line: whole ? "" : line, card: whole && key === "Enter" ? line : "", again: false };
  }
  const of = letter || led;
  const there = (values[of] ?? []).map((value) => `${of}${value}`);
  const longer = `${letter ? line : of}${now}`;
  const more = there.some((card) => card !== longer && card.startsWith(longer));
  if (there.includes(longer) || more) {
    return more
      ? { line: longer, card: "", again: false }
      : { line: "", card: longer, again: false };
  }
  if (line.length > 1) return { line: "", card: line, again: true };
  return { line, card: "", again: false };
}
