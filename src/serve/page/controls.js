// The buttons of a game, and the choice of a solver. What makes no sense now cannot be pressed.

import { button, check, choice, el, sentence, upload } from "./dom.js";

export class Controls {
  constructor(game) {
    this.game = game;
    this.buttons = {
      scramble: button("Scramble", () => game.scramble(), { title: "A random position" }),
      restart: button("Restart", () => game.go(() => game.base), { title: "Back to where this game began" }),
      undo: button("Undo", () => game.undo()),
      redo: button("Redo", () => game.redo()),
      hint: button("Hint", () => game.hint()),
      solve: button("Solve", () => game.solve(), { class: "main" }),
    };
    const { scramble, restart, undo, redo, hint, solve } = this.buttons;
    this.solvers = el("span", { class: "row" });
    this.element = el("div", { class: "controls" },
      el("div", { class: "row" }, scramble, restart, undo, redo),
      el("div", { class: "row" }, hint, solve, this.solvers),
      el("div", { class: "row small" },
        game.sharer(),
        button("Save to a file", () => game.saveFile()),
        button("Load from a file", () => upload((text) => game.loadFile(text)))));
  }

  /** Which solver is used, and whether the moves are wanted. */
  offer(solvers) {
    this.solver = null;
    if (solvers.length === 0) {
      return this.solvers.replaceChildren(el("p", { class: "promise" }, "No solver of this program can help on this board yet."));
    }
    const names = solvers.map(({ name }) => name);
    this.solver = names[0];
    this.short = false;
    const promise = el("p", { class: "promise" }, solvers[0] ? sentence(solvers[0].promise) : "");
    this.solvers.replaceChildren(
      choice("Solver", names, this.solver, (name) => {
        this.solver = name;
        promise.textContent = sentence(solvers.find((solver) => solver.name === name).promise);
      }),
      check("length only", false, (short) => { this.short = short; }),
      promise);
  }

  refresh() {
    const held = document.activeElement;
    this.enable();
    // A button that can no longer be pressed hears no keys: they are for the board then.
    if (held?.disabled && this.element.contains(held)) this.game.stage.focus({ preventScroll: true });
  }

  enable() {
    const { scramble, restart, undo, redo, hint, solve } = this.buttons;
    const { game } = this;
    scramble.disabled = !game.info;
    restart.disabled = game.at === game.base;
    undo.disabled = !game.has(game.at - 1);
    redo.disabled = !game.has(game.at + 1);
    solve.disabled = Boolean(game.invalid) || !game.state || !this.solver;
    hint.hidden = solve.hidden = Boolean(game.info) && !this.solver;
    hint.disabled = solve.disabled || game.film !== null;
  }
}
