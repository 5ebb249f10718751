// One enumeration: its three figures, how it was checked, its distribution, its levels, its hardest positions; and what can
// be asked about it: verification, bounds, samples.

import { get, post } from "./api.js";
import { Chart } from "./chart.js";
import { button, bytes, choice, command, download, el, grouped, plural, seconds, sentence } from "./dom.js";
import { play } from "./home.js";
import { pictures } from "./pictures.js";
import { Work } from "./work.js";

/** The number of positions of a level that are shown. */
const SHOWN = 12;

/** Up to so many positions a table is built without being asked for. */
const AT_ONCE = 300000;

const NAMES = { "gods-number": "God's number", eccentricity: "Eccentricity of the start", solutions: "Pieces in the last level" };

/** A large number with what it is. */
const figure = (number, label) => el("div", { class: "figure" }, el("b", {}, number), el("span", {}, label));

export class Detail {
  /** `name` is a job's, or a table's if `isTable`; `others()` are tables to compare with. */
  constructor(name, isTable, others) {
    Object.assign(this, { name, isTable, others, closed: false, level: null });
    this.base = `/api/${isTable ? "results" : "jobs"}/${encodeURIComponent(name)}`;
    this.heading = el("h2", {}, name);
    this.figures = el("div", { class: "figures" });
    this.facts = el("div", { class: "facts" });
    this.status = el("p", { class: "message", role: "status" });
    this.checked = el("div", { class: "checked" });
    this.chart = new Chart({ name, choose: (level) => this.choose(level) });
    this.compared = el("span", {});
    this.body = el("tbody");
    this.levels = el("details", { class: "levels-box" }, el("summary", {}, "Levels as a table"),
      el("div", { class: "levels", tabindex: "0", role: "region", "aria-label": "Levels" }, el("table", {},
        el("thead", {}, el("tr", {}, ["level", "classes", "states", "share"].map((name) => el("th", { scope: "col" }, name)))), this.body)));
    this.levelChoice = el("span", {});
    this.states = el("div", { class: "states" });
    this.work = new Work(() => this.say("Stopped."));
    this.studies = el("div", { class: "studies" });
    this.found = el("div", { class: "found-out", "aria-live": "polite" });
    this.distribution = el("div", { class: "distribution", hidden: true },
      el("h3", {}, "Distribution"), el("div", { class: "row" }, this.compared), this.chart.element, this.levels,
      el("h3", {}, "Positions"), el("div", { class: "row" }, this.levelChoice), this.states);
    this.element = el("section", { class: "detail", "aria-live": "off" },
      el("p", { class: "back" }, el("a", { href: "#/jobs" }, "All jobs and results")), this.heading, this.figures, this.facts, this.status,
      this.checked, this.studies, this.work.element, this.found, this.distribution);
  }

  say(words, tone = "") {
    this.status.textContent = words;
    this.status.className = `message ${tone}`;
  }

  /** Shows what the server knows now; `about` makes the facts of a job. Returns whether it is shown. */
  async load(about = () => []) {
    try {
      const detail = await get(this.base);
      // A button that is replaced while it is pressed would never hear of it.
      if (this.closed || this.facts.matches(":active")) return false;
      this.show(detail, about(detail));
      return true;
    } catch (error) {
      if (!this.closed) this.facts.replaceChildren(el("p", { class: "error" }, error.message));
      return false;
    }
  }

  show(detail, facts) {
    const { about, puzzle, rows = [] } = detail;
    this.puzzle = about?.puzzle ?? puzzle;
    this.info = about ?? {};
    this.heading.replaceChildren(about?.title ?? puzzle ?? this.name, " ", this.puzzle ? el("code", {}, this.puzzle) : "");
    const last = rows.length - 1;
    this.finished = this.isTable ? about?.complete ?? null : detail.state === "finished";
    const name = NAMES[about?.question] ?? "Last level";
    const number = this.finished === false ? `≥ ${grouped(atLeast(last, detail.states, about?.total))}` : grouped(last);
    this.figures.replaceChildren(...(last < 0 ? [] : [
      figure(number, name),
      figure(grouped(detail.states), "positions"), figure(grouped(detail.classes), "classes")]));
    const focused = this.facts.contains(document.activeElement);
    this.facts.replaceChildren(...facts.filter(Boolean));
    if (focused) this.facts.querySelector("button")?.focus();
    this.checked.replaceChildren(...this.check(detail, last));
    this.offerStudies(detail);
    if (rows.length === 0 && detail.state === "damaged") return;
    const now = JSON.stringify(rows);
    this.distribution.hidden = rows.length === 0;
    if (rows.length > 0 && now !== this.seen) this.tabulate(rows);
    if (rows.length > 0 && (now !== this.seen || this.finished !== this.was)) this.offerLevels(rows);
    [this.seen, this.was] = [now, this.finished];
  }

