// The screen of a phone that scores stays on, where the browser lets a page ask for that.

/** What keeps the screen on now, or did last. */
let held = null;

/** Whether the screen stays on. */
export function staysOn() {
  return Boolean(held) && !held.released;
}

/** Keep the screen on until the function that is returned is called. */
export function awake() {
  let wanted = true;
  // A page that was hidden has lost it, and asks again.
  const hold = async () => {
    if (!wanted || document.visibilityState !== "visible") return;
    try {
      held = await navigator.wakeLock?.request("screen");
      if (!wanted) held?.release();
    } catch {
      held = null; // the battery is low, for example
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", hold);
    held?.release();
  };
}
