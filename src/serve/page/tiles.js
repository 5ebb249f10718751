// Sliding tiles.

import { Board, between, put } from "./board.js";
import { choice, svg } from "./dom.js";
import { Game } from "./game.js";

const ARROWS = { ArrowLeft: "L", ArrowRight: "R", ArrowUp: "U", ArrowDown: "D" };
const WAYS = { L: "left", R: "right", U: "up", D: "down" };

/** Where each tile is: [row, column] by number; the gap is 0. */
function places(state) {
  const found = [];
  state.split("/").forEach((line, row) =>
    line.split(" ").forEach((tile, column) => { found[Number(tile)] = [row, column]; }));
  return found;
}

class View {
  constructor(game) {
    this.game = game;
    const { rows, columns } = game.info.board;
    this.board = new Board(columns + 0.2, rows + 0.2, game.info.title);
    this.board.element.append(svg("rect", { class: "frame", width: columns + 0.2, height: rows + 0.2, rx: 0.15 }));
    const layer = this.board.layer("tiles");
    this.tiles = [];
    for (let tile = 1; tile < rows * columns; tile++) {
      const group = svg("g", { class: `tile ${(tile + (columns % 2 ? 0 : Math.floor((tile - 1) / columns))) % 2 ? "odd" : "even"}`, "data-tile": tile },
        svg("rect", { x: 0.04, y: 0.04, width: 0.92, height: 0.92, rx: 0.1 }),
        svg("text", { x: 0.5, y: 0.5 }, String(tile)));
      group.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        this.press(tile);
      });
      this.tiles[tile] = group;
      layer.append(group);
    }
    this.ways = new Map();
    this.turn = Promise.resolve();
    this.waiting = 0;
  }

  show(state) {
    this.board.finish();
    places(state).forEach(([row, column], tile) => tile && put(this.tiles[tile], column + 0.1, row + 0.1));
  }

  step(from, to, name, milliseconds) {
    const [before, after] = [places(from), places(to)];
    const moved = before.flatMap((at, tile) => (tile && String(at) !== String(after[tile]) ? [tile] : []));
    return this.board.move(milliseconds, (t) => moved.forEach((tile) => put(this.tiles[tile],
      between(before[tile][1], after[tile][1], t) + 0.1, between(before[tile][0], after[tile][0], t) + 0.1)));
  }

  /** A tile belongs to the shortest move that takes it along. */
  offer(moves) {
    this.ways.clear();
    const now = places(this.game.state);
    const changed = (move) => places(move.state).flatMap((at, tile) => (tile && String(at) !== String(now[tile]) ? [tile] : []));
    const ways = moves.map((move) => [move, changed(move)]).sort((a, b) => a[1].length - b[1].length);
    for (const [move, tiles] of ways) for (const tile of tiles) if (!this.ways.has(tile)) this.ways.set(tile, move);
    this.tiles.forEach((group, tile) => group.classList.toggle("ready", this.ways.has(tile)));
    this.mark(null);
  }

  /** Marks the tiles that a move takes along. */
  mark(name) {
    this.board.arrow();
    this.tiles.forEach((group, tile) => group.classList.toggle("hinted", this.ways.get(tile)?.name === name));
  }

  hint(found) {
    const [name] = found.moves;
    this.mark(name);
    const move = this.game.look.moves.find((move) => move.name === name);
    if (!move) return;
    const [from, to] = [places(this.game.state)[0], places(move.state)[0]].map(([row, column]) => [column + 0.6, row + 0.6]);
    // The tiles go where the gap is now.
    this.board.arrow(to, from);
  }

  press(tile) {
    if (this.game.filming()) return;
    this.after(() => this.ways.get(tile), `Tile ${tile} cannot move: it is not beside the gap.`);
  }

  key(event) {
    const way = ARROWS[event.key];
    if (!way) return null;
    this.after(() => this.game.look.moves.find((move) => move.name === way), `No tile can go ${WAYS[way]} now.`);
    return true;
  }

  /** Plays a move that is found when those before have been made, however quickly they come; many at once do not glide. */
  after(find, refusal) {
    this.waiting += 1;
    this.turn = this.turn.then(async () => {
      await this.game.turn;
      this.waiting -= 1;
      if (this.game.closed || this.game.film) return;
      const move = find();
      if (move) await this.game.play(move, this.waiting > 1);
      else this.game.refuse(refusal);
    });
  }
}

const kind = {
  name: "tiles",
  fallback: "tiles:4x4",
  describe(name, info, state) {
    if (name.length > 1) return `${name.slice(1)} tiles go ${WAYS[name[0]]}`;
    const [row, column] = places(state)[0];
    const [down, right] = { L: [0, 1], R: [0, -1], U: [1, 0], D: [-1, 0] }[name];
    const tile = state.split("/")[row + down]?.split(" ")[column + right];
    return `tile ${tile} goes ${WAYS[name]}`;
  },
  words: (state) => state.split("/").map((line, row) => `Row ${row + 1}: ${line.replace(/\b0\b/, "gap").split(" ").join(", ")}`).join("; "),
  help: {
    goal: "Bring the tiles into their order, row by row, with the gap in the lower right corner.",
    controls: "Click or touch a tile beside the gap: it slides into the gap.",
    keys: [["arrows", "the tile beside the gap goes that way"]],
  },
  view: (game) => new View(game),
  chooser(game) {
    const { rows = 4, columns = 4, push = false } = game.info?.board ?? {};
    const sizes = Array.from({ length: 9 }, (_, i) => i + 2);
    const go = (rows, columns, push) => game.choose(`tiles:${rows}x${columns}${push ? ":push" : ""}`);
    return [
      choice("Rows", sizes, rows, (value) => go(value, columns, push)),
      choice("Columns", sizes, columns, (value) => go(rows, value, push)),
      choice("One move is", [["", "one tile"], ["push", "a push of any length"]], push ? "push" : "", (value) => go(rows, columns, value)),
    ];
  },
};

export const open = (root, parameters) => new Game(root, kind, parameters);

/** A still picture of a position. */
export function picture(info, state) {
  const view = new View({ info });
  view.show(state);
  return view.board.still();
}
