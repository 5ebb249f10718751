// Triangles: what is known about a game without asking the server. What it is called, how it is remembered, its file with
// other pieces on the board, and the way from a board to a solved one, piece by piece.

import { keep, kept } from "./storage.js";
import { words } from "./triangles-draw.js";

const SAVED = "godnum:game:triangles";
/** The number of games that are remembered. */
const GAMES = 8;

/** The games in a storage, the last one first: { puzzle, files, at, current }. */
function games(storage) {
  const saved = kept(SAVED, storage)?.games;
  const intact = (game) => typeof game?.puzzle === "string" && typeof game.files?.[game.at] === "string";
  return Array.isArray(saved) ? saved.filter(intact) : [];
}

/** The game of a puzzle that was left, or of any: this tab's, or else the browser's. */
export function remembered(puzzle = null) {
  const all = [...games("sessionStorage"), ...games("localStorage")];
  return all.find((game) => puzzle === null || game.puzzle === puzzle);
}

/** Remembers a game, instead of what is remembered about its puzzle. */
export function remember(game) {
  for (const storage of ["sessionStorage", "localStorage"]) {
    const others = games(storage).filter(({ puzzle }) => puzzle !== game.puzzle);
    keep(SAVED, { games: [game, ...others].slice(0, GAMES) }, storage);
  }
}

/** What a puzzle is called. */
export function title(puzzle) {
  const rest = puzzle.slice(puzzle.indexOf(":") + 1);
  const seed = rest.match(/^random:(.*)/)?.[1];
  if (seed) return `Triangles: random game, seed ${seed}`;
  return rest.startsWith("@") ? `Triangles: game from ${rest.slice(1)}` : `Triangles: ${rest}`;
}

/** The least spelling of a piece: the same for every turn of it. */
const spelling = (letters) => [0, 1, 2].map((k) => letters.slice(k) + letters.slice(0, k)).sort()[0];

/** The game file of a table with the pieces of a state on its board. */
export function withState(view, state) {
  const placed = words(state);
  const used = new Set(placed.map((word) => spelling(word.slice(0, 3))));
  const board = placed.map((word, i) => `${word}${view.cells[i]?.row ?? 0}${view.cells[i]?.column ?? 0}`);
  const left = view.pile.filter(({ letters }) => !used.has(spelling(letters)));
  const pile = left.map(({ letters, position }) => `${letters}${position}`);
  // All but the two sections that are written anew stays as it is.
  const sections = view.file.split(/^(?=#)/m).filter((section) => !/^#(BOARD|PILE|FILE)\b/.test(section));
  const at = sections.findIndex((section) => section.startsWith("#SOLUTION"));
  sections.splice(at < 0 ? sections.length : at, 0, `#BOARD\n${board.join(" ")}\n`, `#PILE\n${pile.join("\n")}\n`);
  return sections.join("");
}

/** From a board to a solved one, piece by piece: what is wrong comes off, then the cells are filled in reading order. */
export function placements(before, after) {
  const states = [before];
  const names = [];
  const change = (cell, filled, name) => {
    const last = states.at(-1);
    const cells = last.cells.with(cell, filled);
    const taken = last.cells[cell];
    const pile = last.pile.filter(({ piece }) => piece !== filled.piece);
    // Whatever is taken off points up or down as its cell does.
    if (taken.piece !== null) pile.push({ piece: taken.piece, letters: taken.letters, position: taken.up ? 1 : 4 });
    states.push({ ...last, cells, pile, placed: cells.filter(({ piece }) => piece !== null).length, solved: false });
    names.push(name);
  };
  const wrong = after.cells.map((cell, i) => cell.letters !== before.cells[i].letters);
  before.cells.forEach((cell, i) => {
    if (!wrong[i] || cell.piece === null) return;
    change(i, { ...cell, piece: null, letters: null, conflict: false }, `${cell.letters} off`);
  });
  after.cells.forEach((cell, i) => {
    if (wrong[i]) change(i, cell, `${cell.letters} in ${cell.row},${cell.column}`);
  });
  states[states.length - 1] = after;
  return [states, names];
}
