// Work in the background with its progress, shown it is, and a button that stops it.

import { task } from "./api.js";
import { button, el } from "./dom.js";

/** What takes less than this need not be announced, in milliseconds. */
const ANNOUNCED = 150;

/** From this many seconds on the elapsed time is shown. */
const SHOW_SECONDS = 2;

export class Work {
  /** `stopped` is called when the user pressed the button and the work has ended. */
  constructor(stopped = () => {}) {
    this.stopped = stopped;
    this.element = el("div", { class: "work", hidden: true });
    this.running = null;
  }

  /** Starts a task and resolves to its result, or to `null` if it was stopped. Only one runs at a time. */
  async run(body, what) {
    this.stop();
    const progress = el("progress", { max: 1, "aria-label": what });
    const sentence = el("span", {}, what);
    const running = task(body, (now) => {
      const words = now.state === "waiting" ? `${what}: waiting for other work` : now.progress ?? what;
      sentence.textContent = now.seconds < SHOW_SECONDS ? words : `${words} (${Math.floor(now.seconds)} s)`;
      if (now.share === null) progress.removeAttribute("value");
      else progress.value = now.share;
    });
    this.running = running;
    const stop = button("Stop", () => {
      running.stop();
      sentence.textContent = "Stopping …";
      stop.disabled = true;
    }, { class: "stop" });
    const panel = el("div", { class: "row" }, progress, sentence, stop);
    const late = setTimeout(() => {
      if (this.running !== running) return;
      this.element.replaceChildren(panel);
      this.element.hidden = false;
    }, ANNOUNCED);
    try {
      const result = await running.done;
      // Work that was replaced by other work is not reported as stopped.
      if (result === null && this.running === running) this.stopped();
      return result;
    } finally {
      clearTimeout(late);
      if (this.running === running) {
        this.running = null;
        this.element.hidden = true;
      }
    }
  }

  /** Ends what is running. */
  stop() {
    this.running?.stop();
    this.running = null;
    this.element.hidden = true;
  }
}
