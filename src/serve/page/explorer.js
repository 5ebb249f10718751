// The explorer: how far the position is, and what each legal move makes of that, read off the puzzle's table of distances;
// and the class of the position, as pictures. One for all puzzles.

import { Unreachable, post, task } from "./api.js";
import { button, command, el, grouped } from "./dom.js";
import { pictures } from "./pictures.js";
import { keep, kept } from "./storage.js";

/** A position is asked about when it has lasted for so long, in milliseconds. */
const PATIENCE = 80;

/** The number of moves that are listed. */
const LISTED = 200;

const OPEN = "godnum:explorer";

/** What a move does to the distance. */
const WAYS = [["nearer", "Nearer"], ["same", "Same distance"], ["farther", "Farther"]];

export class Explorer {
  constructor(game) {
    this.game = game;
    this.distance = el("p", { class: "distance", role: "status" });
    this.list = el("div", { class: "ways" });
    this.more = el("div", {});
    this.classes = el("div", { class: "class-members" });
    this.element = el("details", { class: "explorer", open: kept(OPEN) ?? true, hidden: true, toggle: () => {
      keep(OPEN, this.element.open);
      this.ask();
    } }, el("summary", {}, "Explorer: distances of the moves"), this.distance, this.list, this.more,
    el("div", { class: "row" }, button("Show the class", () => this.showClass(),
      { title: "The positions that symmetries turn into each other" }), el("a", { href: "#/glossary" }, "What do these words mean?")),
    this.classes);
    this.building = null;
  }

  /** Says nothing for now. */
  clear() {
    clearTimeout(this.wait);
    this.asked = null;
    this.fallback?.stop();
    this.fallback = null;
    this.distance.textContent = this.game.film ? "Close the film to see the distances again" : "";
    this.distance.dataset.for = "";
    this.list.replaceChildren();
    this.more.replaceChildren();
    this.classes.replaceChildren();
  }

  /** Asks about the game's position and its moves; a question before that is dropped. */
  ask() {
    clearTimeout(this.wait);
    this.fallback?.stop();
    const { game } = this;
    const { look, state } = game;
    if (this.distance.dataset.for !== state) {
      this.classes.replaceChildren();
      this.element.classList.add("old");
    }
    if (!look || game.film || game.invalid || game.info.question === "solutions") return;
    this.element.hidden = false;
    if (!this.element.open) return;
    const asked = (this.asked = {});
    this.wait = setTimeout(async () => {
      try {
        const moves = look.moves.slice(0, LISTED);
        const found = await post("/api/distances", game.subject({ states: [state, ...moves.map((move) => move.state)] }));
        if (asked === this.asked && state === game.state && !game.film) this.show(state, moves, found);
      } catch (error) {
        if (asked === this.asked && !(error instanceof Unreachable)) this.distance.textContent = error.message;
      }
    }, PATIENCE);
  }

  show(state, moves, { table, classes, command: text, found }) {
    this.element.classList.remove("old");
    this.distance.dataset.for = state;
    this.list.replaceChildren();
    this.more.replaceChildren();
    if (!found) return this.missing(state, table, classes, text);
    const [here, ...there] = found.distances;
    this.distance.textContent = this.words(here, found);
    if (here.moves === undefined && here.at_least === undefined) return;
    const groups = new Map(WAYS.map(([way]) => [way, []]));
    const value = (distance) => distance.moves ?? distance.at_least;
    there.forEach((distance, i) => {
      if (value(distance) === undefined) return;
      const by = value(distance) - value(here);
      groups.get(by < 0 ? "nearer" : by > 0 ? "farther" : "same").push([moves[i], distance]);
    });
    this.list.replaceChildren(...WAYS.filter(([way]) => groups.get(way).length > 0).map(([way, title]) =>
      el("div", { class: `way ${way}` }, el("h2", {}, `${title} (${groups.get(way).length})`),
        el("div", { class: "offers" }, groups.get(way).map(([move, distance]) => this.offer(move, distance, title))))));
  }

  offer(move, distance, title) {
    const { game } = this;
    const far = distance.moves ?? `${distance.at_least}+`;
    const words = game.moveWords(move.name, game.state).replace(/\.$/, "");
    return button([el("b", {}, move.name), ` ${far}`], () => game.play(game.look.moves.find(({ name }) => name === move.name)),
      { "data-move": move.name, "data-distance": far, title: `${words}: ${far} to go`, "aria-label": `${words}. ${title}: ${far} to go` });
  }

