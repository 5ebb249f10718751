// Jobs and results: what was enumerated in the server's directory, what is being enumerated, and the tables that come
// with the program. An enumeration belongs to the server: it continues when this page is left, and every page sees it.

import { cancel, get, post } from "./api.js";
import { Distribution } from "./distribution.js";
import { button, el, grouped, plural, sentence } from "./dom.js";

/** How often the server is asked, in milliseconds: while something is running, and otherwise. */
const SOON = 1000;
const LATER = 5000;

/** What results are filtered by, also after one of them was opened. */
let filter = "";

const address = (kind, name) => `#/jobs?${new URLSearchParams({ [kind]: name })}`;

/** How much of a job is known, from 0 to 1; null if that is not known. */
function share({ states, total }) {
  return total && Number(total) > 0 ? Math.min(1, Number(states) / Number(total)) : null;
}

/** The name of a job's folder, where that is not the puzzle's. */
const folder = ({ name, puzzle }) => (puzzle && puzzle.replace(/[:@#/,=]/g, "-") !== name ? `in ${name}` : null);

/** How large a job is so far. */
const size = (job) => `${plural(job.levels, "level", "levels")}, ${grouped(job.states)} states`;

/** A bar for something that is running. */
function bar(part, label) {
  return el("progress", { max: 1, value: part ?? undefined, "aria-label": label });
}

class Jobs {
  constructor(root, parameters) {
    this.job = parameters.get("job");
    this.result = parameters.get("result");
    this.items = new Map();
    this.closed = false;
    /** The task that was started here, until its job is there. */
    this.started = null;
    this.jobList = el("ul", { class: "job-list" });
    this.jobTitle = el("h2", {}, "Jobs");
    this.resultList = el("ul", { class: "result-list" });
    this.resultTitle = el("h2", {}, "Results");
    this.filter = el("input", {
      type: "text", placeholder: "filter: tiles 3x3", "aria-label": "Filter results", value: filter,
      input: () => this.filterResults(),
    });
    this.detail = el("section", { class: "detail", "aria-live": "off" });
    /** Where sentences go: beside the form, or beside the job. */
    this.status = el("p", { class: "message", role: "status" });
    this.unseen = el("p", { class: "soft" });
    this.none = el("p", { class: "soft" }, "There are no jobs here yet.");
    const start = this.makeStart();
    this.place = this.job || this.result ? this.status : this.said;
    root.append(el("h1", {}, "Jobs and results"), el("div", { class: this.job || this.result ? "jobs chosen" : "jobs" },
      el("div", { class: "lists" }, start, this.jobTitle, this.none, this.jobList, this.resultTitle, this.filter, this.resultList,
        this.unseen),
      this.detail));
    this.see = () => !document.hidden && this.poll();
    document.addEventListener("visibilitychange", this.see);
    this.examples();
    this.openDetail();
    this.poll();
  }

  // ---- starting

  makeStart() {
    this.field = el("input", {
      type: "text", name: "puzzle", list: "examples", placeholder: "tiles:3x3", autocomplete: "off", spellcheck: "false",
      "aria-label": "Puzzle",
    });
    this.options = el("datalist", { id: "examples" });
    this.chips = el("div", { class: "chips" });
    this.said = el("p", { class: "message", role: "status" });
    return el("form", { class: "start", submit: (event) => {
      event.preventDefault();
      this.start(this.field.value.trim(), this.said);
    } }, el("h2", {}, "Enumerate a puzzle"),
    el("div", { class: "row" }, this.field, this.options, el("button", { class: "main" }, "Start")), this.chips, this.said);
  }

  async examples() {
    try {
      const kinds = await get("/api/kinds");
      const examples = kinds.map((kind) => kind.examples.filter((example) => !example.includes("@")));
      this.options.replaceChildren(...examples.flat().map((example) => el("option", { value: example })));
      this.chips.replaceChildren(...examples.flatMap((some) => some.slice(0, 2)).map((example) =>
        button(example, () => {
          this.field.value = example;
          this.field.focus();
        }, { class: "chip" })));
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  /** A sentence, beside what was pressed last. */
  say(words, tone = "") {
    for (const place of [this.said, this.status]) {
      place.textContent = place === this.place ? words : "";
      place.className = `message ${tone}`;
    }
  }

  /** Starts or resumes an enumeration. The server has it from then on. */
  async start(puzzle, place, job) {
    this.place = place;
    if (!puzzle) return this.say("Write a puzzle, or choose one of the examples.", "bad");
    this.say("");
    try {
      this.started = (await post("/api/tasks", { do: "enumerate", puzzle, job })).task;
      this.poll();
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  /** A button that stops a task. */
  stopper(task) {
    const stop = button("Stop", async () => {
      stop.textContent = "Stopping …";
      stop.disabled = true;
      await cancel(task);
      this.poll();
    }, { class: "stop" });
    return stop;
  }

  // ---- what is running

  /** Asks how things are, shows it, and asks again: soon if something is running, never while the page is hidden. */
  async poll() {
    clearTimeout(this.timer);
    const turn = (this.turn = {});
    let busy = false;
    try {
      const [jobs, tasks] = await Promise.all([get("/api/jobs"), get("/api/tasks")]);
      if (this.closed || turn !== this.turn) return;
      const enumerations = tasks.filter((task) => task.do === "enumerate");
      const listed = (task) => jobs.jobs.some((job) => job.task === task.task);
      const waiting = enumerations.filter((task) => task.state === "waiting" && !listed(task));
      busy = jobs.jobs.some((job) => job.state === "running")
        || enumerations.some((task) => ["waiting", "running"].includes(task.state));
      this.show(jobs, waiting);
      this.follow(jobs, enumerations);
      if (!(await this.refresh(jobs))) busy = true;
      if (this.lost) this.say("");
      this.lost = false;
    } catch (error) {
      if (this.closed || turn !== this.turn) return;
      this.lost = true;
      this.say(error.message, "bad");
    }
    if (this.closed || turn !== this.turn || document.hidden) return;
    this.timer = setTimeout(() => this.poll(), busy || this.started !== null ? SOON : LATER);
  }

  /** What was started here is opened when its job is there; what failed is reported. */
  follow(jobs, enumerations) {
    if (this.started === null) return;
    const task = enumerations.find((task) => task.task === this.started);
    const job = jobs.jobs.find((job) => job.task === this.started)?.name ?? (task?.state !== "failed" && task?.job);
    if (job && jobs.jobs.some(({ name }) => name === job)) return this.open(job);
    if (!task || task.state === "failed" || task.state === "stopped") {
      this.started = null;
      if (task?.state === "failed") this.say(sentence(task.error), "bad");
    } else {
      this.say(task.state === "waiting" ? "It waits until other work is done." : sentence(task.progress ?? "it begins"));
    }
  }

  open(name) {
    this.started = null;
    this.say("");
    if (this.job !== name) location.hash = address("job", name);
  }

  // ---- lists

  show({ dir, jobs, results, left_out: unseen, error }, waiting) {
    this.jobTitle.textContent = `Jobs in ${dir}`;
    this.unseen.textContent = unseen > 0 ? `${plural(unseen, "more entry is", "more entries are")} not listed here.` : error ? sentence(error) : "";
    // What waits and has no folder yet has no name.
    const rows = [...waiting.map(({ task, puzzle }) => ({ puzzle, state: "waiting", task })), ...jobs];
    const name = (row) => row.name ?? `task ${row.task}`;
    this.none.hidden = rows.length > 0;
    const names = new Set(rows.map(name));
    for (const [name, item] of this.items) {
      if (names.has(name)) continue;
      item.element.remove();
      this.items.delete(name);
    }
    rows.forEach((row, i) => {
      let item = this.items.get(name(row));
      if (!item) {
        item = { element: el("li", { "data-job": name(row) }) };
        this.items.set(name(row), item);
      }
      if (this.jobList.children[i] !== item.element) this.jobList.insertBefore(item.element, this.jobList.children[i] ?? null);
      // What did not change keeps the focus and the selection; what is being pressed stays until it is released.
      const now = JSON.stringify(row);
      if (item.now === now || item.element.matches(":active")) return;
      item.now = now;
      const focused = item.element.contains(document.activeElement);
      item.element.replaceChildren(this.line(row));
      if (focused) item.element.querySelector("a, button")?.focus();
    });
    if (this.results?.join() !== results.join()) {
      this.results = results;
      this.resultTitle.textContent = `Results (${results.length})`;
      this.filterResults();
    }
  }

  line(job) {
    const about = [
      el("b", {}, job.puzzle ?? job.name), el("span", { class: `badge ${job.state}` }, job.state),
      el("span", { class: "soft" }, job.state === "damaged" ? sentence(job.error ?? "")
        : job.state === "waiting" ? "until other work is done" : [folder(job), size(job)].filter(Boolean).join(", ")),
      job.state === "running" ? bar(share(job), job.puzzle) : null,
    ];
    if (!job.name) return el("div", { class: "job" }, about, this.stopper(job.task));
    const current = job.name === this.job ? "true" : null;
    return el("a", { class: `job ${job.state}`, href: address("job", job.name), "aria-current": current }, about);
  }

  filterResults() {
    filter = this.filter.value;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = (this.results ?? []).filter((name) => words.every((word) => name.toLowerCase().includes(word)));
    this.resultList.replaceChildren(...found.map((name) => el("li", {},
      el("a", { href: address("result", name), "aria-current": name === this.result ? "true" : null }, name))));
    const none = this.results?.length ? "None has these words in its name." : "No results here.";
    if (found.length === 0) this.resultList.append(el("li", { class: "soft" }, none));
  }

  // ---- one of them

  openDetail() {
    const name = this.job ?? this.result;
    if (!name) {
      this.detail.append(el("p", { class: "soft" },
        "Choose a job or a result to see its levels, its distribution and its hardest positions."));
      return;
    }
    this.base = `/api/${this.job ? "jobs" : "results"}/${encodeURIComponent(name)}`;
    this.distribution = new Distribution(this.base, Boolean(this.job));
    this.heading = el("h2", {}, name);
    this.facts = el("div", { class: "facts" });
    this.detail.append(el("p", { class: "back" }, el("a", { href: "#/jobs" }, "All jobs and results")), this.heading, this.facts, this.status);
    if (this.result) this.load();
  }

  /** A job is looked at again when its row in the list is another one. Returns whether it is shown as it is. */
  async refresh({ jobs }) {
    if (!this.job) return true;
    const row = jobs.find((job) => job.name === this.job);
    const now = JSON.stringify(row ?? null);
    // What was not answered is asked for again.
    if (now !== this.seen && (await this.load())) this.seen = now;
    return now === this.seen;
  }

  async load() {
    try {
      const detail = await get(this.base);
      // A button that is replaced while it is pressed would never hear of it.
      if (this.closed || this.facts.matches(":active")) return false;
      this.describe(detail);
      if (detail.rows?.length || detail.state !== "damaged") {
        if (!this.distribution.element.isConnected) this.detail.append(this.distribution.element);
        this.distribution.update({ ...detail, rows: detail.rows ?? [] });
      }
      return true;
    } catch (error) {
      if (!this.closed) this.facts.replaceChildren(el("p", { class: "error" }, error.message));
      return false;
    }
  }

  describe(detail) {
    if (detail.puzzle) this.heading.textContent = [detail.puzzle, this.job && folder(detail)].filter(Boolean).join(", ");
    const facts = this.result ? [el("p", { class: "soft" }, size({ levels: detail.rows.length, states: detail.states }))]
      : this.about(detail);
    const focused = this.facts.contains(document.activeElement);
    this.facts.replaceChildren(...facts.filter(Boolean));
    if (focused) this.facts.querySelector("button")?.focus();
  }

  /** How a job is, and what can be done with it. */
  about({ state, task, answer, error, progress, puzzle, total, name, ...job }) {
    const running = state === "running";
    // A job can also be run by another program, which this page cannot stop.
    const own = running && task !== null && task !== undefined;
    const extent = `${size(job)}${total && state !== "finished" ? ` of ${grouped(total)}` : ""}`;
    return [
      el("p", {}, el("span", { class: `badge ${state}` }, state), " ", state === "damaged" ? null : extent),
      answer ? el("p", { class: "found" }, answer) : null,
      error ? el("p", { class: "error" }, sentence(error)) : null,
      running ? el("div", { class: "row" }, bar(share({ ...job, total }), "Progress"),
        own ? this.stopper(task) : null) : null,
      state === "waiting" ? el("div", { class: "row" }, "It waits until other work is done.", this.stopper(task)) : null,
      running ? el("p", { class: "soft" }, progress ? sentence(progress) : "", own ? "" : " It runs in another program.") : null,
      state === "stopped" ? el("div", { class: "row" },
        button("Resume", () => this.start(puzzle, this.status, name), { class: "main" })) : null,
    ];
  }

  // ---- the shell

  /** The server is there again. */
  back() {
    this.poll();
    if (this.result) this.load();
    if (this.chips.children.length === 0) this.examples();
    return true;
  }

  key() {
    return false;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.see);
  }
}

export const open = (root, parameters) => new Jobs(root, parameters);
