// Wrapslide: halves of the board slide with wrap-around. A position is also painted, cell by cell.

import { Board, between, colour, mark, put } from "./board.js";
import { choice, plural, svg } from "./dom.js";
import { Game } from "./game.js";
import { EMPTY, Palette, census, complaint } from "./wrapslide-paint.js";

/** The frame around the cells, in cells. */
const EDGE = 0.15;

const HALVES = {
  T: { name: "top half", across: true, first: true },
  B: { name: "bottom half", across: true, first: false },
  L: { name: "left half", across: false, first: true },
  R: { name: "right half", across: false, first: false },
};

/** Arrow keys: along rows or not, and by how many cells to the left or up. */
const ARROWS = { ArrowLeft: [true, 1], ArrowRight: [true, -1], ArrowUp: [false, 1], ArrowDown: [false, -1] };

const modulo = (a, n) => ((a % n) + n) % n;

/** The cells of a state, row by row. */
const cells = (state) => state.replaceAll("/", "");

/** A cell in its colour, with its sign. */
function cell(digit) {
  return svg("g", { class: look(digit), "data-colour": digit },
    svg("rect", { x: 0.03, y: 0.03, width: 0.94, height: 0.94, rx: 0.08 }), sign(digit));
}

const look = (digit) => (digit === EMPTY ? "cell empty" : `cell ${colour(Number(digit))}`);

function sign(digit) {
  const drawn = digit === EMPTY ? svg("g", {}) : mark(Number(digit));
  return svg("g", { transform: "translate(.5 .5)" }, drawn);
}

/** The board and its cells, still or with one half on its way. */
class Picture {
  constructor(info) {
    const n = (this.n = info.board.size);
    const full = n + 2 * EDGE;
    this.board = new Board(full, full, info.title);
    this.board.element.classList.add("wrapslide");
    this.board.element.append(svg("rect", { class: "frame", width: full, height: full, rx: 0.2 }));
    this.field = this.board.layer("field");
    put(this.field, EDGE, EDGE);
    this.field.append(svg("rect", { class: "ground", width: n, height: n }));
    this.cells = [];
    for (let i = 0; i < n * n; i++) {
      const group = cell(EMPTY);
      group.setAttribute("data-cell", `${Math.floor(i / n)},${i % n}`);
      put(group, i % n, Math.floor(i / n));
      this.cells.push(group);
    }
    this.field.append(...this.cells);
    this.strip = null;
    this.above = this.board.layer("above");
    put(this.above, EDGE, EDGE);
    const cross = `M${n / 2} 0V${n}M0 ${n / 2}H${n}`;
    this.above.append(svg("path", { class: "quadrants", d: cross }));
  }

  show(state) {
    this.board.finish();
    this.draw(state);
  }

  draw(state) {
    this.strip?.window.remove();
    this.strip = null;
    [...cells(state)].forEach((digit, i) => this.colour(i, digit));
  }

  colour(i, digit) {
    const group = this.cells[i];
    if (group.dataset.colour === digit) return;
    group.dataset.colour = digit;
    group.setAttribute("class", look(digit));
    group.lastChild.replaceWith(sign(digit));
  }

  /**
   * Takes one half out of a state, to slide it. It is drawn twice, one after the other, behind a window of its size:
   * what leaves at one side comes in at the other, and only one thing has to move.
   */
  lift(half, state) {
    this.draw(state);
    const { n } = this;
    const { across, first } = HALVES[half];
    const start = first ? 0 : n / 2;
    const [width, height] = across ? [n, n / 2] : [n / 2, n];
    const group = svg("g", {});
    for (let i = 0; i < n * n; i++) {
      const [row, column] = [Math.floor(i / n), i % n];
      const place = (across ? row : column) - start;
      if (place < 0 || place >= n / 2) continue;
      for (const copy of [0, n]) {
        const twin = cell(cells(state)[i]);
        put(twin, ...(across ? [column + copy, place] : [place, row + copy]));
        group.append(twin);
      }
    }
    const window = svg("svg", { class: "strip", width, height, x: across ? 0 : start, y: across ? start : 0 },
      svg("rect", { class: "ground", width, height }), group);
    this.field.append(window);
    this.strip = { half, state, window, group, shift: 0 };
  }

