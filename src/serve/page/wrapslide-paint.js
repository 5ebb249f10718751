// Painting a Wrapslide board: the palette, and what the board still lacks.

import { post } from "./api.js";
import { colour, mark } from "./board.js";
import { button, el, plural, svg } from "./dom.js";

/** How a cell without a colour is written. */
export const EMPTY = ".";

/** For each colour, from 1 on, how many cells it has too many; missing ones count as negative. */
export function census(state, counts) {
  return counts.map((count, i) => [...state].filter((digit) => digit === String(i + 1)).length - count);
}

const difference = (by) => (by < 0 ? `${-by} missing` : `${by} too many`);

/** What is wrong with the counts, in a sentence; nothing if they are right. */
export function complaint(differences) {
  const wrong = differences.flatMap((by, i) => (by === 0 ? [] : [`colour ${i + 1}: ${difference(by)}`]));
  return wrong.length > 0 ? `To be painted: ${wrong.join(", ")}.` : null;
}

/** A colour and its sign, as on the board. */
function swatch(number) {
  return svg("svg", { class: `swatch ${colour(number)}`, viewBox: "-.5 -.5 1 1", "aria-hidden": "true" },
    svg("rect", { x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.12 }), mark(number, 0.22));
}

/** Reads a pasted state: rows of digits on lines, or with `/` or blanks between them, or all in one. */
function rows(text) {
  const parts = text.trim().split(/[\s/]+/);
  const size = Math.sqrt(parts[0].length);
  if (parts.length > 1 || !Number.isInteger(size)) return parts;
  return Array.from({ length: size }, (_, row) => parts[0].slice(row * size, (row + 1) * size));
}

export class Palette {
  constructor(game, view) {
    Object.assign(this, { game, view, painting: false, digit: null });
    const { counts, fixed } = game.info.board;
    this.counts = counts;
    this.chips = counts.map((_, i) => {
      const status = el("span", { class: "status" });
      const chip = button(swatch(i + 1), () => this.take(i + 1), {
        class: "paint", "data-paint": i + 1, title: `Paint with colour ${i + 1} (key ${i + 1})`,
      });
      chip.append(el("span", {}, String(i + 1)), status);
      // Where the first quadrant is fixed, no cell can be painted with its colour.
      chip.hidden = fixed && i === 0;
      return { chip, status };
    });
    this.modes = [["Slide", false], ["Paint", true]].map(([name, painting]) =>
      button(name, () => this.mode(painting), { "data-mode": name.toLowerCase() }));
    this.colours = el("div", { class: "row palette", role: "group", "aria-label": "Colours" },
      this.chips.map(({ chip }) => chip));
    this.help = el("p", { class: "promise" });
    /** What belongs right below the board, and what may be further away. */
    this.tools = el("div", { class: "tools" },
      el("div", { class: "row" },
        el("span", { class: "segments", role: "group", "aria-label": "What dragging does" }, this.modes),
        button("Clear", () => this.clear(), { title: "An empty board to paint" }),
        button("Solved board", () => game.set(game.info.root ?? this.solved()))),
      this.colours, this.help);
    this.digit = String(fixed ? 2 : 1);
    this.mode(false);
  }

  /** Whether dragging paints or slides. */
  mode(painting) {
    this.painting = painting;
    this.modes.forEach((mode, i) => mode.setAttribute("aria-pressed", String(painting === (i === 1))));
    this.help.textContent = painting
      ? "Choose a colour (or press its number), then click cells or drag over them. Arrow keys and space work too."
      : "Drag a cell sideways to slide the upper or lower half of the board, up or down for the left or right half."
        + " Keys: T, B, L or R, then arrows.";
    this.view.board.element.classList.toggle("painting", painting);
    this.view.choose(null);
    this.view.point(null);
    this.arrange();
    this.view.focus();
  }

  take(number) {
    this.digit = String(number);
    if (!this.painting) this.mode(true);
    else this.arrange();
    this.view.focus();
  }

  key(key) {
    const number = Number(key);
    if (!(number >= 1 && number <= this.counts.length) || this.chips[number - 1].chip.hidden) return false;
    this.take(number);
    return true;
  }

  arrange() {
    this.chips.forEach(({ chip }, i) =>
      chip.setAttribute("aria-pressed", String(this.painting && this.digit === String(i + 1))));
    this.colours.hidden = !this.painting && !this.wrong;
  }

  /** Shows, for a state, what each colour lacks. */
  tell(state) {
    const differences = census(state, this.counts);
    this.wrong = differences.some((by) => by !== 0);
    differences.forEach((by, i) => {
      const { chip, status } = this.chips[i];
      status.textContent = by === 0 ? "✓" : difference(by);
      chip.classList.toggle("off", by !== 0);
      const words = by === 0 ? `all ${plural(this.counts[i], "cell", "cells")}` : difference(by);
      chip.setAttribute("aria-label", `Colour ${i + 1}: ${words}`);
    });
    this.arrange();
  }

  clear() {
    if (this.game.film) this.game.closeFilm();
    this.mode(true);
    return this.view.clear();
  }

  /** A solved board: the colours in the order of the quadrants, the last one in all that are left. */
  solved() {
    const { size, colours } = this.game.info.board;
    const quadrant = (row, column) => (row < size / 2 ? 0 : 2) + (column < size / 2 ? 0 : 1);
    return Array.from({ length: size }, (_, row) => Array.from({ length: size },
      (_, column) => Math.min(quadrant(row, column) + 1, colours)).join("")).join("/");
  }

  /** Uses what was typed, also where it belongs to another size or number of colours. */
  type(text) {
    const lines = rows(text);
    const { size, colours } = this.game.info.board;
    const used = Math.max(...[...lines.join("")].map(Number));
    const fits = lines.length === size && lines.every((line) => line.length === size);
    if (fits && lines.every((line) => /^[1-9.]*$/.test(line)) && !(used > colours)) {
      return this.game.set(lines.join("/"));
    }
    const other = [4, 6, 8].includes(lines.length) && used >= 2 && used <= 4;
    const puzzle = other ? `wrapslide:${lines.length}x${lines.length}:${used}` : this.game.info.puzzle;
    // The server has the words for what is wrong, and the last say.
    return this.game.attempt(async () => {
      const state = lines.join("/");
      await post("/api/look", { puzzle, state });
      location.hash = `#/wrapslide?${new URLSearchParams({ puzzle, state })}`;
    });
  }
}
