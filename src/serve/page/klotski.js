// Klotski: blocks are dragged along free ways. The rules, layouts and counts are the server's; a block keeps its letter.

import { post } from "./api.js";
import { Board, put } from "./board.js";
import { button, choice, el, plural, svg } from "./dom.js";
import { Game } from "./game.js";
import { keptFile, remember } from "./storage.js";
import { counters, describe, unit } from "./klotski-count.js";
import { layoutName } from "./klotski-names.js";
import { Ways, blocks, legs, point, polyline, steps } from "./klotski-ways.js";

/** The frame around the cells, in cells. */
const EDGE = 0.24;

/** What a custom layout is called while its text is sent along. */
const OWN = "klotski:@layout";

const METRICS = [["step", "a step: one cell"], ["slide", "a slide: straight on"], ["move", "a move: any way"]];

const ARROWS = {
  ArrowLeft: ["L", "to the left"], ArrowRight: ["R", "to the right"], ArrowUp: ["U", "up"], ArrowDown: ["D", "down"],
};

/** The board and its blocks. */
class Picture {
  constructor(info) {
    const { rows, columns, goal } = info.board;
    const [width, height] = [columns + 2 * EDGE, rows + 2 * EDGE];
    this.board = new Board(width, height, info.title);
    this.board.element.classList.add("klotski");
    this.board.element.append(
      svg("rect", { class: "wall", width, height, rx: 0.18 }),
      svg("rect", { class: "frame", x: EDGE, y: EDGE, width: columns, height: rows }));
    const place = { x: goal[1] + EDGE, y: goal[0] + EDGE, width: 2, height: 2 };
    // A goal at the lower edge is a gap in the wall, as on the wooden ones.
    const gap = goal[0] + 2 === rows;
    if (gap) place.height += EDGE;
    this.board.element.append(svg("rect", { class: "goal-place", ...place }));
    const middle = gap ? height - EDGE / 2 : place.y + 1;
    this.board.element.append(svg("text", { class: "goal-name", x: place.x + 1, y: middle }, "exit"));
    this.layer = this.board.layer("blocks");
    put(this.layer, EDGE, EDGE);
    this.above = this.board.layer("above");
    put(this.above, EDGE, EDGE);
    // Its corners stay visible on what stands there.
    const [x, y] = [goal[1], goal[0]];
    const corners = [[x, y, 1, 1], [x + 2, y, -1, 1], [x, y + 2, 1, -1], [x + 2, y + 2, -1, -1]].map(([u, v, dx, dy]) =>
      `M${u + 0.03 * dx} ${v + 0.4 * dy}v${-0.37 * dy}h${0.37 * dx}`);
    this.above.append(svg("path", { class: "goal-line", d: corners.join("") }));
    this.pieces = new Map();
  }

  show(state) {
    this.board.finish();
    this.draw(state);
  }

  draw(state) {
    const now = blocks(state);
    for (const [letter, piece] of this.pieces) {
      const block = now.get(letter);
      if (block?.width === piece.width && block.height === piece.height) continue;
      piece.group.remove();
      this.pieces.delete(letter);
    }
    for (const [letter, block] of now) {
      if (!this.pieces.has(letter)) this.pieces.set(letter, { ...block, group: this.piece(letter, block) });
      put(this.pieces.get(letter).group, block.column, block.row);
    }
  }

  piece(letter, { width, height }) {
    const shape = width * height === 4 ? "large" : width > 1 ? "lying" : height > 1 ? "standing" : "small";
    const group = svg("g", { class: `block ${shape}`, "data-block": letter },
      svg("rect", { x: 0.04, y: 0.04, width: width - 0.08, height: height - 0.08, rx: 0.1 }),
      svg("text", { x: width / 2, y: height / 2 }, letter));
    this.layer.append(group);
    return group;
  }

