// Sounds and vibration while the scorer looks at the cards: a tick for each card, two for a trick,
// a chime for a doubt.

const KEY = "claimlog silent";

/** For each sign the vibration pattern in ms, and the tones: [Hz, start, duration in s]. */
const SIGNS = {
  card: { felt: [10], tones: [[1100, 0, 0.03]] },
  won: {
    felt: [10, 60, 10],
    tones: [
      [1100, 0, 0.03],
      [1400, 0.1, 0.04],
    ],
  },
  doubt: {
    felt: [60, 50, 60],
    tones: [
      [660, 0, 0.18],
      [440, 0.2, 0.35],
    ],
  },
};

let audio;

/** Whether the signs are off, as remembered by this phone. */
export function silent() {
  try {
    return localStorage.getItem(KEY) === "yes";
  } catch {
    return false; // storage is blocked
  }
}

/** Turn the signs off, or on. */
export function silence(off) {
  try {
    localStorage.setItem(KEY, off ? "yes" : "no");
  } catch {
    // Then it lasts until the page is reloaded, as it cannot be saved.
  }
}

/** Give a sign: "card", "won" or "doubt"; browsers allow none until the page has been touched. */
export function sign(kind) {
  if (silent() || navigator.userActivation?.hasBeenActive === false) return;
  const { felt, tones } = SIGNS[kind];
  navigator.vibrate?.(felt);
  try {
    audio ??= new AudioContext();
    audio.resume();
    for (const [hertz, after, length] of tones) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const start = audio.currentTime + after;
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.12, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + length);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + length);
    }
  } catch {
    audio = undefined; // a page may not make sounds before it is touched
  }
}