  /** Shows the lifted half a number of cells to the left or up of where it was. */
  shift(by) {
    this.strip.shift = by;
    const at = -modulo(by, this.n);
    put(this.strip.group, ...(HALVES[this.strip.half].across ? [at, 0] : [0, at]));
  }

  /** A half goes the shorter way, and on from where it is held. */
  step(from, to, name, milliseconds, backwards) {
    this.board.finish();
    const half = name[0];
    if (this.strip?.half !== half || this.strip.state !== from) this.lift(half, from);
    const start = this.strip.shift;
    const wanted = Number(name.slice(1)) * (backwards ? -1 : 1) - start;
    // Half way round both ways are equal: then it goes as it is written.
    const { n } = this;
    const by = backwards ? modulo(wanted + n / 2, n) - n / 2 : n / 2 - modulo(n / 2 - wanted, n);
    return this.board.move(milliseconds, (t) => {
      if (t < 1) this.shift(between(start, start + by, t));
      else this.draw(to);
    });
  }
}

class View extends Picture {
  constructor(game) {
    super(game.info);
    this.game = game;
    this.fixed = game.info.board.fixed;
    this.half = null;
    this.cursor = null;
    this.turn = Promise.resolve();
    this.outline = svg("rect", { class: "chosen", rx: 0.1 });
    this.pointer = svg("rect", { class: "cursor", width: 1, height: 1, rx: 0.1 });
    this.palette = new Palette(game, this);
    game.message.after(this.palette.tools);
    this.board.draggable(this.field, {
      begin: (event) => this.begin(event),
      to: (dx, dy) => (this.palette.painting ? this.stroke(dx, dy) : this.drag(dx, dy)),
      end: (dx, dy, moved) => (this.palette.painting ? this.finishPainting() : this.drop(dx, dy, moved)),
    });
  }

  draw(state) {
    super.draw(state);
    this.palette?.tell(state);
  }

  /** Keys are for the board from now on. */
  focus() {
    this.board.element.focus({ preventScroll: true });
  }

  /** Which cell is at a point of the picture. */
  at([x, y]) {
    const within = (v) => Math.max(0, Math.min(this.n - 1, Math.floor(v - EDGE)));
    return [within(y), within(x)];
  }

  begin(event) {
    if (this.game.filming()) return false;
    this.board.finish();
    this.dragged = null;
    this.start = this.board.point(event);
    this.seat = this.at(this.start);
    this.choose(null);
    this.point(null);
    if (this.palette.painting) {
      this.painted = [...cells(this.game.state)];
      this.last = this.start;
      this.paint(this.seat);
    }
    return true;
  }

  // ---- sliding

  drag(dx, dy) {
    if (Math.max(Math.abs(dx), Math.abs(dy)) < 0.12 && !this.strip) return;
    const held = this.strip && this.dragged && Math.abs(this.strip.shift) > 0.3;
    const half = held ? this.dragged : this.meant(dx, dy);
    const { across } = HALVES[half];
    this.dragged = half;
    if (!this.can(half)) {
      if (this.strip) this.draw(this.game.state);
      return;
    }
    if (this.strip?.half !== half) this.lift(half, this.game.state);
    this.shift(across ? -dx : -dy);
  }

  /** The half that a drag takes along: rows if it goes more across than up or down. */
  meant(dx, dy) {
    const across = Math.abs(dx) > Math.abs(dy);
    const first = this.seat[across ? 0 : 1] < this.n / 2;
    return across ? (first ? "T" : "B") : first ? "L" : "R";
  }

  drop(dx, dy, moved) {
    if (!moved) return;
    const half = this.dragged ?? this.meant(dx, dy);
    if (!this.can(half)) return this.game.refuse(this.why());
    const by = Math.round(HALVES[half].across ? -dx : -dy);
    if (modulo(by, this.n) !== 0) return this.slide(half, modulo(by, this.n));
    if (!this.strip) return;
    const start = this.strip.shift - Math.round(this.strip.shift);
    this.board.move(120, (t) => {
      if (t < 1) this.shift(between(start, 0, t));
      else this.draw(this.game.state);
    });
  }

  can(half) {
    return Boolean(this.game.look?.moves.some((move) => move.name[0] === half));
  }

