// A picture of a Gourds board: hexagons, and on them gourds, each two lobes joined by a neck.
//
// One unit is the distance of neighbouring cells. The server may renumber gourds that look alike, so the picture has
// its own idea of where each of its gourds lies, and asks of a state only how it looks.

import { Board, colour, mark, put } from "./board.js";
import { svg } from "./dom.js";

/** Rows are so far apart, and the corners of a hexagon are so far from its middle. */
const ROW = Math.sqrt(3) / 2;
const CORNER = 1 / Math.sqrt(3);

/** The lobes of a gourd: the first end is the larger one, unless both look the same. */
const LARGE = 0.42;
const SMALL = 0.35;
const ALIKE = 0.39;
/** A gourd that is only outlined lies around the one that covers it. */
const GHOST = 0.47;

/** How far from the middle of a cell its number and its sign stand. */
const ASIDE = 0.44;

/** A board of more cells in a row is a wide one. */
const WIDE = 6.5;

/** The number of colours that have a sign. */
const SIGNS = 8;

/** The letters of gourds without labels: end 0, end 1. */
const LETTERS = ["ABCDEFGHIJKMNOPQRSTUVWXYZΓΔΘΛΞΨ", "abcdefghijkmnopqrstuvwxyzγδθλξψ"].map((letters) => [...letters]);

/** What is written on the ends of each gourd. */
export function endsOf({ board: { cells, gourds } }) {
  return gourds ?? LETTERS[0].slice(0, (cells.length - 1) / 2).map((letter, gourd) => [letter, LETTERS[1][gourd]]);
}

/** The pairs of cells in a state's text. */
export const pairs = (state) => state.split(",").map((pair) => pair.split("-").map(Number));

const degrees = (radians) => (radians * 180) / Math.PI;
const step = ([x, y], [u, v], length) => [x + length * u, y + length * v];
const less = (a, b) => [a[0] - b[0], a[1] - b[1]];
const heading = (a, b) => Math.atan2(b[1] - a[1], b[0] - a[0]);

/**
 * The outline of a gourd that lies from (0, 0) to (1, 0), and that of its second half. The neck is a curve that leaves
 * the lobes without a corner; it is cut in its middle.
 */
function outlines(first, second) {
  const [sine, cosine] = [Math.sin(0.87), Math.cos(0.87)];
  const side = (radius, at, way) => {
    const leave = [at + way * radius * cosine, radius * sine];
    return [leave, step(leave, [way * sine, -cosine], 0.24)];
  };
  const [[p0, c0], [p1, c1]] = [side(first, 0, 1), side(second, 1, -1)];
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const q1 = middle(p1, c1);
  const r1 = middle(q1, middle(c0, c1));
  const waist = middle(middle(middle(p0, c0), middle(c0, c1)), r1);
  const below = ([x, y]) => `${x.toFixed(4)} ${y.toFixed(4)}`;
  const above = ([x, y]) => below([x, -y]);
  const round = (radius, sweep, to) => `A${radius} ${radius} 0 1 ${sweep} ${to}`;
  return {
    whole: `M${above(p0)}${round(first, 0, below(p0))}C${below(c0)} ${below(c1)} ${below(p1)}`
      + `${round(second, 0, above(p1))}C${above(c1)} ${above(c0)} ${above(p0)}Z`,
    half: `M${above(waist)}C${above(r1)} ${above(q1)} ${above(p1)}${round(second, 1, below(p1))}`
      + `C${below(q1)} ${below(r1)} ${below(waist)}Z`,
  };
}

export class Picture {
  /** The picture of a puzzle as the server describes it. */
  constructor(info) {
    const { cells, coloured, labels, goal } = info.board;
    Object.assign(this, { cells, coloured, labels, goal: goal && pairs(goal) });
    this.count = (cells.length - 1) / 2;
    this.ends = endsOf(info);
    this.palette = [...new Set(labels ?? [])].sort((a, b) => a - b);
    const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    const [right, bottom] = [0, 1].map((axis) => Math.max(...cells.map((cell) => cell[axis])));
    this.middles = cells.map(([x, y]) => [(x - left) / 2 + 0.55, (y - top) * ROW + CORNER + 0.04]);
    this.width = (right - left) / 2 + 1.1;
    this.board = new Board(this.width, (bottom - top) * ROW + 2 * CORNER + 0.08, info.title);
    this.board.element.classList.add("gourds");
    // Where cells are small, what is written at their edges is larger.
    this.board.element.classList.toggle("wide", this.width > WIDE);
    this.draw();
  }