  /** A block goes the way that its move names, round corners too. */
  step(from, to, name, milliseconds, backwards) {
    this.board.finish();
    this.draw(from);
    const [letter, way] = name.split(" ");
    const before = blocks(backwards ? to : from).get(letter);
    const piece = this.pieces.get(letter);
    if (!before || !piece) return this.board.move(0, () => this.draw(to));
    const places = steps(before, way);
    return this.follow(piece, backwards ? places.reverse() : places, milliseconds, to);
  }

  follow(piece, places, milliseconds, to) {
    const line = polyline(places);
    return this.board.move(milliseconds, (t) => {
      if (t < 1) put(piece.group, ...point(line, t));
      else this.draw(to);
    });
  }
}

class View extends Picture {
  constructor(game) {
    super(game.info);
    this.game = game;
    this.chosen = null;
    this.held = null;
    this.turn = Promise.resolve();
    this.targets = svg("g", { class: "targets" });
    put(this.targets, EDGE, EDGE);
    this.layer.before(this.targets);
  }

  piece(letter, block) {
    const group = super.piece(letter, block);
    this.board.draggable(group, {
      begin: () => this.begin(letter),
      to: (dx, dy) => this.drag(dx, dy),
      end: (dx, dy, moved) => this.drop(dx, dy, moved),
    });
    return group;
  }

  offer(moves) {
    this.moves = moves;
    this.offered = this.game.state;
    for (const [letter, { group }] of this.pieces) group.classList.toggle("ready", this.of(letter).length > 0);
    this.choose(this.game.film ? null : this.chosen);
  }

  /** The moves of one block. */
  of(letter) {
    return (this.moves ?? []).filter((move) => move.name.startsWith(`${letter} `));
  }

  // ---- dragging

  begin(letter) {
    if (this.game.filming()) return false;
    this.board.finish();
    this.held = { letter, ways: null };
    this.layer.append(this.pieces.get(letter).group);
    return true;
  }

  /** The ways of the block that is held. What is offered may still belong to the position before: then there are none yet. */
  ways() {
    const { held } = this;
    const { state } = this.game;
    if (this.offered === state) held.ways ??= new Ways(blocks(state).get(held.letter), this.of(held.letter));
    return held.ways;
  }

  drag(dx, dy) {
    const ways = this.ways();
    if (ways) put(this.pieces.get(this.held.letter).group, ...ways.towards(dx, dy));
  }

  drop(dx, dy, moved) {
    const { letter } = this.held;
    const ways = this.ways();
    this.held = null;
    if (!ways) return;
    if (!moved) return this.tap(letter);
    ways.towards(dx, dy);
    const { move, places } = ways.release(dx, dy);
    if (move) {
      // The block is on its way already: the rest of it is what is shown.
      this.rest = { places, to: move.state };
      return this.game.play(move);
    }
    this.follow(this.pieces.get(letter), places, 120, this.game.state);
    if (Math.hypot(dx, dy) > 0.5) this.game.refuse(this.why(letter));
  }

  step(from, to, name, milliseconds, backwards) {
    const { rest } = this;
    this.rest = null;
    const piece = this.pieces.get(name.split(" ")[0]);
    // What was dragged may not have been played: then this is another step.
    if (rest?.to !== to || !piece) return super.step(from, to, name, milliseconds, backwards);
    return this.follow(piece, rest.places, milliseconds, to);
  }

  /** Why a block does not go where it was dragged. */
  why(letter) {
    const count = this.of(letter).length;
    return count === 0
      ? `Block ${letter} cannot move: there is no room beside it.`
      : `Block ${letter} cannot go there: something is in its way.`;
  }

  tap(letter) {
    const moves = this.of(letter);
    if (moves.length === 1) return this.game.play(moves[0]);
    if (moves.length === 0) return this.game.refuse(this.why(letter));
    this.choose(letter);
    this.game.say(`Block ${letter} has ${moves.length} ways to go: click a place, drag it, or use the arrow keys.`);
  }

  // ---- a chosen block, its places, keys

