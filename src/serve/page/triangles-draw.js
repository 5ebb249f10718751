// Triangles: where cells are, how pieces look. The side of a triangle is 1.
//
// Every letter has a shape of its own, half of which lies on each side of an edge: upper case is the half that is
// filled, lower case the half that is outlined. So what matches makes a whole: a disc, a diamond, a square, an hourglass.

import { put } from "./board.js";
import { svg } from "./dom.js";

const HEIGHT = Math.sqrt(3) / 2;
/** From the centre of a triangle to its edges, and to its corners. */
const INNER = HEIGHT / 3;
const OUTER = 2 * INNER;
/** Pieces are a little smaller than their cells. */
const GAP = 0.014;
/** Room around a board. */
const MARGIN = 0.14;

/** The halves, for the bottom edge, which is at `y`; and how far from the edge the letter stands. */
const SHAPES = {
  A: [(y) => `M-.2 ${y}A.2 .2 0 0 1 .2 ${y}Z`, 0.085],
  B: [(y) => `M-.225 ${y}L0 ${y - 0.225}L.225 ${y}Z`, 0.082],
  C: [(y) => `M-.165 ${y}V${y - 0.17}H.165V${y}Z`, 0.088],
  D: [(y) => `M-.07 ${y}L-.15 ${y - 0.18}H.15L.07 ${y}Z`, 0.105],
};

/** How far the edges of the slots of a triangle that points up (left, bottom, right) are turned from the bottom. */
const SLOTS = [120, 0, 240];

/** A triangle that points up, about its centre. */
const triangle = (gap) => {
  const [inner, outer] = [INNER - gap, OUTER - 2 * gap];
  const half = outer * HEIGHT;
  return `M0 ${-outer}L${half} ${inner}H${-half}Z`;
};

/** Where the centre of a cell is. Rows 1 and 4 of the hexagon begin half a side further right. */
export function centre({ row, column }, up) {
  const x = column + (row === 1 || row === 4 ? 1 : 0);
  return [x / 2, (row - 1) * HEIGHT + (up ? OUTER : INNER)];
}

/** The part of the plane that cells need, never less than a few triangles: [x, y, width, height]. */
export function extent(cells) {
  const centres = cells.map((cell) => centre(cell, cell.up)[0]);
  const rows = cells.map((cell) => cell.row);
  let [left, right] = [Math.min(...centres) - 0.5 - MARGIN, Math.max(...centres) + 0.5 + MARGIN];
  const [top, bottom] = [(Math.min(...rows) - 1) * HEIGHT - MARGIN, Math.max(...rows) * HEIGHT + MARGIN];
  const missing = Math.max(0, 3 - (right - left)) / 2;
  [left, right] = [left - missing, right + missing];
  return [left, top, right - left, bottom - top];
}

/** The outline of a cell, at its place. */
export function outline(cell, properties = {}) {
  const path = svg("path", { d: triangle(0), ...properties });
  put(path, ...centre(cell, cell.up), cell.up ? 0 : 180);
  return path;
}

/** How much a piece with these letters is turned if a cell shows `shown`, in degrees. */
export function turnOf(letters, shown, up) {
  const turn = [0, 1, 2].find((k) => [0, 1, 2].every((slot) => shown[slot] === letters[(slot + k) % 3]));
  return ((up ? 0 : 180) + 120 * (turn ?? 0)) % 360;
}

/** A piece: a group that can be put anywhere, turned anyhow; its letters always stand upright. */
export class Piece {
  constructor(letters) {
    this.letters = letters;
    this.turn = null;
    const edge = INNER - GAP;
    const halves = SLOTS.map((angle, slot) => {
      const [letter, upper] = [letters[slot], letters[slot].toUpperCase()];
      const [shape] = SHAPES[upper];
      // A ring inside the outline has the colour.
      const ring = svg("path", { class: "ring", d: shape(0), transform: `translate(0 ${edge - 0.022}) scale(.82)` });
      return svg("g", { class: kind(letter), transform: `rotate(${angle})` },
        svg("path", { class: "half", d: shape(edge) }), letter === upper ? null : ring);
    });
    this.texts = SLOTS.map((_, slot) => svg("text", { class: kind(letters[slot]) }, letters[slot]));
    this.face = svg("g", {}, svg("path", { class: "face", d: triangle(GAP) }), halves);
    this.element = svg("g", { class: "triangle", "data-letters": letters }, this.face, this.texts);
    this.put(0, 0, 0);
  }

  put(x, y, turn, size = 1) {
    Object.assign(this, { x, y, size });
    this.element.setAttribute("transform", `translate(${x} ${y})${size === 1 ? "" : ` scale(${size})`}`);
    if (turn === this.turn) return;
    this.turn = turn;
    this.face.setAttribute("transform", `rotate(${turn})`);
    this.texts.forEach((text, slot) => {
      const away = INNER - GAP - SHAPES[this.letters[slot].toUpperCase()][1];
      const angle = ((SLOTS[slot] + turn) * Math.PI) / 180;
      put(text, -away * Math.sin(angle), away * Math.cos(angle));
    });
  }
}

function kind(letter) {
  const upper = letter.toUpperCase();
  return `${letter === upper ? "upper" : "lower"} colour-${"ABCD".indexOf(upper) + 1}`;
}

/** A piece alone, as it lies in the pile; turned about its centre it stays inside. */
export function alone(letters, turn) {
  const piece = new Piece(letters);
  piece.put(0, 0, turn);
  const frame = OUTER + 0.03;
  const viewBox = [-frame, -frame, 2 * frame, 2 * frame].join(" ");
  const element = svg("svg", { viewBox, "aria-hidden": "true" }, piece.element);
  return { element, piece, width: 2 * frame };
}

/** The pieces of a state, from the first cell on: `DCa1 AAA4/dAB1`, or `-` for none. */
export const words = (state) => (state === "-" ? [] : state.split(/[\s/]+/));

/** The letters that a cell shows if a piece is written there: `ADa3`. */
export function shown(word) {
  const turn = { 1: 0, 3: 1, 5: 2, 4: 0, 6: 1, 2: 2 }[word[3]];
  return [0, 1, 2].map((slot) => word[(slot + turn) % 3]).join("");
}

/** A still picture of a position. */
export function picture(info, state) {
  const { cells } = info.board;
  const placed = words(state).map((word, i) => {
    const piece = new Piece(shown(word));
    piece.put(...centre(cells[i], cells[i].up), cells[i].up ? 0 : 180);
    return piece.element;
  });
  return svg("svg", { class: "board triangles still", viewBox: extent(cells).join(" "), role: "img" },
    cells.map((cell) => outline(cell, { class: "cell" })), placed);
}