  /** How far the numbers can be trusted, in words. */
  check({ about, states, provenance, answer }, last) {
    if (last < 0) return [];
    const words = [];
    if (answer) words.push(el("p", { class: "found" }, answer));
    if (this.finished === false) {
      const total = about?.total;
      const share = total ? ` of ${grouped(total)} positions (${((100 * Number(states)) / Number(total)).toPrecision(3)} %)` : " positions";
      words.push(el("p", {}, `This is a part: levels 0 to ${last} are known, with ${grouped(states)}${share}.`
        + (about?.question === "gods-number" && total ? ` There are more levels, so God's number is at least ${last + 1}.` : "")));
    } else if (this.isTable) {
      words.push(el("p", {}, about?.complete ? `Checked: the levels add up to ${grouped(states)} positions, and an independent count agrees.`
        : "The number of positions of this puzzle is not known independently, so the table itself does not show that it is complete."));
    }
    if (provenance) {
      const { verified, commit, machine, time } = provenance;
      words.push(el("p", { class: "soft" }, [verified && `verified: ${verified}`, commit && `commit ${commit}`, machine, time].filter(Boolean).join(" · ")));
    }
    return words;
  }

  // ---- levels

  tabulate(rows) {
    const all = rows.reduce((sum, { states }) => sum + Number(states), 0);
    this.body.replaceChildren(...rows.map(({ level, classes, states }) => el("tr", {},
      el("th", { scope: "row" }, String(level)), el("td", {}, grouped(classes)), el("td", {}, grouped(states)),
      el("td", {}, `${((100 * Number(states)) / all).toFixed(2)} %`))));
    this.rows = rows;
    this.chart.show([{ name: this.puzzle ?? this.name, rows }], this.finished === false);
    this.offerComparison();
  }

  /** Other tables that can be drawn with this. */
  offerComparison() {
    if (!this.rows) return;
    this.compared.replaceChildren(choice("Compare with", [["", "nothing"], ...this.others().filter((name) => name !== this.name)], "",
      (name) => this.compare(name)));
  }