  /** Shows a block as chosen, and where it can go. */
  choose(letter) {
    this.chosen = this.pieces.has(letter) ? letter : null;
    for (const [name, { group }] of this.pieces) group.classList.toggle("chosen", name === this.chosen);
    this.targets.replaceChildren();
    if (!this.chosen) return;
    // Near places lie on far ones: of each, something can be clicked.
    const long = (move) => legs(move.name).reduce((sum, [, cells]) => sum + cells, 0);
    for (const move of this.of(letter).sort((a, b) => long(b) - long(a))) {
      const { row, column, width, height } = blocks(move.state).get(letter);
      this.targets.append(svg("rect", {
        class: "target", "data-target": move.name,
        x: column + 0.12, y: row + 0.12, width: width - 0.24, height: height - 0.24, rx: 0.1,
        click: () => this.game.play(move),
      }));
    }
  }

  hint(found) {
    const [letter, way] = found.moves[0].split(" ");
    this.choose(letter);
    const block = blocks(this.game.state).get(letter);
    const middle = ([x, y]) => [x + EDGE + block.width / 2, y + EDGE + block.height / 2];
    const places = steps(block, way);
    this.board.arrow(middle(places[0]), middle(places.at(-1)));
  }

  key(event) {
    if (event.key === "Escape" && this.chosen) {
      this.choose(null);
      return true;
    }
    const letter = [event.key, event.key.toUpperCase()].find((key) => this.pieces.has(key));
    if (letter) {
      this.choose(letter);
      return true;
    }
    if (!ARROWS[event.key]) return null;
    const [way, words] = ARROWS[event.key];
    if (!this.chosen) return "Press the letter of a block first: the arrows move it.";
    this.push(this.chosen, way, words);
    return true;
  }

  /** Moves a block by one cell; one after the other, however quickly the keys come. */
  push(letter, way, words) {
    this.turn = this.turn.then(async () => {
      await this.game.turn;
      const move = this.of(letter).find((move) => move.name === `${letter} ${way}1`);
      if (move) await this.game.play(move);
      else this.game.refuse(`Block ${letter} cannot go ${words}.`);
    });
  }
}

// ---- choosing

/** A puzzle's text without its metric. */
const plain = (puzzle) => puzzle.replace(/:(step|slide|move)(?=:|$)/g, "");

/** A puzzle's text with a metric, written where the server writes it: before what distances are from. */
function measured(puzzle, metric) {
  const [, text, roots = ""] = plain(puzzle).match(/^(.*?)(:from-goals|:from-start)?$/s);
  return text + (metric === "step" ? "" : `:${metric}`) + roots;
}

/** Continues the same game, counted in another way. */
function measure(game, metric) {
  const { states, log, at, file } = game;
  const puzzle = measured(game.info.puzzle, metric);
  remember(game.kind, { puzzle, file, states, log, at });
  game.choose(puzzle, file ?? null);
}

let previews = null;

/** A button with a picture for each layout that has a name; made when it is first wanted. */
function gallery(game, metric) {
  const grid = el("div", { class: "gallery" });
  const fill = async () => {
    previews ??= Promise.all(game.family.boards.map((name) => post("/api/puzzle", { puzzle: `klotski:${name}` })));
    const infos = await previews;
    grid.replaceChildren(...infos.map((info, i) => {
      const name = game.family.boards[i];
      const chosen = plain(game.info?.puzzle ?? "") === `klotski:${name}`;
      return button(picture(info, info.start), () => game.choose(measured(`klotski:${name}`, metric)),
        { class: "layout", "aria-label": layoutName(name), title: name, "aria-pressed": String(chosen) });
    }));
    [...grid.children].forEach((card, i) => card.append(el("span", {}, layoutName(game.family.boards[i]))));
  };
  const shown = el("details", { class: "more" }, el("summary", {}, "All layouts"), grid);
  shown.addEventListener("toggle", () => shown.open && grid.children.length === 0 && game.attempt(async () => {
    try {
      await fill();
    } catch (error) {
      previews = null;
      throw error;
    }
  }));
  return shown;
}

