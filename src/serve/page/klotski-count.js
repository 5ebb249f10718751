// Counting in Klotski: moves made, in all three metrics.

import { plural } from "./dom.js";
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
