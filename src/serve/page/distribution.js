// One enumeration: its levels as a table and as a chart, and positions of a level as pictures.

import { get, post, text } from "./api.js";
import { VIEWS } from "./kinds.js";
import { button, choice, el, grouped, plural } from "./dom.js";

/** The number of positions of a level that are shown. */
const SHOWN = 12;

export class Distribution {
  /** `base` is where the server has it: `/api/jobs/NAME` or `/api/results/NAME`. Only jobs know their positions. */
  constructor(base, hasStates) {
    this.base = base;
    this.hasStates = hasStates;
    this.by = "states";
    this.log = false;
    this.level = null;
    this.levels = [];
    this.seen = null;
    this.finished = false;
    this.chart = el("div", { class: "chart", tabindex: "0" });
    this.body = el("tbody");
    this.states = el("div", { class: "states" });
    this.levelChoice = el("span", {});
    this.toggles = el("div", { class: "row" });
    this.showToggles();
    this.table = el("div", { class: "levels" },
      el("table", {}, el("caption", {}, "Levels"),
        el("thead", {}, el("tr", {}, ["level", "classes", "states"].map((name) => el("th", { scope: "col" }, name)))),
        this.body));
    this.element = el("div", { class: "distribution" },
      el("h3", {}, "Distribution"), this.toggles, this.chart, this.table,
      hasStates ? [el("h3", {}, "Positions"), el("div", { class: "row" }, this.levelChoice), this.states] : null);
  }

  showToggles() {
    const toggle = (name, pressed, click) => button(name, () => {
      click();
      this.showToggles();
      this.draw();
    }, { "aria-pressed": String(pressed) });
    this.toggles.replaceChildren(
      toggle("States", this.by === "states", () => { this.by = "states"; }),
      toggle("Classes", this.by === "classes", () => { this.by = "classes"; }),
      toggle("Logarithmic", this.log, () => { this.log = !this.log; }));
  }

  /** Shows what the server knows now. Nothing is done again that did not change. */
  update(detail) {
    this.puzzle = detail.puzzle;
    const { rows } = detail;
    const finished = detail.state === "finished" && !this.finished;
    this.finished ||= finished;
    const now = JSON.stringify(rows);
    if (now === this.seen) return finished && this.offer(rows);
    this.seen = now;
    this.levels = rows;
    this.body.replaceChildren(...rows.map(({ level, classes, states }) => el("tr", {},
      el("th", { scope: "row" }, this.hasStates
        ? button(String(level), () => this.choose(level), { title: `Show positions of level ${level}` })
        : String(level)),
      el("td", {}, grouped(classes)), el("td", {}, grouped(states)))));
    if (rows.length === 0) return this.chart.replaceChildren(el("p", { class: "soft" }, "There is no level yet."));
    // The last level is what most people come for.
    this.table.scrollTop = this.table.scrollHeight;
    this.draw();
    this.offer(rows);
  }

  /** Levels to choose from; the hardest positions are shown by themselves when all is known. */
  offer(rows) {
    if (!this.hasStates || rows.length === 0) return;
    const last = rows.at(-1).level;
    const levels = rows.map(({ level }) => level).reverse();
    this.levelChoice.replaceChildren(choice("Level", levels, this.level ?? last, (level) => this.choose(Number(level))));
    if (this.level !== null) return;
    if (this.finished) this.pick(last);
    else {
      this.states.replaceChildren(el("p", { class: "soft" },
        "The hardest positions are here when all is enumerated. Those of a level that is known can be chosen now."));
    }
  }

  async draw() {
    if (this.levels.length === 0) return;
    const asked = (this.asked = {});
    try {
      const answer = await text(`${this.base}/chart?by=${this.by}&log=${this.log ? 1 : 0}`);
      if (asked !== this.asked) return;
      const picture = document.importNode(new DOMParser().parseFromString(answer, "image/svg+xml").documentElement, true);
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", `The number of ${this.by} in each level`);
      this.chart.replaceChildren(picture);
      // On a narrow screen only a part of it is seen: that with the largest level.
      const counts = this.levels.map((row) => Number(row[this.by]));
      const peak = counts.indexOf(Math.max(...counts)) / counts.length;
      this.chart.scrollLeft = peak * this.chart.scrollWidth - this.chart.clientWidth / 2;
    } catch (error) {
      if (asked === this.asked) this.chart.replaceChildren(el("p", { class: "error" }, error.message));
    }
  }

  async choose(level) {
    const select = this.levelChoice.querySelector("select");
    if (select) select.value = String(level);
    await this.pick(level);
    this.states.scrollIntoView({ block: "nearest" });
  }

  /** Positions of a level, drawn if their puzzle can draw them. */
  async pick(level) {
    this.level = level;
    this.states.setAttribute("aria-busy", "true");
    try {
      const found = await get(`${this.base}/states?level=${level}&count=${SHOWN}`);
      const { puzzle } = found;
      const kind = puzzle.split(":")[0];
      const pictures = await this.drawn(puzzle, kind, found.states);
      if (level !== this.level) return;
      const number = found.states.length;
      const all = String(number) === found.classes;
      const each = number === 1 ? "a position of it" : "a position of each";
      this.states.replaceChildren(
        el("p", { class: "soft" }, all
          ? `Level ${found.level} has ${plural(found.classes, "class", "classes")}; ${each}:`
          : `Level ${found.level} has ${grouped(found.classes)} classes; positions of ${number} of them:`),
        el("div", { class: "pictures" }, found.states.map((state, i) => el("figure", { "data-state": state }, pictures[i],
          el("figcaption", {}, el("a", { href: `#/${kind}?${new URLSearchParams({ puzzle, state })}` }, "Play this"))))));
    } catch (error) {
      if (level === this.level) this.states.replaceChildren(el("p", { class: "error" }, error.message));
    } finally {
      if (level === this.level) this.states.removeAttribute("aria-busy");
    }
  }

  /** Pictures of positions: by the module of their kind, or else as text, drawn by the server. */
  async drawn(puzzle, kind, states) {
    try {
      if (VIEWS.includes(kind)) {
        const [{ picture }, info] = await Promise.all([import(`./${kind}.js`), post("/api/puzzle", { puzzle })]);
        return states.map((state) => {
          const drawn = picture(info, state);
          drawn.setAttribute("aria-label", state);
          return drawn;
        });
      }
    } catch {
      // As text, then.
    }
    const { drawings } = await import("./generic.js");
    return (await drawings({ puzzle }, states)).map((picture) => el("pre", {}, picture));
  }
}
