// A chart of distributions by level: one as bars that lead to their positions, several as lines. What it shows can be kept
// as SVG, PNG and CSV. It is drawn as wide as its place, so that its texts are readable on a phone, too.

import { button, choice, download, el, grouped, svg } from "./dom.js";

const HEIGHT = 320;
const EDGE = { left: 62, right: 14, top: 16, bottom: 44 };
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "8 2 2 2"];

/** A large number in few characters. */
function short(value) {
  for (const [unit, size] of [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (value >= size) return `${Number((value / size).toPrecision(3))}${unit}`;
  }
  return String(Number(value.toPrecision(3)));
}

/** Round numbers from 0 to at least `most`, about five. */
function ticks(most) {
  const raw = most / 4;
  const power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? power;
  const found = [];
  for (let value = 0; value < most + step * 0.999; value += step) found.push(value);
  return found;
}

/** Mean and median of a distribution: `rows` are { level, value }. */
export function statistics(rows) {
  const total = rows.reduce((sum, { value }) => sum + value, 0);
  if (total === 0) return null;
  const mean = rows.reduce((sum, { level, value }) => sum + level * value, 0) / total;
  let seen = 0;
  const median = rows.find(({ value }) => (seen += value) >= total / 2).level;
  return { mean, median, total };
}

export class Chart {
  /** `choose(level)` is called when a bar is pressed, if there is one; `name` is what files are called. */
  constructor({ name, choose = null }) {
    Object.assign(this, { name, choose, by: "states", log: false, series: [], at: null });
    this.tip = el("p", { class: "tip", role: "status" });
    this.facts = el("p", { class: "soft" });
    this.legend = el("div", { class: "legend" });
    this.place = el("div", { class: "chart", tabindex: "0", role: "group", "aria-label": "Chart: arrow keys go from level to level",
      keydown: (event) => this.key(event), pointerleave: () => this.point(null), focusout: () => this.point(null) });
    this.toggles = el("div", { class: "row" });
    this.element = el("div", { class: "chart-box" }, this.toggles, this.facts, this.legend, this.place, this.tip, el("div", { class: "row small" },
      button("SVG", () => download(`${name}.svg`, new Blob([this.text()], { type: "image/svg+xml" })), { title: "Download the chart as SVG" }),
      button("PNG", () => this.png(), { title: "Download the chart as PNG" }),
      button("CSV", () => download(`${name}.csv`, this.csv()), { title: "Download the numbers as CSV" })));
    this.watcher = new ResizeObserver(() => this.place.clientWidth !== this.width && this.draw());
    this.watcher.observe(this.place);
    this.showToggles();
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

  /** Shows distributions: [{ name, rows: [{ level, classes, states }] }]. */
  show(series, partial = false) {
    Object.assign(this, { series, partial });
    this.draw();
  }

  draw() {
    const width = (this.width = Math.max(280, this.place.clientWidth || 640));
    const several = this.series.length > 1;
    this.shown = this.series.map(({ name, rows }) => ({ name, rows: rows.map((row) => ({ ...row, value: Number(row[this.by]) })) }));
    const found = this.shown.map(({ rows }) => statistics(rows));
    // Several are compared by their shares: else the smaller ones would not be seen.
    if (several && !this.log) {
      this.shown.forEach(({ rows }, i) => rows.forEach((row) => { row.value = found[i] ? (100 * row.value) / found[i].total : 0; }));
    }
    const levels = Math.max(1, ...this.shown.map(({ rows }) => rows.length));
    const most = Math.max(1e-9, ...this.shown.flatMap(({ rows }) => rows.map(({ value }) => value)));
    const [inner, height] = [width - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
    const decades = Math.max(1, Math.ceil(Math.log10(Math.max(2, most))));
    const marks = this.log ? Array.from({ length: decades + 1 }, (_, i) => 10 ** i).filter((_, i) => i % Math.ceil(decades / 6) === 0) : ticks(most);
    const top = this.log ? 10 ** decades : marks.at(-1);
    const y = (value) => EDGE.top + height * (1 - (this.log ? (value < 1 ? 0 : Math.log10(value) / decades * 0.97 + 0.03) : value / top));
    const x = (level) => EDGE.left + ((level + 0.5) * inner) / levels;
    this.x = x;
    const picture = svg("svg", { class: "plot", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img",
      "aria-label": this.series.map(({ name, rows }, i) => `${name}: ${rows.length} levels, mean ${found[i]?.mean.toFixed(2) ?? "–"}`).join("; ") });
    picture.append(svg("rect", { class: "paper", width, height: HEIGHT }));
    for (const mark of marks) {
      picture.append(svg("path", { class: "grid", d: `M${EDGE.left} ${y(mark)}H${width - EDGE.right}` }),
        svg("text", { x: EDGE.left - 6, y: y(mark) + 4, "text-anchor": "end" }, several && !this.log ? `${short(mark)} %` : short(mark)));
    }
    const every = Math.ceil((levels * 30) / inner);
    for (let level = 0; level < levels; level += every) {
      picture.append(svg("text", { x: x(level), y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, String(level)));
    }
    picture.append(svg("path", { class: "axis-line", d: `M${EDGE.left} ${HEIGHT - EDGE.bottom}H${width - EDGE.right}` }),
      svg("text", { class: "axis", x: EDGE.left + inner / 2, y: HEIGHT - 8, "text-anchor": "middle" }, "moves to solved"));
    this.cursor = svg("rect", { class: "cursor", y: EDGE.top, height, width: Math.max(4, inner / levels), display: "none" });
    picture.append(this.cursor);
    const floor = HEIGHT - EDGE.bottom;
    this.shown.forEach(({ rows }, i) => {
      if (several) {
        const points = rows.map(({ level, value }) => `${x(level).toFixed(1)} ${y(value).toFixed(1)}`);
        picture.append(svg("path", { class: `series line series-${i}`, d: `M${points.join("L")}`, "stroke-dasharray": DASHES[i % DASHES.length] }));
        return;
      }
      const wide = Math.max(1, (inner / levels) * 0.8);
      for (const { level, value } of rows) {
        const at = Math.min(y(value), floor - (value > 0 ? 1 : 0));
        picture.append(svg("rect", { class: "series bar series-0", "data-level": level, x: x(level) - wide / 2, y: at, width: wide, height: floor - at }));
      }
    });
    if (!several && found[0]) {
      const { mean, median } = found[0];
      picture.append(svg("path", { class: "mean", d: `M${x(mean)} ${EDGE.top}V${floor}` }),
        svg("path", { class: "median", d: `M${x(median)} ${EDGE.top}V${floor}` }));
    }
    const level = (event) => {
      const box = picture.getBoundingClientRect();
      return Math.max(0, Math.min(levels - 1, Math.floor(((event.clientX - box.left) * (width / box.width) - EDGE.left) / (inner / levels))));
    };
    picture.addEventListener("pointermove", (event) => this.point(level(event)));
    picture.addEventListener("click", (event) => this.press(level(event)));
    if (this.choose && !several) picture.classList.add("pressable");
    this.place.replaceChildren(picture);
    this.levels = levels;
    const means = found.map((one, i) => one && `${several ? `${this.series[i].name}: ` : ""}mean ${one.mean.toFixed(3)}, median ${one.median}`);
    const part = this.partial ? "of what is known: " : "";
    this.facts.textContent = `${part}${means.filter(Boolean).join("; ")}${several && !this.log ? "; shares of each in percent" : ""}`;
    this.legend.replaceChildren(...(several ? this.series.map(({ name }, i) => el("span", { class: `key series-${i}` },
      svg("svg", { viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" },
        svg("path", { class: `series line series-${i}`, d: "M0 4H30", "stroke-dasharray": DASHES[i % DASHES.length] })), name)) : []));
  }

  /** Says what is known of a level. */
  point(level) {
    this.at = level;
    if (level === null || !this.cursor) {
      this.tip.textContent = "";
      this.cursor?.setAttribute("display", "none");
      return;
    }
    this.cursor.setAttribute("x", this.x(level) - Number(this.cursor.getAttribute("width")) / 2);
    this.cursor.removeAttribute("display");
    const parts = this.series.map(({ name, rows }) => {
      const row = rows[level];
      const total = rows.reduce((sum, one) => sum + Number(one[this.by]), 0);
      const share = row && total ? ` (${((100 * Number(row[this.by])) / total).toPrecision(3)} %)` : "";
      const count = row ? `${grouped(row[this.by])} ${this.by}${share}` : "nothing";
      return this.series.length > 1 ? `${name}: ${count}` : count;
    });
    this.tip.textContent = `Level ${level}: ${parts.join("; ")}${this.choose && this.series.length === 1 ? ". Press for its positions." : ""}`;
  }

  press(level) {
    if (this.choose && this.series.length === 1) this.choose(level);
    else this.point(level);
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) this.point(Math.max(0, Math.min(this.levels - 1, (this.at ?? (by > 0 ? -1 : this.levels)) + by)));
    else if (event.key === "Enter" && this.at !== null) this.press(this.at);
    else return;
    event.preventDefault();
  }

  // ---- files

  /** The chart as a document of its own: with the colours that it has here. */
  text() {
    const picture = this.place.querySelector("svg");
    const copy = picture.cloneNode(true);
    const [from, to] = [picture, copy].map((root) => [root, ...root.querySelectorAll("*")]);
    from.forEach((original, i) => {
      const style = getComputedStyle(original);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size"]) {
        to[i].setAttribute(name, style.getPropertyValue(name));
      }
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.removeAttribute("class");
    return new XMLSerializer().serializeToString(copy);
  }

  async png() {
    const address = URL.createObjectURL(new Blob([this.text()], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = el("canvas", { width: this.width * 2, height: HEIGHT * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => download(`${this.name}.png`, blob), "image/png");
  }

  csv() {
    const rows = this.series.flatMap(({ name, rows }) => rows.map(({ level, classes, states }) =>
      [...(this.series.length > 1 ? [name] : []), level, classes, states].join(",")));
    return `${this.series.length > 1 ? "name," : ""}level,classes,states\n${rows.join("\n")}\n`;
  }

  close() {
    this.watcher.disconnect();
  }
}

/** A choice of other distributions to be compared with. */
export const comparison = (names, add) => choice("Compare with", [["", "nothing"], ...names], "", add);