  /** Whether two cells are neighbours. */
  beside(a, b) {
    const [x, y] = less(this.cells[a], this.cells[b]).map(Math.abs);
    return (x === 2 && y === 0) || (x === 1 && y === 1);
  }

  /** The cell that no gourd covers. */
  hole(placed) {
    const covered = new Set(placed.flat());
    return this.cells.findIndex((_, cell) => !covered.has(cell));
  }

  /** The middle of the hexagon of a cell is moved to the place of the cell. */
  hexagon(cell, properties) {
    const [x, y] = this.middles[cell];
    const radius = CORNER * 0.97;
    const corners = [0, 1, 2, 3, 4, 5].map((i) => {
      const angle = (i * Math.PI) / 3 + Math.PI / 6;
      return `${(x + radius * Math.cos(angle)).toFixed(4)} ${(y + radius * Math.sin(angle)).toFixed(4)}`;
    });
    return svg("path", { d: `M${corners.join("L")}Z`, ...properties });
  }

  /** What is written on an end or a cell with this label: a colour's sign of this size, or a text. */
  sign(label, size) {
    if (!this.coloured || this.palette.length > SIGNS) {
      return svg("text", { class: String(label).length > 2 ? "narrow" : null }, String(label));
    }
    return mark(this.palette.indexOf(label) + 1, size * 0.42);
  }

  /** The class that paints something with this label. */
  paint(label) {
    return this.coloured ? colour(this.palette.indexOf(label) + 1) : "";
  }

  draw() {
    const layers = ["hexes", "ghosts", "skins", "cycle", "ends", "notes"].map((name) => this.board.layer(name));
    const [hexes, ghosts, skins, cycle, ends, notes] = layers;
    this.cycleLayer = cycle;
    this.hexes = this.cells.map((_, cell) =>
      this.hexagon(cell, { class: `hex ${this.labels ? this.paint(this.labels[cell]) : ""}` }));
    hexes.append(...this.hexes);
    this.cells.forEach((_, cell) => {
      const [x, y] = this.middles[cell];
      notes.append(svg("text", { class: "number", x, y: y - ASIDE }, String(cell)));
    });
    // Where the goal is a placement, each of its cells has the tint of the gourd that belongs there.
    this.goal?.forEach((pair, gourd) => pair.forEach((cell) => {
      if (!this.labels) this.hexes[cell].classList.add("goal-cell", colour(gourd + 1));
    }));
    if (this.goal) ghosts.append(...this.goal.map((pair) => this.ghost(pair)));
    this.gourds = this.ends.map((labels, gourd) => this.gourd(labels, gourd));
    skins.append(...this.gourds.map((gourd) => gourd.skin));
    ends.append(...this.gourds.flatMap((gourd) => gourd.signs));
  }

  /** What belongs on each cell; nothing is known of the cell that stays free, nor where only labels count. */
  homes() {
    if (this.labels) return this.labels;
    const homes = [];
    this.goal?.forEach((pair, gourd) => pair.forEach((cell, end) => { homes[cell] = this.ends[gourd][end]; }));
    return homes;
  }

  gourd(labels, number) {
    const alike = labels[0] === labels[1];
    // Gourds that look alike must be drawn alike, whichever of their ends comes first.
    const swapped = this.coloured && labels[0] > labels[1];
    const [first, second] = alike ? [ALIKE, ALIKE] : swapped ? [SMALL, LARGE] : [LARGE, SMALL];
    const { whole, half } = outlines(first, second);
    const paints = labels.map((label) => this.paint(label) || (this.labels ? "plain" : colour(number + 1)));
    const skin = svg("g", { class: "gourd", "data-gourd": number },
      svg("path", { class: `lobe ${paints[0]}`, d: whole }),
      svg("path", { class: `lobe second ${paints[1]}`, d: half }),
      svg("path", { class: "skin", d: whole }));
    const signs = labels.map((label, end) =>
      svg("g", { class: `end ${paints[end]}` },
        svg("circle", { class: "home", r: [first, second][end] - 0.045 }), this.sign(label, 0.4)));
    return { skin, signs, labels, cells: null };
  }

