// A film: a way from state to state, shown on a board step by step, forwards and back.

import { button, choice, el, plural } from "./dom.js";

/** Milliseconds that a step takes at speed 1, and how much of that is motion. */
const STEP = 450;
const MOTION = 0.8;

/** The pictures that a film of unlimited speed has. */
const FRAMES = 90;

/** The number of moves listed at once, around the position: a film may have tens of thousands. */
const LISTED = 200;

const moves = (count) => plural(count, "move", "moves");

export class Film {
  /**
   * `states` are all positions, `names` the moves between them. `view.show(state)` draws a position at once;
   * `view.step(from, to, name, ms)` moves to it. `seen(number)` is called when a position is shown, `label` is what
   * the film is called, `many(count)` is that many moves in words, `describe(name)` a move in words.
   */
  constructor(view, states, names, { seen = () => {}, label = "Film", many = moves, describe = () => "" } = {}) {
    Object.assign(this, { view, states, names, seen, many, describe });
    this.at = 0;
    this.playing = false;
    this.speed = 1;
    this.turn = null;
    this.slider = el("input", {
      type: "range", min: 0, max: names.length, value: 0, "aria-label": "Position in the film",
      input: () => this.go(Number(this.slider.value)),
    });
    this.toggle = button("Play", () => this.playPause(), { class: "main play" });
    this.place = el("output", { class: "place" });
    /** The moves: they have a place of their own, beside the board. */
    this.list = el("ol", { class: "moves", "aria-label": "Moves", tabindex: "0", keydown: (event) => this.walk(event) });
    this.enlist();
    this.element = el("section", { class: "film", "aria-label": label },
      el("div", { class: "row" },
        button("|◀", () => this.go(0), { title: "To the start", "aria-label": "To the start" }),
        button("◀", () => this.back(), { title: "One step back", "aria-label": "One step back" }),
        this.toggle,
        button("▶", () => this.forward(), { title: "One step on", "aria-label": "One step on" }),
        button("▶|", () => this.go(this.names.length), { title: "To the end", "aria-label": "To the end" }),
        choice("Speed", [[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"], [10, "10×"], [Infinity, "unlimited"]], 1,
          (speed) => { this.speed = Number(speed); })),
      this.slider, this.place);
    this.tell();
    this.arrive();
  }

  /** Whether the last position is shown. */
  get ended() {
    return this.at === this.names.length;
  }

  /** Lists the moves around the position. */
  enlist() {
    this.first = Math.max(0, Math.min(this.at - LISTED / 2, this.names.length - LISTED));
    this.list.replaceChildren(...this.names.slice(this.first, this.first + LISTED).map((name, i) =>
      el("li", {}, button(name, () => this.go(this.first + i + 1), { tabindex: "-1" }))));
  }

  /** The list of moves is one stop for the tab key; arrows go through it. */
  walk(event) {
    if (this.key(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  tell() {
    this.slider.value = this.at;
    const name = this.names[this.at - 1];
    const words = this.at > 0 && this.describe(name, this.states[this.at - 1]);
    this.place.value = `${this.at} of ${this.many(this.names.length)}`
      + (this.at > 0 ? `: ${name}${words ? ` (${words})` : ""}` : "");
    this.toggle.textContent = this.playing ? "Pause" : "Play";
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const last = this.at - 1;
    if (last >= this.first + LISTED || (last < this.first && this.first > 0)) this.enlist();
    const item = this.list.children[last - this.first];
    item?.setAttribute("aria-current", "step");
    // Scrolls the list, never the page.
    if (item) this.list.scrollTop = item.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  /** A position is on the board, and nothing moves. */
  arrive() {
    this.element.classList.toggle("ended", this.ended);
    this.seen(this.at);
  }

  /** Shows a position at once. */
  go(number) {
    this.pause();
    this.at = Math.max(0, Math.min(number, this.names.length));
    this.view.show(this.states[this.at]);
    this.tell();
    this.arrive();
  }

  async step(by) {
    const from = this.at;
    const to = (this.at += by);
    this.tell();
    const name = this.names[Math.min(from, this.at)];
    const pace = (STEP * MOTION) / this.speed;
    await this.view.step(this.states[from], this.states[to], name, pace, by < 0);
    // A user who is quicker than the motion is at another position already.
    if (this.at === to) this.arrive();
  }

  forward() {
    this.pause();
    if (!this.ended) this.step(1);
  }

  back() {
    this.pause();
    if (this.at > 0) this.step(-1);
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  playPause() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Plays to the end, or until it is paused; from the start again if it is at its end. */
  async play() {
    if (this.ended) this.go(0);
    this.playing = true;
    this.tell();
    // Pressed twice in a row, only the last one continues.
    const turn = (this.turn = {});
    while (this.playing && !this.ended && this.turn === turn) {
      if (this.speed === Infinity) {
        await this.rush();
        continue;
      }
      const began = performance.now();
      await this.step(1);
      // Also where nothing moves, for those who do not like that, a position is seen for a while.
      const left = STEP / this.speed - (performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, Math.max(left, (STEP * (1 - MOTION)) / this.speed)));
    }
    if (this.turn === turn && this.playing) this.pause();
  }

  /** Without a limit on the speed: the next picture is as far on as a film of any length needs to end in a second or two. */
  async rush() {
    await new Promise(document.hidden ? setTimeout : requestAnimationFrame);
    if (!this.playing || this.ended) return;
    this.at = Math.min(this.names.length, this.at + Math.ceil(this.names.length / FRAMES));
    this.view.show(this.states[this.at]);
    this.tell();
    this.arrive();
  }

  /** Keys while a film is shown; returns whether the key meant something. */
  key(event) {
    const keys = {
      " ": () => this.playPause(), ArrowRight: () => this.forward(), ArrowLeft: () => this.back(),
      Home: () => this.go(0), End: () => this.go(this.names.length),
    };
    keys[event.key]?.();
    return event.key in keys;
  }
}