  /** Why nothing slides. */
  why() {
    if (this.game.invalid) return "A board slides once it is complete: paint what is missing.";
    return "The quadrant at the top left is fixed: only the bottom half and the right half slide.";
  }

  /** Slides a half by a number of cells, in as many moves as that takes; one after the other, however quickly they come. */
  slide(half, by) {
    this.turn = this.turn.then(async () => {
      await this.game.turn;
      const { n, game } = this;
      const find = (cells) => game.look?.moves.find((move) => move.name === `${half}${cells}`);
      const whole = find(by);
      if (whole) return game.play(whole);
      const [cells, times] = by <= n / 2 ? [1, by] : [n - 1, n - by];
      for (let i = 0; i < times && find(cells); i++) await game.play(find(cells));
    }).finally(() => this.strip && !this.board.motion && !this.board.dragging && this.draw(this.game.state));
    return this.turn;
  }

  /** Shows which half the arrow keys slide. */
  choose(half) {
    this.half = half;
    this.outline.remove();
    if (!half) return;
    const { across, first } = HALVES[half];
    const [start, width] = [first ? 0 : this.n / 2, this.n / 2];
    const box = across ? [0, start, this.n, width] : [start, 0, width, this.n];
    ["x", "y", "width", "height"].forEach((name, i) => this.outline.setAttribute(name, box[i]));
    this.above.append(this.outline);
  }

  offer() {
    if (this.game.film) this.choose(null);
  }

  hint(found) {
    const [name] = found.moves;
    this.choose(name[0]);
    const { n } = this;
    const { across, first } = HALVES[name[0]];
    const cells = Number(name.slice(1));
    const by = cells > n / 2 ? n - cells : -cells;
    const beside = EDGE + (first ? n / 4 : (3 * n) / 4);
    const [start, end] = [n / 2 - by / 2 + EDGE, n / 2 + by / 2 + EDGE];
    this.board.arrow(across ? [start, beside] : [beside, start], across ? [end, beside] : [beside, end]);
  }

  // ---- painting

  /** Paints the cells between the pointer's last place and this one. */
  stroke(dx, dy) {
    const here = [this.start[0] + dx, this.start[1] + dy];
    const parts = Math.ceil(Math.hypot(here[0] - this.last[0], here[1] - this.last[1]) / 0.25);
    for (let i = 1; i <= parts; i++) {
      const point = [0, 1].map((axis) => between(this.last[axis], here[axis], i / parts));
      if (point.every((v) => v >= EDGE && v < this.n + EDGE)) this.paint(this.at(point));
    }
    this.last = here;
  }

  /** The cells that stay as they are. */
  held(row, column) {
    return this.fixed && row < this.n / 2 && column < this.n / 2;
  }

  paint([row, column]) {
    if (this.held(row, column)) return;
    const i = row * this.n + column;
    this.painted[i] = this.palette.digit;
    this.colour(i, this.palette.digit);
    this.palette.tell(this.painted.join(""));
  }

  finishPainting() {
    return this.set(this.painted.join(""));
  }

  /** A board of these digits, row by row, is the game's position from now on. */
  set(digits) {
    const rows = Array.from({ length: this.n }, (_, row) => digits.slice(row * this.n, (row + 1) * this.n));
    if (rows.join("/") === this.game.state) return Promise.resolve();
    return this.game.set(rows.join("/"));
  }

  clear() {
    const left = (_, i) => (this.held(Math.floor(i / this.n), i % this.n) ? "1" : EMPTY);
    return this.set(Array.from({ length: this.n ** 2 }, left).join(""));
  }

  point(cursor) {
    this.cursor = cursor;
    this.pointer.remove();
    if (!cursor) return;
    [this.pointer.x, this.pointer.y].forEach((axis, i) => { axis.baseVal.value = cursor[1 - i]; });
    this.above.append(this.pointer);
  }

  // ---- keys

  key(event) {
    const letter = event.key.toUpperCase();
    if (HALVES[letter]) {
      this.palette.mode(false);
      if (!this.can(letter)) return this.why();
      this.choose(letter);
      return true;
    }
    if (this.palette.key(event.key)) return true;
    return this.palette.painting ? this.paintKey(event.key) : this.slideKey(event.key);
  }