  /** How far the position is, in words. */
  words(here, { last, finished }) {
    const { game } = this;
    if (here.moves === 0) return game.kind.atGoal ?? "Solved: 0 moves to go";
    if (here.moves === undefined && here.at_least === undefined) return "This position cannot be solved";
    if (here.moves === undefined) return `At least ${game.many(here.at_least)} to go: the job does not have more levels yet`;
    const hardest = !finished ? "" : here.moves === last ? "; no position is farther" : `; the hardest positions need ${grouped(last)}`;
    return `${game.many(here.moves)} to go${hardest}`;
  }

  /** There is no table yet. A small one is built at once, a larger one if it is asked for. */
  missing(state, table, classes, text) {
    this.distance.textContent = "";
    const size = classes ? ` (${grouped(classes)} classes)` : "";
    if (table === "quick") return this.build();
    if (table === "slow") {
      this.more.replaceChildren(el("p", { class: "promise" }, `The distances are known once the table of this puzzle is built${size}.`),
        button("Build the table", () => this.build()));
    } else if (table === "large") {
      this.more.replaceChildren(el("p", { class: "promise" },
        `The table of this puzzle${size} is too large to be built from the page. When this has run, the distances are shown here:`), command(text));
    } else if (this.game.kind.solvesQuickly) this.search(state);
    else this.more.replaceChildren(el("p", { class: "promise" }, "There is no table of distances for this puzzle."));
  }

  /** Builds the table; other tabs that need the same wait for it. */
  async build() {
    const { game } = this;
    if (this.building || game.closed) return;
    this.more.replaceChildren(el("p", { class: "promise" }, "Building the table of distances …"));
    const body = { do: "positions", puzzle: game.info.puzzle, level: 0, count: 1 };
    this.building = task(body, (now) => {
      if (now.progress && !game.closed) this.more.replaceChildren(el("p", { class: "promise" }, `${now.progress} …`));
    });
    try {
      const built = await this.building.done;
      this.more.replaceChildren(...(built ? [] : [el("p", { class: "promise" }, "Stopped.")]));
      if (built && !game.closed) this.ask();
    } catch (error) {
      this.more.replaceChildren(el("p", { class: "bad" }, error.message));
    } finally {
      this.building = null;
    }
  }

  /** Without a table, where a solver is quick. */
  async search(state) {
    const { game } = this;
    const asked = (this.fallback = task({ do: "solve", ...game.subject({ state, length_only: true, seconds: 20 }) }));
    const found = await asked.done.catch((error) => ({ error }));
    if (this.fallback !== asked || game.closed) return;
    this.fallback = null;
    if (found?.error) this.distance.textContent = found.error instanceof Unreachable ? "" : found.error.message;
    else if (typeof found?.length === "number") {
      this.distance.textContent = found.length === 0 ? game.kind.atGoal ?? "Solved: 0 moves to go"
        : `${game.many(found.length)} to go${found.optimal ? "" : " at most"}`;
    }
  }

  /** The positions that are one with this. */
  showClass() {
    const { game } = this;
    return game.attempt(async () => {
      const { state, info } = game;
      if (!state) return;
      const found = await post("/api/class", game.subject({ state }));
      if (game.closed || state !== game.state) return;
      const shown = found.states.length;
      if (shown === 0) {
        const words = found.order > 1 ? `The symmetry group of this puzzle has order ${grouped(found.order)}; its page cannot list a class.`
          : "This puzzle has no symmetries: every position is a class of its own.";
        return this.classes.replaceChildren(el("p", { class: "promise" }, words));
      }
      const words = found.size === 1 ? "This position is alone in its class: every symmetry of the puzzle leaves it as it is."
        : `These ${found.size} positions are one class: symmetries turn them into each other, so all need the same number of moves, and only one is stored.`
          + (shown < found.size ? ` The first ${shown} of them:` : "");
      const drawn = await pictures(info, found.states);
      if (state !== game.state) return;
      this.classes.replaceChildren(el("p", {}, words), el("div", { class: "pictures small-pictures" },
        drawn.map((picture, i) => el("figure", { "data-state": found.states[i] }, picture))));
    });
  }
}
