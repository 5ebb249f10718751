// The words of the page, in a sentence each.

import { el } from "./dom.js";

const WORDS = [
  ["God's number", "The number of moves that the hardest position of a puzzle needs, if it is solved in the best way."],
  ["Position", "One arrangement of the pieces; also called a state."],
  ["Metric", "What counts as one move: for example a slide of any length, or a slide by one cell."],
  ["Distance", "The smallest number of moves from a position to a solved one."],
  ["Level", "All positions at one distance. Level 0 is solved; the last level holds the hardest positions."],
  ["Class", "Positions that symmetries of the puzzle turn into each other. They have the same distance, so one of them stands for all."],
  ["Antipode", "A position of the last level: none is farther from solved."],
  ["Eccentricity", "The distance of the farthest position from a given start, instead of from the solved positions."],
  ["Enumeration, job", "Finding all positions, level by level. A job can be stopped and resumed at any time."],
  ["Table", "A finished enumeration, used to look distances up."],
  ["Bound", "A number that is proven: God's number is at least, or at most, that."],
  ["Sample", "Random positions that were solved, to learn how many moves a typical one needs."],
  ["Certificate", "What a verification checked, with digests of all files, so that others can check it again."],
];

export function open(root) {
  root.append(el("section", { class: "glossary" }, el("h1", {}, "Words"),
    el("dl", {}, WORDS.flatMap(([word, what]) => [el("dt", {}, word), el("dd", {}, what)])),
    el("p", {}, el("a", { href: "#/" }, "Back to the puzzles"))));
  return { close() {}, key: () => false };
}
