// Keeps the screen of a scoring phone on, where the browser supports it.

/** The lock that keeps the screen on now, or did last. */
let held = null;

/** Whether the screen stays on. */
export function staysOn() {
  return Boolean(held) && !held.released;
}

/** Keep the screen on until the returned function is called. */
export function awake() {
  let wanted = true;
  // A hidden page has lost the lock, and requests it again.
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