  /** The outline of a solved gourd. */
  ghost([a, b]) {
    const path = svg("path", { class: "ghost", d: outlines(GHOST, GHOST).whole });
    const turn = degrees(heading(this.middles[a], this.middles[b]));
    put(path, ...this.middles[a], turn);
    return path;
  }

  /** Draws the cycle through these cells. */
  cycle(cells) {
    const points = cells.map((cell) => this.middles[cell].map((value) => value.toFixed(4)).join(" "));
    this.cycleLayer.replaceChildren(svg("path", { d: `M${points.join("L")}Z` }));
  }

  lay(gourd, first, second) {
    put(gourd.skin, ...first, degrees(heading(first, second)));
    [first, second].forEach((place, end) => put(gourd.signs[end], ...place));
  }

  /** What is on every cell and where its other half lies: all that can be seen of gourds on their cells. */
  looks(placed) {
    const seen = this.cells.map(() => "");
    placed.forEach((cells, gourd) => cells.forEach((cell, end) => {
      seen[cell] = `${this.ends[gourd][end]} ${cells[1 - end]}`;
    }));
    return seen.join("/");
  }

  /** Shows a state at once. Gourds stay what they are if it looks the same. */
  show(state) {
    this.board.finish();
    const placed = pairs(state);
    const now = this.gourds[0].cells && this.looks(this.gourds.map((gourd) => gourd.cells));
    if (now !== this.looks(placed)) {
      this.gourds.forEach((gourd, number) => {
        gourd.cells = placed[number];
        this.lay(gourd, ...gourd.cells.map((cell) => this.middles[cell]));
      });
    }
    this.tell();
  }

  /** Marks the free cell and the ends that lie where they belong. */
  tell() {
    const free = this.hole(this.gourds.map((gourd) => gourd.cells));
    const homes = this.homes();
    this.hexes.forEach((hex, cell) => hex.classList.toggle("free", cell === free));
    for (const { signs, labels, cells } of this.gourds) {
      signs.forEach((sign, end) => sign.classList.toggle("right", homes[cells[end]] === labels[end]));
    }
  }

  /**
   * Moves from a state to one that is a single move away, there or back: the gourd on the cell that becomes free
   * pivots if that cell touches the one that was free, and otherwise slides or turns. It stays as long as it is:
   * in a turn its ends keep to their lines while it turns evenly.
   */
  step(from, to, _, milliseconds) {
    this.show(from);
    const [free, freed] = [from, to].map((state) => this.hole(pairs(state)));
    const gourd = this.gourds.find((gourd) => gourd.cells.includes(freed));
    if (!gourd) return this.show(to);
    const end = gourd.cells.indexOf(freed);
    const corner = gourd.cells[1 - end];
    if (!this.beside(corner, free)) return this.show(to);
    const [start, middle, goal] = [freed, corner, free].map((cell) => this.middles[cell]);
    const pivots = this.beside(free, freed);
    gourd.cells = pivots ? [free, corner] : [corner, free];
    if (end === 1) gourd.cells.reverse();
    // Above the others while it moves.
    gourd.skin.parentNode.append(gourd.skin);
    const path = pivots ? pivot(start, middle, goal) : follow(start, middle, goal);
    return this.board.move(milliseconds, (t) => {
      const ends = path(t);
      this.lay(gourd, ...(end === 0 ? ends : ends.reverse()));
      if (t === 1) this.tell();
    });
  }
}

/** The end at `start` swings round the other one, which stays. */
function pivot(start, middle, goal) {
  const began = heading(middle, start);
  const turn = Math.asin(Math.sin(heading(middle, goal) - began));
  return (t) => {
    const angle = began + t * turn;
    return [step(middle, [Math.cos(angle), Math.sin(angle)], 1), middle];
  };
}

/** The end in the middle continues to the goal, and the one at the start takes its place. */
function follow(start, middle, goal) {
  const [to, on] = [less(middle, start), less(goal, middle)];
  const turn = Math.abs(Math.asin(Math.sin(heading(middle, goal) - heading(start, middle))));
  // The law of sines, in the triangle that the two ends make with the corner.
  const share = (t) => (turn < 0.01 ? t : Math.sin(t * turn) / Math.sin(turn));
  return (t) => [step(middle, to, -share(1 - t)), step(middle, on, share(t))];
}
