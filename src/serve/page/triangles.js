// Triangles: a table with a pile and a board. The game file is the whole state of a game; the server says what each
// action makes of it, and this module keeps the files that were reached, so that a step can be taken back and nothing
// is lost when the page is left.

import { family, post } from "./api.js";
import { button, choice, download, el, upload } from "./dom.js";
import { Film } from "./film.js";
import { placements, remember, remembered, title, withState } from "./triangles-games.js";
import { View } from "./triangles-view.js";
import { CARRIED, PuzzleView, loadedAgain } from "./puzzle-view.js";

export { picture } from "./triangles-draw.js";

const FALLBACK = "triangles:sample";
/** The number of steps of a game that are remembered. */
const STEPS = 200;
/** How long a piece flies, in milliseconds. */
const FLIGHT = 220;
const HINT_FLIGHT = 600;

const KEYS = [
  ["arrows", "go from cell to cell"],
  ["Enter", "places the current piece there, or takes the piece off"],
  ["c", "turns the piece in the cell"],
  ["n, p", "next and previous piece of the pile"],
  ["t", "turns the current piece of the pile"],
  ["u, r", "undo, redo"],
  ["?", "hint"],
];

class Table extends PuzzleView {
  constructor(root, parameters) {
    super("triangles");
    this.hand = el("div", { class: "hand" });
    this.furnish(root, this.hand, this.makeControls(), this.work.element, this.result, this.choosing,
      el("details", {}, el("summary", {}, "How to play"),
        el("p", {}, "Fill the board so that wherever two pieces touch, the letters at the edge are the same, one upper-case and ",
          "one lower-case: the two halves make a whole. Edges at the rim are free. Pieces may be turned, never reflected."),
        el("p", {}, "Drag a piece from the pile to a cell, or click it and then the cell: it is turned so that it fits, and ",
          "refused if it fits in no way. Click a piece to turn it. Drag it to another cell, or off the board to take it off."),
        el("dl", { class: "keys" }, KEYS.map(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)]).flat())));
    this.files = [];
    this.enable();
    this.begin(parameters);
  }

  // ---- games

  async begin(parameters) {
    this.puzzle = parameters.get("puzzle") ?? remembered()?.puzzle ?? FALLBACK;
    this.title.textContent = title(this.puzzle);
    try {
      this.boards = (await family("triangles")).boards;
      if (this.closed) return;
      if (!this.puzzle.startsWith("triangles:")) throw new Error(`${this.puzzle} is a puzzle of another view.`);
      this.offerBoards();
      const view = await this.first(parameters.get("state"), parameters.get("file"));
      if (this.closed) return;
      this.view = new View(view, this.handlers());
      const current = remembered(this.puzzle)?.current;
      if (view.pile.some(({ piece }) => piece === current)) this.view.choose(current);
      this.stage.replaceChildren(this.view.board.element);
      this.hand.replaceChildren(this.view.pile);
      this.setView(view);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** The view to begin with: a position from the address, the game that was left, or a new one. */
  async first(state, file) {
    const saved = remembered(this.puzzle);
    // A page that is loaded again shows the game as it was left, even if the address lagged behind it.
    const left = saved && loadedAgain();
    if (file !== null && !left && file !== saved?.files[saved.at]) {
      // A game that was sent: one more step of the game that was left here, if there is one.
      const view = await this.ask({ do: "look" }, file);
      this.files = [...(saved?.files.slice(0, saved.at + 1) ?? []), view.file].slice(-STEPS);
      this.at = this.files.length - 1;
      return view;
    }
    if (saved && (left || state === null)) {
      try {
        const view = await this.ask({ do: "look" }, saved.files[saved.at]);
        [this.files, this.at] = [saved.files, saved.at];
        return view;
      } catch (error) {
        this.refuse(error);
      }
    }
    if (this.puzzle.includes("@")) {
      throw new Error("This game came from a file and is not remembered here: load the file again.");
    }
    let view = await post("/api/triangles", { puzzle: this.puzzle, action: { do: "look" } });
    if (state !== null) {
      view = await this.ask({ do: "look" }, withState(view, state));
    }
    this.files = [view.file];
    this.at = 0;
    return view;
  }

  ask(action, file = this.files[this.at]) {
    return post("/api/triangles", { file, action });
  }

  newGame() {
    return this.attempt(async () => {
      const random = await post("/api/scramble", { puzzle: FALLBACK });
      this.choose(random.puzzle);
    });
  }

  // ---- what is done

  /** Takes a view of the table as where the game is now. */
  setView(view) {
    this.now = view;
    this.save();
    this.stage.classList.toggle("solved", view.solved);
    this.count(view);
    const clash = view.cells.some((cell) => cell.conflict);
    const words = view.solved ? "Solved: every edge matches." : clash ? "Some pieces do not match: they are marked."
      : view.placed === 0 ? "Drag a piece to a cell, or click a cell: the current piece is placed there." : "";
    this.say(view.message ?? words, view.solved ? "good" : clash ? "bad" : "");
    this.enable();
  }

  count(view) {
    this.tell([["placed", view.placed, ` of ${view.cells.length}`], ["in the pile", view.pile.length]]);
  }

  /** Goes on to a view: one more step of the game. */
  async reach(view, milliseconds) {
    this.files = [...this.files.slice(0, this.at + 1), view.file].slice(-STEPS);
    this.at = this.files.length - 1;
    this.setView(view);
    const step = this.view.step(null, view, "", milliseconds);
    // The current piece may be another one now.
    this.save();
    await step;
  }

  act(action, then = () => {}) {
    return this.queue(async () => {
      this.closeFilm();
      this.view.highlight([]);
      const view = await this.ask(action);
      if (this.closed) return;
      const before = this.now;
      await this.reach(view, FLIGHT);
      then();
      if (!view.solved || before.solved) return;
      this.say(`Well done! All ${view.cells.length} pieces lie on the board, and every edge matches.`, "good");
    });
  }

  handlers() {
    return {
      // A film can be touched when it has ended: then the game continues.
      free: () => this.film?.ended || !this.filming(),
      place: (piece, cell) => this.place(piece, cell),
      move: (from, cell) => this.act({ do: "move", from, cell }, () => this.view.point(cell)),
      take: (cell) => this.take(cell),
      turn: (piece) => this.act({ do: "turn", piece }),
      chosen: () => this.save(),
      press: (cell) => {
        this.view.point(cell);
        this.enable();
        if (this.now.cells[cell].piece !== null) this.act({ do: "turn", cell });
        else if (this.view.current !== null) this.place(this.view.current, cell);
      },
    };
  }

  place(piece, cell) {
    return this.act({ do: "place", piece, cell }, () => this.view.point(cell)).then(() => this.enable());
  }

  /** Takes a piece off; it is the current one then, because the user probably wants to place it elsewhere. */
  take(cell) {
    const { piece } = this.now.cells[cell];
    return this.act({ do: "take", cell }, () => {
      this.view.choose(piece);
      this.enable();
    });
  }

  /** Goes to a step of the game; which one is asked when its turn has come. */
  go(where) {
    return this.queue(async () => {
      const number = where();
      if (number < 0 || number >= this.files.length) return;
      this.closeFilm();
      this.view.highlight([]);
      const view = await this.ask({ do: "look" }, this.files[number]);
      if (this.closed) return;
      this.at = number;
      this.setView(view);
      await this.view.step(null, view, "", FLIGHT);
    });
  }

  // ---- what the computer does

  /** Starts a task about the board; its result is a view, or nothing if the game went on meanwhile. */
  async compute(what, sentence) {
    this.closeFilm();
    const file = this.files[this.at];
    this.say("");
    this.view.highlight([]);
    const view = await this.work.run({ do: what, file }, sentence);
    return !this.closed && view && file === this.files[this.at] ? view : null;
  }

  hint() {
    return this.attempt(async () => {
      const before = this.now;
      const view = await this.compute("hint", "Looking for a solution");
      if (!view) return;
      this.stage.scrollIntoView({ block: "nearest" });
      await this.reach(view, HINT_FLIGHT);
      this.view.highlight(view.cells.flatMap((cell, i) => (cell.letters !== before.cells[i].letters ? [cell.piece] : [])));
    });
  }

  /** The solved board is the next step of the game at once; the placement is shown as a film. */
  solve() {
    return this.attempt(async () => {
      const before = this.now;
      const view = await this.compute("finish", "Solving");
      if (!view) return;
      this.files = [...this.files.slice(0, this.at + 1), view.file].slice(-STEPS);
      this.at = this.files.length - 1;
      this.setView(view);
      this.stage.classList.remove("solved");
      const [states, names] = placements(before, view);
      this.film = new Film(this.view, states, names, {
        label: "Solution",
        seen: (number) => {
          this.count(states[number]);
          this.stage.classList.toggle("solved", number === names.length);
          this.say(number === names.length ? view.message : "", "good");
        },
      });
      this.film.element.append(el("div", { class: "row" },
        button("Keep the solution", () => this.closeFilm()),
        button("Back to my board", () => this.undo())));
      this.deck.replaceChildren(this.film.element);
      this.result.replaceChildren(this.film.list);
      this.enable();
      this.stage.scrollIntoView({ block: "nearest" });
      this.film.play();
    });
  }

  /** The film ends; the board is as the game has it. */
  closeFilm() {
    if (!this.film) return;
    this.film.pause();
    this.film = null;
    this.deck.replaceChildren();
    this.result.replaceChildren();
    this.view.show(this.now);
    this.count(this.now);
    this.stage.classList.toggle("solved", this.now.solved);
    this.enable();
  }

  // ---- what is shown around the board

  makeControls() {
    this.buttons = {
      fresh: button("New game", () => this.newGame(), { title: "A random game" }),
      clear: button("Start over", () => this.act({ do: "clear" }), { title: "Take all pieces off the board" }),
      undo: button("Undo", () => this.undo()),
      redo: button("Redo", () => this.redo()),
      take: button("Take off", () => this.take(this.view.cursor), { title: "Take the marked piece off the board" }),
      hint: button("Hint", () => this.hint()),
      solve: button("Let the computer solve it", () => this.solve(), { class: "main" }),
    };
    const { fresh, clear, undo, redo, take, hint, solve } = this.buttons;
    return el("div", { class: "controls" },
      el("div", { class: "row" }, undo, redo, take, clear),
      el("div", { class: "row" }, hint, solve, fresh),
      el("div", { class: "row small" }, this.sharer(),
        button("Save to a file", () => this.saveFile()),
        button("Load from a file", () => upload((text, name) => this.loadFile(text, name)))));
  }

  /** Other boards, and games by their seeds. */
  offerBoards() {
    const names = [...new Set(["sample", ...this.boards])].map((name) => [`triangles:${name}`, name]);
    if (!names.some(([puzzle]) => puzzle === this.puzzle)) {
      names.push([this.puzzle, title(this.puzzle).replace("Triangles: ", "")]);
    }
    const seed = el("input", { type: "text", inputmode: "numeric", size: 8, "aria-label": "Seed", placeholder: "seed" });
    this.offerChoice(
      choice("Board", names, this.puzzle, (puzzle) => this.choose(puzzle)),
      el("form", { class: "row", submit: (event) => {
        event.preventDefault();
        if (seed.value.trim()) this.write(`triangles:random:${seed.value.trim()}`);
      } }, el("label", { class: "choice" }, el("span", {}, "Random game with seed"), seed), el("button", {}, "Play")));
  }

  enable() {
    const { clear, undo, redo, take, hint, solve } = this.buttons;
    const { placed = 0, solved = true } = this.now ?? {};
    const cursor = this.view?.cursor ?? null;
    undo.disabled = this.at === 0;
    redo.disabled = this.at + 1 >= this.files.length;
    clear.disabled = placed === 0;
    take.disabled = cursor === null || !this.now || this.now.cells[cursor].piece === null;
    hint.disabled = solve.disabled = solved;
  }

  /** What was carried goes back, too. */
  refuse(error) {
    super.refuse(error);
    this.view?.putBack();
  }

  // ---- keeping

  /** The address of the table: its game file is all of it. */
  here() {
    const file = this.files[this.at];
    return file === undefined ? null : this.address(this.puzzle, { file: file.length <= CARRIED ? file : null });
  }

  save() {
    this.settleAddress();
    remember({ puzzle: this.puzzle, files: this.files, at: this.at, current: this.view?.current ?? null });
  }

  saveFile() {
    if (this.now) download(`${this.puzzle.replace(/\.\w+$/, "").replace(/[^a-z0-9]+/gi, "-")}.txt`, this.files[this.at]);
  }

  /** A game from a file becomes the game; what cannot be read is refused and changes nothing. */
  loadFile(text, name = "file") {
    return this.attempt(async () => {
      if (text === null) throw new Error("This file is too large to be a game.");
      const { file } = await this.ask({ do: "look" }, text);
      const puzzle = `triangles:@${name}`;
      remember({ puzzle, files: [file], at: 0, current: null });
      this.choose(puzzle);
    });
  }

  // ---- the shell

  key(event) {
    if (!this.view) return false;
    if (this.film && !this.film.ended) return this.film.key(event);
    const { view } = this;
    if (event.key.startsWith("Arrow")) {
      this.closeFilm();
      view.point(view.beside(event.key));
      // Else Enter would press the button that was clicked last.
      view.board.element.focus({ preventScroll: true });
      const { row, column, letters } = this.now.cells[view.cursor];
      this.say(`Row ${row}, column ${column}: ${letters ?? "empty"}.`);
      this.enable();
      return true;
    }
    const { cursor } = view;
    const filled = cursor !== null && this.now.cells[cursor].piece !== null;
    const keys = {
      Enter: () => (filled ? this.take(cursor) : cursor !== null && view.current !== null && this.place(view.current, cursor)),
      Delete: () => filled && this.take(cursor),
      c: () => cursor !== null && this.act({ do: "turn", cell: cursor }),
      t: () => view.current !== null && this.act({ do: "turn", piece: view.current }),
      n: () => view.flip(1), p: () => view.flip(-1),
      u: () => this.undo(), Backspace: () => this.undo(), r: () => this.redo(), "?": () => this.hint(),
    };
    keys[" "] = keys.Enter;
    keys[event.key]?.();
    return event.key in keys;
  }
}

export const open = (root, parameters) => new Table(root, parameters);
