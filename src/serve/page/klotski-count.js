// Counting in Klotski: moves made, in all three metrics, and how many are still to go.

import { Unreachable, task } from "./api.js";
import { el, plural } from "./dom.js";
import { legs } from "./klotski-ways.js";

/** Steps, slides and moves of a game, out of the names of its moves. */
export function counters(log) {
  let [step, slide, move] = [0, 0, 0];
  let [block, direction] = [null, null];
  for (const name of log) {
    const [letter, way] = name.split(" ");
    if (letter !== block) {
      move += 1;
      direction = null;
    }
    block = letter;
    for (const [next, cells] of legs(way)) {
      step += cells;
      if (next !== direction) slide += 1;
      direction = next;
    }
  }
  return [["steps", step], ["slides", slide], ["moves", move]];
}

const WORDS = { L: "left", R: "right", U: "up", D: "down" };

/** A move in words. */
export function describe(name) {
  const [letter, way] = name.split(" ");
  const parts = legs(way).map(([direction, cells]) => `${plural(cells, "cell", "cells")} ${WORDS[direction]}`);
  return `block ${letter} ${parts.join(", then ")}`;
}

/** What the puzzle's metric counts. */
export const unit = (info) => [info.board.metric, `${info.board.metric}s`];

/** A position is asked about when it has lasted for so long, in milliseconds. */
const PATIENCE = 120;

/** How far it is to the goal: found out quietly, while the game continues. */
export class Distance {
  constructor(game) {
    this.game = game;
    this.element = el("p", { class: "distance", role: "status" });
    this.known = new Map();
    this.asked = null;
  }

  tell(sentence, state = "") {
    this.element.textContent = sentence;
    this.element.dataset.for = state;
  }

  /** Asks about the game's position; the question before is dropped. */
  ask() {
    this.stop();
    const { game } = this;
    const { state } = game;
    if (game.look.solved) return this.tell("At the exit.", state);
    if (this.known.has(state)) return this.tell(this.known.get(state), state);
    this.element.classList.add("old");
    this.wait = setTimeout(async () => {
      const asked = (this.asked = task({ do: "solve", ...game.subject({ state, length_only: true, seconds: 20 }) }));
      const found = await asked.done.catch((error) => ({ error }));
      if (this.asked !== asked) return;
      this.asked = null;
      this.element.classList.remove("old");
      // A layout that can never be solved is reported here.
      if (found?.error && !(found.error instanceof Unreachable)) return this.tell(found.error.message, state);
      if (typeof found?.length !== "number") return this.tell("");
      const sentence = `${game.many(found.length)} to go${found.optimal ? "" : " at most"}`;
      this.known.set(state, sentence);
      this.tell(sentence, state);
    }, PATIENCE);
  }

  /** Says nothing for now. */
  hide() {
    this.stop();
    this.tell("");
  }

  stop() {
    clearTimeout(this.wait);
    this.asked?.stop();
    this.asked = null;
    this.element.classList.remove("old");
  }
}
