// The three phases: onto a cycle through all cells, sorted there, off it again. Each is a film; and they are compared
// with the shortest solution that is known.

import { button, choice, el, grouped, plural } from "./dom.js";

/** The phases: what their buttons say, and what they do. */
const PHASES = [
  ["1 Align", "Phase 1 places every gourd along the cycle"],
  ["2 Sort", "Phase 2 brings the gourds into their order on the cycle, the right way round"],
  ["3 Place", "Phase 3 leaves the cycle for the solved placement"],
];
const SORTS = [["insertion", "insertion sort"], ["bubble", "bubble sort"], ["divide", "divide and conquer, O(n²)"]];

const total = (plan) => plan.phases.reduce((sum, phase) => sum + phase.moves.length, 0);

export class Phases {
  constructor(game) {
    this.game = game;
    this.sort = "insertion";
    this.begin(null);
    this.buttons = PHASES.map(([text, title], number) =>
      button(text, () => this.run(number), { title, "data-phase": number + 1 }));
    this.all = button("All three", () => this.run(null), { title: "One film of all phases", "data-phase": "all" });
    this.compared = button("Compare lengths", () => this.compare(),
      { title: "Every sort, and the shortest solution known" });
    this.note = el("p", { class: "promise", role: "status" });
    this.table = el("div", { class: "lengths" });
    this.element = el("section", { class: "phases", "aria-label": "Phases" },
      el("h2", {}, "Solve in three phases"),
      el("div", { class: "row" }, choice("Sort by", SORTS.map(([name]) => name), this.sort, (sort) => {
        this.sort = sort;
        this.refresh();
      })),
      el("div", { class: "row" }, this.buttons, this.all, this.compared), this.note, this.table);
    this.refresh();
  }

  /** Plans, refusals and lengths are all from one position on. */
  begin(state) {
    this.start = state;
    this.plans = {};
    this.refused = {};
    this.shortest = null;
  }

  /** The position on the board, in a film or in the game. */
  get state() {
    const { film } = this.game;
    return film ? film.states[film.at] : this.game.state;
  }

  get plan() {
    return this.plans[this.sort];
  }

  /** A phase can be run if the position is where it begins; the first one always, because it makes a new plan. */
  refresh() {
    const { state, game } = this;
    const possible = Boolean(game.info.board.proper && state);
    // A position that no plan leads through, for example after a move by hand: everything begins anew.
    if (state !== this.start && !Object.values(this.plans).some((plan) => plan.states.has(state))) this.begin(null);
    const { plan } = this;
    const next = plan ? plan.phases.findIndex((phase) => phase.states[0] === state && phase.moves.length > 0) : 0;
    this.buttons.forEach((button, number) => {
      button.disabled = !possible || (number > 0 && plan?.phases[number].states[0] !== state);
      button.classList.toggle("main", possible && number === next && !button.disabled);
    });
    this.all.disabled = this.compared.disabled = !possible;
    this.note.hidden = possible && Boolean(plan);
    this.note.textContent = game.info.board.proper
      ? "Gourds are placed along a cycle through all cells, sorted on it, and put in their places."
      : "Only a proper board has phases: one without a cut cell or a hole, and not the Star of David.";
    this.tabulate();
  }

  /** Computes the phases from the position on the board; nothing if that was stopped or came too late. */
  async ask(sort) {
    const { game } = this;
    const state = game.state;
    if (state !== this.start) this.begin(state);
    if (this.plans[sort]) return this.plans[sort];
    const found = await game.busy({ do: "phases", ...game.subject({ state, sort }) }, `Planning three phases, by ${sort}`);
    if (!found || state !== game.state) return null;
    const states = new Set(found.phases.flatMap((phase) => phase.states));
    return (this.plans[sort] = { states, ...found });
  }

  /** Shows a film of one phase, or of all. A film that is shown is taken over first. */
  run(number) {
    return this.game.attempt(async () => {
      const { game } = this;
      if (game.film) await game.takeOver();
      const plan = number > 0 ? this.plan : await this.ask(this.sort);
      if (!plan) return;
      game.view.cycle(plan.cycle);
      game.view.reveal("cycle", true);
      this.refresh();
      const phases = number === null ? plan.phases : [plan.phases[number]];
      const moves = phases.flatMap((phase) => phase.moves);
      const states = phases.flatMap((phase, i) => (i === 0 ? phase.states : phase.states.slice(1)));
      if (moves.length === 0) return game.say(`${PHASES[number ?? 2][0]}: nothing is left to do.`);
      this.watch(states, moves, number === null ? "All three phases" : PHASES[number][1], number === null || number === 2);
    });
  }

  /** A film whose every position says which phases can be run from it. */
  watch(states, moves, label, last) {
    const { game } = this;
    game.endFilm();
    game.result.replaceChildren(el("p", { class: "found" }, `${label}: ${plural(moves.length, "move", "moves")}.`));
    const film = game.watch(states, moves, label, false);
    const seen = film.seen;
    film.seen = (number) => {
      seen(number);
      if (!last) game.stage.classList.remove("solved");
      if (number === 0 || film.ended || !film.playing) this.refresh();
    };
    film.play();
  }

  /** Every sort and the shortest solution known, from the position on the board. */
  compare() {
    return this.game.attempt(async () => {
      const { game } = this;
      if (game.film) await game.takeOver();
      const state = game.state;
      for (const [sort] of SORTS) {
        try {
          if (!(await this.ask(sort))) return;
        } catch (error) {
          // Not every board has a place where each sort can work.
          this.refused[sort] = error.message.replace(/, so this solver .*/s, ".");
        }
        this.refresh();
      }
      const found = await game.busy({ do: "solve", ...game.subject({ state }) }, "Looking for a short solution");
      if (!found || state !== game.state) return;
      this.shortest = found;
      this.refresh();
    });
  }

  /** The lengths side by side. */
  tabulate() {
    const plans = SORTS.filter(([sort]) => this.plans[sort] || this.refused[sort]);
    this.table.replaceChildren();
    if (plans.length === 0) return;
    const row = ([sort, text]) => el("tr", { "data-way": sort }, el("th", { scope: "row" }, text), this.plans[sort]
      ? [...this.plans[sort].phases.map((phase) => el("td", {}, grouped(phase.moves.length))),
        el("td", {}, el("b", {}, grouped(total(this.plans[sort]))))]
      : el("td", { class: "how", colspan: 4 }, this.refused[sort]));
    this.table.append(el("table", {},
      el("thead", {}, el("tr", {}, ["", "1", "2", "3", "moves"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, plans.map(row), this.shortest && this.best())));
  }

  best() {
    const { length, optimal, bound, solver } = this.shortest;
    const how = length === null ? "none found" : optimal ? "proven optimal"
      : `not proven optimal${bound > 1 ? `: at least ${bound}` : ""}`;
    return el("tr", { "data-way": "shortest", title: `Solver ${solver}` }, el("th", { scope: "row" }, "shortest known"),
      el("td", { class: "how", colspan: 3 }, how), el("td", {}, el("b", {}, length === null ? "–" : grouped(length))));
  }
}