  /** Draws the distribution together with others. */
  async compare(name) {
    const own = { name: this.puzzle ?? this.name, rows: this.rows };
    if (!name) return this.chart.show([own]);
    try {
      const other = await get(`/api/results/${encodeURIComponent(name)}`);
      const shown = this.chart.series.slice(1).filter((one) => one.name !== name);
      this.chart.show([own, ...shown, { name: other.about?.puzzle ?? name, rows: other.rows }].slice(0, 8));
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  offerLevels(rows) {
    const last = rows.at(-1).level;
    if (this.isTable && !this.info.small) {
      this.states.replaceChildren(el("p", { class: "soft" }, "This table has counts only. When the job is here, its positions are shown:"),
        this.puzzle ? command(`godnum enumerate ${this.puzzle}`) : "");
      return;
    }
    this.levelChoice.replaceChildren(choice("Level", rows.map(({ level }) => level).reverse(), this.level ?? last, (level) => this.choose(Number(level))));
    if (this.level !== null) return;
    if (this.isTable && Number(this.info.states) > AT_ONCE) {
      this.states.replaceChildren(button("Show the hardest positions", () => this.choose(last)));
    } else if (this.finished !== false) this.pick(last);
    else {
      this.states.replaceChildren(el("p", { class: "soft" },
        "The hardest positions are here when all is enumerated. Those of a level that is known can be chosen now."));
    }
  }

  async choose(level) {
    if (this.isTable && !this.info.small) return this.say("This table has counts only, so the positions of a level are not known here.");
    const select = this.levelChoice.querySelector("select");
    if (select) select.value = String(level);
    await this.pick(level);
    this.states.scrollIntoView({ block: "nearest" });
  }

  /** Positions of a level, as pictures. */
  async pick(level) {
    this.level = level;
    this.states.setAttribute("aria-busy", "true");
    try {
      const found = this.isTable
        ? await this.work.run({ do: "positions", puzzle: this.puzzle, level, count: SHOWN }, "Building the table of this puzzle")
        : await get(`${this.base}/states?level=${level}&count=${SHOWN}`);
      if (!found || level !== this.level || this.closed) return;
      const { puzzle, states } = found;
      const drawn = await pictures(await post("/api/puzzle", { puzzle }), states);
      if (level !== this.level) return;
      const number = states.length;
      const each = number === 1 ? "a position of it" : "a position of each";
      this.states.replaceChildren(
        el("p", { class: "soft" }, String(number) === found.classes
          ? `Level ${found.level} has ${plural(found.classes, "class", "classes")}; ${each}:`
          : `Level ${found.level} has ${grouped(found.classes)} classes; positions of ${number} of them:`),
        el("div", { class: "pictures" }, states.map((state, i) => el("figure", { "data-state": state }, drawn[i],
          el("figcaption", {}, el("a", { href: play(puzzle, { state }), "aria-label": `Play position ${i + 1} of level ${found.level}` }, "Play this"))))));
    } catch (error) {
      if (level === this.level) this.states.replaceChildren(el("p", { class: "error" }, error.message));
    } finally {
      if (level === this.level) this.states.removeAttribute("aria-busy");
    }
  }

  // ---- studies

  offerStudies({ state }) {
    const mine = JSON.stringify([state, this.finished]);
    if (this.offered === mine || !this.puzzle) return;
    this.offered = mine;
    const isPuzzle = this.info.question && this.info.question !== "solutions" && !this.puzzle.includes("@");
    const idle = !this.isTable && ["finished", "stopped"].includes(state);
    this.studies.replaceChildren(el("div", { class: "row" },
      idle && button("Verify", () => this.verify(false), { title: "Checks all files, and the neighbours of a sample of classes" }),
      idle && button("Verify all", () => this.verify(true), { title: "Checks the neighbours of every class" }),
      isPuzzle && button("Bounds", () => this.bounds(), { title: "What is proven about the last level, and how" }),
      isPuzzle && button("Sample", () => this.sample(), { title: "Solves 100 random positions" })));
    if (isPuzzle && this.finished === false && !this.work.running && !["running", "waiting"].includes(state)) this.bounds();
  }

  /** Work whose result is shown. */
  async study(body, what, show) {
    this.say("");
    try {
      const found = await this.work.run(body, what);
      if (found && !this.closed) this.found.replaceChildren(...show(found).filter(Boolean));
    } catch (error) {
      if (!this.closed) this.say(error.message, "bad");
    }
  }

  verify(full) {
    return this.study({ do: "verify", job: this.name, full }, "Verifying", (found) => [
      el("h3", {}, "Verification"),
      el("p", {}, `${plural(found.level_sets, "level set is", "level sets are")} intact; ${found.all_classes ? "all of" : "a sample of"} `
        + `${grouped(found.classes_checked)} classes ${found.all_classes ? "were" : "was"} checked, and their ${grouped(found.neighbours_checked)} neighbours`
        + ` are where they must be (${seconds(found.seconds)}).`),
      ...found.not_checked.map((words) => el("p", { class: "soft" }, `Not checked: ${words}.`)),
      button("Download the certificate", () => download(`${this.name}-certificate.json`, `${JSON.stringify(found, null, 1)}\n`))]);
  }

  bounds() {
    return this.study({ do: "bounds", puzzle: this.puzzle }, "Looking for bounds", (found) => {
      const { at_least: least, at_most: most, published } = found;
      // What is proven says more than the levels that are known.
      if (this.finished === false) this.figures.querySelector("b").textContent = least === most ? least : most === null ? `≥ ${least}` : `${least} to ${most}`;
      const what = NAMES[this.info.question].toLowerCase().replace("god", "God");
      const range = least === most ? `exactly ${least}` : most === null ? `at least ${least}; no upper bound is proven` : `at least ${least} and at most ${most}`;
      return [el("h3", {}, "Bounds"), el("p", { class: "found" }, `It is proven that ${what} is ${range}.`),
        least !== most && this.argument("At least", found.why_at_least), most !== null && this.argument(least === most ? "Exactly" : "At most", found.why_at_most),
        published && el("p", { class: "soft" }, `Published, and not checked here: at least ${published.at_least} and at most ${published.at_most} (${published.source}).`),
        found.help.length > 0 && el("details", {}, el("summary", {}, "Runs that would tighten this"),
          el("ul", {}, found.help.map((words) => el("li", {}, sentence(words)))))];
    });
  }

  argument(side, { bound, argument, parts }) {
    return el("div", { class: "argument" }, el("p", {}, el("b", {}, `${side} ${bound}: `), sentence(argument)),
      parts.map((part) => this.argument(`${part.puzzle}: ${side.toLowerCase()}`, part)));
  }

  sample() {
    return this.study({ do: "sample", puzzle: this.puzzle, count: 100 }, "Solving random positions", (found) => {
      const rows = [];
      for (const [length, times] of found.lengths) rows[length] = { level: length, classes: times, states: times };
      const filled = Array.from({ length: rows.length }, (_, level) => rows[level] ?? { level, classes: 0, states: 0 });
      const chart = new Chart({ name: `${this.name}-sample` });
      chart.show([{ name: "sample", rows: filled }]);
      return [el("h3", {}, "Sample"), el("p", {}, `${found.count} random positions, seed ${found.seed}, solver ${found.solver}: `
        + `${found.solved} were solved, ${found.optimal} of them with the fewest moves.`), chart.element];
    });
  }

  close() {
    this.closed = true;
    this.work.stop();
    this.chart.close();
  }
}

/** What levels up to `last` say of the last one there is: where positions are missing, there is one more. */
export const atLeast = (last, states, total) => (total && Number(states) < Number(total) ? last + 1 : Math.max(0, last));

/** Elapsed time, time left, rate, memory and disk of a job, as far as they are known. */
export function resources({ state, seconds: safe, level_seconds: now, states, total, memory, bytes: disk }) {
  const rate = safe > 0.05 ? Number(states) / safe : null;
  const rest = state !== "finished" && rate && total ? Math.max(0, (Number(total) - Number(states)) / rate - (now ?? 0)) : null;
  const parts = [
    ["time", seconds((safe ?? 0) + (now ?? 0))], rest !== null && ["left, about", seconds(rest)],
    rate && ["rate", `${grouped(Math.round(rate))} positions/s`], memory && ["peak memory", bytes(memory)], disk && ["disk", bytes(disk)],
  ].filter(Boolean);
  return el("dl", { class: "resources" }, parts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}
