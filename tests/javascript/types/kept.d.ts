/** The constants that the server puts at the top of sw.js. */
declare const KEPT: { page: string[]; vendor: string[] };
