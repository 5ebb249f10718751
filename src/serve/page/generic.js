// The view of every kind that has no view of its own: the board as text, the moves as buttons. It needs nothing but the
// server's API, so it works for any kind: `#/pancake?puzzle=pancake:7`, or `#/generic?puzzle=tiles:3x3` for a kind that
// also has another view.

import { family, get } from "./api.js";
import { button, choice, el, field, upload } from "./dom.js";
import { Game } from "./game.js";
import { drawings } from "./pictures.js";

/** The number of drawings kept before all are dropped. */
const KEPT = 500;

class View {
  constructor(game) {
    this.game = game;
    this.drawn = new Map();
    this.picture = el("pre", { class: "drawing", tabindex: "0", role: "img", "aria-label": "Board" });
    this.moves = el("div", { class: "offers", role: "group", "aria-label": "Legal moves" });
    this.board = {
      element: el("div", { class: "generic" }, this.picture, this.moves), finish() {},
      describe: (words) => this.picture.setAttribute("aria-label", words),
    };
    this.shown = null;
  }

  /** Draws a state; if another one is wanted before the drawing is there, that one is drawn. */
  async show(state) {
    this.shown = state;
    try {
      if (!this.drawn.has(state)) {
        if (this.drawn.size >= KEPT) this.drawn.clear();
        this.drawn.set(state, (await drawings(this.game.subject(), [state]))[0]);
      }
      if (this.shown !== state) return;
      this.picture.textContent = this.drawn.get(state);
    } catch (error) {
      if (this.shown === state && !this.game.closed) this.game.refuse(error);
    }
  }

  step(from, to) {
    return this.show(to);
  }

  offer(moves) {
    this.moves.replaceChildren(...moves.map((move) => button(move.name, () => this.game.play(move), { "data-move": move.name })));
  }

  hint(found) {
    for (const move of this.moves.children) move.classList.toggle("hinted", move.dataset.move === found.moves[0]);
  }

  /** The key that is the name of a move makes it. */
  key(event, moves) {
    return (event.key.length === 1 && this.game.postpone(event)) || moves.find((move) => move.name === event.key);
  }
}

/** A family of puzzles, as the server describes it, in this view; `view` is the view's name in the address. */
function kindOf({ name, about, examples, boards }, view) {
  const texts = [...new Set([...examples, ...boards.map((board) => `${name}:${board}`)])].filter((text) => !text.includes("@"));
  return {
    name,
    view: (game) => new View(game),
    address: view,
    store: view === name ? name : `${view}:${name}`,
    fallback: texts[0],
    ownMoves: true,
    chooser(game) {
      const puzzle = game.info?.puzzle ?? "";
      const listed = texts.includes(puzzle) ? texts : [puzzle, ...texts];
      return [
        choice("Puzzle", listed, puzzle, (text) => game.choose(text)),
        field("Text", puzzle, "Open", (text) => game.write(text)),
        game.family.grammar.includes("@")
          && button("Open a puzzle file", () => upload((text, file) => game.write(`${name}:@${file}`, text ?? ""))),
      ].filter(Boolean);
    },
    extras: (game) => el("p", { class: "promise" }, `One move is: ${game.info.metric}.`),
    help: {
      goal: `${about.split("\n")[0]} The fewest moves to a solved position are its distance.`,
      controls: "Press the button of a move below the board.",
      keys: [["a move's name", "makes it, where it is a single character"]],
    },
  };
}

/** Opens the view for a kind, or for the kind of the puzzle in the address. */
export async function open(root, parameters, view) {
  const known = view === "generic" ? null : await family(view);
  const name = known?.name ?? parameters.get("puzzle")?.split(":")[0];
  const found = known ?? (await family(name ?? "")) ?? (name ? null : (await get("/api/kinds"))[0]);
  if (!found) throw new Error(`“${name}” is not a kind of puzzle.`);
  return new Game(root, kindOf(found, view), parameters);
}
