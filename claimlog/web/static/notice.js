// The clock of a round and the announcement, on every screen of an event, as the server sends them.

/** Seconds as a clock shows them; with a minus sign after its end. */
export function time(seconds) {
  const whole = Math.abs(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return `${seconds < 0 ? "−" : ""}${hours ? `${hours}:` : ""}${rest}`;
}

/**
 * The seconds left on a clock received at the time `heard`; the screen's own clock may be wrong.
 */
export function left(notice, heard, now) {
  return notice.left - (notice.running ? Math.floor((now - heard) / 1000) : 0);
}

/** Shows a notice in an element, second by second. */
export class Notice {
  constructor(element) {
    this.element = element;
    this.clock = document.createElement("span");
    this.clock.setAttribute("role", "timer");
    this.clock.className = "clock";
    this.text = document.createElement("b");
    this.text.setAttribute("role", "status");
    element.replaceChildren(this.clock, this.text);
    this.timer = setInterval(() => this.draw(), 1000);
  }

  show(notice, heard = Date.now()) {
    this.notice = notice;
    this.heard = heard;
    this.draw();
  }

  draw() {
    const { notice, element } = this;
    if (!notice) return;
    const timed = notice.left !== null;
    element.hidden = !timed && !notice.text;
    this.clock.hidden = !timed;
    this.text.hidden = !notice.text;
    if (this.text.textContent !== (notice.text ?? "")) this.text.textContent = notice.text ?? "";
    if (!timed) return;
    const seconds = left(notice, this.heard, Date.now());
    this.clock.textContent = `${notice.running ? "" : "⏸ "}${time(seconds)}`;
    this.clock.classList.toggle("over", seconds <= 0);
  }

  stop() {
    clearInterval(this.timer);
  }
}

/** Fetch the notice again and again if the page names its address. */
async function follow(element) {
  const shown = new Notice(element);
  for (;;) {
    if (!document.hidden) {
      const answer = await fetch(element.dataset.notice, { cache: "no-store" }).catch(() => null);
      if (answer?.status === 404) return;
      if (answer?.ok) shown.show(await answer.json());
    }
    await new Promise((go) => setTimeout(go, Number(element.dataset.every ?? 5000)));
  }
}

if (typeof document !== "undefined")
  for (const element of document.querySelectorAll("[data-notice]")) follow(element);
