// The result of a game.

/** A result for people to read. */
export const readable = (result) => result.replaceAll("1/2", "½").replaceAll("1/3", "⅓");
