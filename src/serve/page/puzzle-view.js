// One visit to a puzzle, whatever it is: a desk with a board and a panel beside it, a sentence below the board, one thing
// done after the other, work in the background, a film. What a game is, its heirs know (game.js, triangles.js): they have
// go(where), which leads to a step of the game.

import { SILENCE, post } from "./api.js";
import { button, copy, el } from "./dom.js";
import { Work } from "./work.js";

let again = performance.getEntriesByType("navigation")[0]?.type === "reload";
addEventListener("hashchange", () => { again = false; }, { once: true });

/** Whether the browser loaded this page again, and it still shows what it showed first. */
export const loadedAgain = () => again;

/** The address changes at most once in so many milliseconds. */
const SETTLE = 350;

/** The longest text of a custom board that an address carries. */
export const CARRIED = 6000;

/** The field in which another puzzle was chosen: it has the focus in the next visit, too. */
let held = null;

export class PuzzleView {
  /** `name` is the view's name in the address. */
  constructor(name) {
    this.name = name;
    this.title = el("h1", {}, "…");
    this.stage = el("div", { class: "stage", tabindex: "-1" });
    /** Where a film's controls are: right below the board. */
    this.deck = el("div", { class: "deck" });
    /** What is heard of the moves by those who do not see them. */
    this.voice = el("p", { class: "unseen", "aria-live": "polite" });
    this.counts = el("p", { class: "counts" });
    this.message = el("p", { class: "message", role: "status" });
    this.choosing = el("div", { class: "row choosing" });
    this.work = new Work(() => this.say("Stopped: nothing was found so far."));
    this.result = el("div", { class: "result" });
    this.view = null;
    this.film = null;
    this.at = 0;
    this.closed = false;
    this.turn = Promise.resolve();
    this.pending = 0;
    this.leave = () => this.settleNow();
    addEventListener("pagehide", this.leave);
  }

  /** Puts everything in its place. */
  furnish(root, ...panel) {
    root.append(this.title, el("div", { class: "desk" },
      el("div", { class: "table" }, this.stage, this.deck, this.counts, this.message, this.voice),
      el("div", { class: "panel" }, panel)));
  }

  /** The address of a puzzle, and if wanted of a position and of what its file says. */
  address(puzzle, more = {}) {
    const given = Object.entries(more).filter(([, value]) => typeof value === "string");
    return `#/${this.name}?${new URLSearchParams([["puzzle", puzzle], ...given])}`;
  }

  /** Goes to another puzzle: a place of its own in the browser's history. */
  choose(puzzle) {
    if (this.closed) return;
    held = this.choosing.contains(document.activeElement) ? document.activeElement.name : null;
    const hash = this.address(puzzle);
    if (location.hash === hash) dispatchEvent(new Event("hashchange"));
    else location.hash = hash;
  }

  /** Goes to a puzzle that the user wrote; a text that is not a puzzle is rejected and changes nothing. */
  write(puzzle, file) {
    return this.attempt(async () => {
      await post("/api/puzzle", { puzzle, file });
      this.choose(puzzle, file);
    });
  }

  /** Shows the fields in which another puzzle is chosen. */
  offerChoice(...fields) {
    this.choosing.replaceChildren(...fields.flat());
    if (held) this.choosing.querySelector(`[name="${held}"]`)?.focus();
    held = null;
  }

  /**
   * The address names what is shown from now on: it can be sent to others, and one can come back to it. Browsers refuse to
   * change it too often, so of quick changes the last one counts. Another view's address is not ours.
   */
  settleAddress() {
    clearTimeout(this.settling);
    const early = SETTLE - (performance.now() - (this.settled ?? -SETTLE));
    // At once, so that a page that is loaded again is where it was, unless the address has just changed.
    if (early <= 0) this.settleNow();
    else this.settling = setTimeout(() => this.settleNow(), early);
  }

  settleNow() {
    clearTimeout(this.settling);
    const hash = this.closed ? null : this.here();
    if (!hash || hash === location.hash) return;
    this.settled = performance.now();
    history.replaceState(null, "", hash);
  }

  /** A button that copies the address of the position. */
  sharer() {
    const press = button("Copy link", () => {
      this.settleNow();
      return copy(location.href, press);
    }, { title: "A link to this position" });
    return press;
  }

  undo() {
    return this.go(() => this.at - 1);
  }

  redo() {
    return this.go(() => this.at + 1);
  }

  /** One thing after the other, however quickly they come; what goes wrong holds up nothing that comes later. */
  queue(act) {
    return this.waitFor(this.turn.then(() => this.closed || !this.view || this.attempt(act)));
  }

  /** What takes its turn from now on also waits for `work`, which never fails. */
  waitFor(work) {
    this.pending += 1;
    this.turn = Promise.all([this.turn, work.finally(() => { this.pending -= 1; })]);
    return work;
  }

  /** Does something that may be refused. */
  async attempt(act) {
    try {
      await act();
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Shows numbers below the board: [label, number, and if wanted what follows it]. */
  tell(counts) {
    this.counts.replaceChildren(...counts.map(([label, number, more = ""]) =>
      el("span", { class: "count" }, `${label} `, el("b", { "data-count": label }, String(number)), more)));
  }

  /** A sentence below the board. */
  say(sentence, tone = "") {
    this.message.textContent = sentence;
    this.message.className = `message ${tone}`;
  }

  /** Something was against the rules, or went wrong: in words, and a short shake of the board. */
  refuse(error) {
    this.say(error.message ?? String(error), "bad");
    this.stage.classList.remove("refused");
    // Reading a size makes the browser see that the class was gone.
    void this.stage.offsetWidth;
    this.stage.classList.add("refused");
  }

  /** Whether a film has the board for itself: a user who touches the board gets a message. */
  filming() {
    if (this.film) this.refuse("A film is on the board: continue from what it shows, or close it.");
    return this.film !== null;
  }

  /** The server is there again. Returns whether there is something to continue: else it is opened anew. */
  back() {
    if (this.view && this.message.textContent === SILENCE) this.say("The server answers again.");
    return Boolean(this.view);
  }

  close() {
    clearTimeout(this.settling);
    removeEventListener("pagehide", this.leave);
    this.closed = true;
    this.work.stop();
    this.film?.pause();
    this.view?.board.finish();
  }
}