/** A custom layout, from a text. */
function own(game, metric) {
  const text = String(game.file ?? keptFile(OWN) ?? "BAAC\nBAAC\nDEEF\nDGHF\nI..J\n");
  const area = el("textarea", { rows: 7, spellcheck: "false", "aria-label": "Layout" });
  area.value = text.replaceAll("/", "\n");
  const use = () => game.attempt(async () => {
    const puzzle = measured(OWN, metric);
    await post("/api/puzzle", { puzzle, file: area.value });
    remember(game.kind, null, puzzle);
    game.choose(puzzle, area.value);
  });
  return el("details", { class: "own", open: Boolean(game.info?.puzzle.startsWith(OWN)) },
    el("summary", {}, "A custom layout"),
    el("p", { class: "promise" }, "One letter for each block, a dot for an empty cell; one block is 2 x 2. On a board other"
      + " than 5 x 4 a line such as “goal 3,1” names the row and column, from 0, where its upper left cell has to go."),
    area, el("div", { class: "row" }, button("Use this layout", use)));
}

/** Layouts besides the one that is played. */
const others = (game, metric) => [gallery(game, metric), own(game, metric)];

const kind = {
  name: "klotski",
  fallback: "klotski:classic",
  view: (game) => new View(game),
  looks: (puzzle) => `${plain(puzzle)}:move`,
  counters,
  describe,
  unit,
  chooser(game) {
    const metric = game.info?.board.metric ?? "step";
    const puzzle = plain(game.info?.puzzle ?? kind.fallback);
    const names = game.family.boards.map((name) => [`klotski:${name}`, layoutName(name)]);
    const other = puzzle.startsWith(OWN) ? "custom" : puzzle.slice("klotski:".length);
    if (!names.some(([text]) => text === puzzle)) names.push([puzzle, other]);
    return [
      choice("Layout", names, puzzle, (value) => game.choose(measured(value, metric))),
      choice("Solve in", METRICS, metric, (value) => measure(game, value)),
      // Where nothing can be played, these are all there is.
      ...(game.info ? [] : others(game, metric)),
    ];
  },
  extras: (game) => others(game, game.info.board.metric),
  title: ({ puzzle }) => `Klotski: ${plain(puzzle).startsWith(OWN) ? "custom layout" : layoutName(plain(puzzle).slice("klotski:".length))}`,
  solvesQuickly: true,
  atGoal: "At the exit.",
  words: (state) => [...blocks(state)].map(([letter, { row, column, width, height }]) =>
    `Block ${letter}, ${width} by ${height}, row ${row + 1}, column ${column + 1}`).join("; "),
  help: {
    goal: "Bring the large block to the exit. Blocks slide into free cells; they never turn and never jump.",
    controls: "Drag a block along any free way, or click it and then the place where it is to go. Steps, slides and moves are counted.",
    keys: [["a block's letter", "chooses the block"], ["arrows", "move it by one cell"], ["Escape", "chooses none"]],
  },
  solvedWords(made) {
    if (made.length === 0) return "Solved: the large block is at the exit.";
    const [step, slide, move] = counters(made).map(([, count]) => count);
    return `Solved: the large block is at the exit, after ${plural(step, "step", "steps")}, which are`
      + ` ${plural(slide, "slide", "slides")} or ${plural(move, "move", "moves")}.`;
  },
  // Blocks keep the letters that they were given.
  start: ({ file }) => file?.split(/[\n/]/).map((line) => line.trim()).filter((line) => line && !/^(goal\b|#)/.test(line)).join("/"),
};

export const open = (root, parameters) => new Game(root, kind, parameters);

/** A still picture of a position. */
export function picture(info, state) {
  const still = new Picture(info);
  still.draw(state);
  return still.board.still();
}