  slideKey(key) {
    if (!ARROWS[key]) return null;
    const [across, by] = ARROWS[key];
    if (!this.half) return "Press T, B, L or R first: the top, bottom, left or right half is what the arrows slide.";
    if (HALVES[this.half].across !== across) {
      return `The ${HALVES[this.half].name} slides ${HALVES[this.half].across ? "to the left and right" : "up and down"}.`;
    }
    this.slide(this.half, modulo(by, this.n));
    return true;
  }

  paintKey(key) {
    if (ARROWS[key]) {
      const [across, by] = ARROWS[key];
      const [row, column] = this.cursor ?? [across ? 0 : by, across ? by : 0];
      this.point(across ? [row, modulo(column - by, this.n)] : [modulo(row - by, this.n), column]);
      return true;
    }
    if (key !== " " || !this.cursor) return null;
    if (this.held(...this.cursor)) return "The quadrant at the top left is fixed.";
    this.painted = [...cells(this.game.state)];
    this.paint(this.cursor);
    this.finishPainting();
    return true;
  }
}

/** A move in words. */
function describe(name, info) {
  const { size } = info.board;
  const { name: half, across } = HALVES[name[0]];
  const cells = Number(name.slice(1));
  const ways = across ? ["left", "right"] : ["up", "down"];
  const way = (count, back) => `${plural(count, "cell", "cells")} ${ways[Number(back)]}`;
  return `${half} ${cells > size / 2 ? way(size - cells, true) : way(cells, false)}`;
}

/** The text of a puzzle: an option that does not apply to that number of colours is left out. */
function text({ size, colours, any, fixed, unit }) {
  const options = [any && colours === 3 && "any", fixed && colours > 2 && "fixed", unit && "unit"];
  return ["wrapslide", `${size}x${size}`, colours, ...options.filter(Boolean)].join(":");
}

const GOALS = [
  ["", "every colour in complete quadrants", [2, 3, 4]],
  ["any", "also colours 1 and 2 diagonal", [3]],
  ["fixed", "first quadrant done already", [3, 4]],
];

const kind = {
  name: "wrapslide",
  fallback: "wrapslide:4x4:4",
  view: (game) => new View(game),
  chooser(game) {
    const now = game.info?.board ?? { size: 4, colours: 4 };
    const go = (change) => game.choose(text({ ...now, ...change }));
    const goals = GOALS.filter(([, , colours]) => colours.includes(now.colours));
    return [
      choice("Size", [4, 6, 8].map((size) => [size, `${size} x ${size}`]), now.size, (value) => go({ size: Number(value) })),
      choice("Colours", [2, 3, 4], now.colours, (value) => go({ colours: Number(value) })),
      goals.length > 1 && choice("Goal", goals, now.any ? "any" : now.fixed ? "fixed" : "",
        (value) => go({ any: value === "any", fixed: value === "fixed" })),
      choice("One move is", [["", "a slide of any length"], ["unit", "a slide by one cell"]], now.unit ? "unit" : "",
        (value) => go({ unit: value === "unit" })),
    ].filter(Boolean);
  },
  typed: (game, text) => game.view.palette.type(text),
  /** Slides of one half in a row are one move, as any distance is; by single cells each counts. */
  join(last, name, { board: { size, unit } }) {
    if (unit || last[0] !== name[0]) return null;
    const cells = modulo(Number(last.slice(1)) + Number(name.slice(1)), size);
    return cells === 0 ? "" : `${name[0]}${cells}`;
  },
  words: (state) => state.split("/").map((line, row) => `Row ${row + 1}: ${[...line].join(" ").replaceAll(".", "empty")}`).join("; "),
  help: {
    goal: "Slide halves of the board until every colour fills complete quadrants.",
    controls: "Drag a cell sideways to slide the upper or lower half of the board, up or down for the left or right half. What leaves"
      + " at one side comes in at the other. Slides of one half in a row count as one move, unless a move is one cell.",
    keys: [["T, B, L, R", "choose a half"], ["arrows", "slide it by one cell"], ["1 to 4", "paint with that colour"]],
  },
  wrong: (game) => complaint(census(game.state, game.info.board.counts)),
  describe,
};

export const open = (root, parameters) => new Game(root, kind, parameters);

/** A still picture of a position. */
export function picture(info, state) {
  const still = new Picture(info);
  still.draw(state);
  return still.board.still();
}
