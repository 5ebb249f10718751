// Elements, made in one call. Texts are always texts: nothing is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function build(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: attributes, event listeners (values that are functions), children. */
export function el(name, properties, ...children) {
  return build(document.createElement(name), properties, children);
}

/** The same for SVG. */
export function svg(name, properties, ...children) {
  return build(document.createElementNS(SVG, name), properties, children);
}

/** A button with a text. */
export function button(text, click, properties = {}) {
  return el("button", { type: "button", click, ...properties }, text);
}

/** A labelled choice: `options` are values, or pairs of value and text. */
export function choice(label, options, value, change) {
  const select = el("select", { name: label, change: () => change(select.value) },
    options.map((option) => {
      const [key, text] = Array.isArray(option) ? option : [option, option];
      return el("option", { value: key, selected: String(key) === String(value) }, text);
    }));
  return el("label", { class: "choice" }, el("span", {}, label), select);
}

/** A labelled check box. */
export function check(label, value, change) {
  const box = el("input", { type: "checkbox", checked: value, change: () => change(box.checked) });
  return el("label", { class: "check" }, box, label);
}

/** A labelled field for a text, with a button that uses it. */
export function field(label, value, action, use) {
  const input = el("input", { type: "text", value, "aria-label": label, spellcheck: "false", autocomplete: "off" });
  return el("form", { class: "row field", submit: (event) => {
    event.preventDefault();
    use(input.value.trim());
  } }, el("label", { class: "choice" }, el("span", {}, label), input), el("button", { type: "submit" }, action));
}

/** "1 move", "2 moves". */
export function plural(count, one, many) {
  return `${grouped(count)} ${Number(count) === 1 ? one : many}`;
}

/** A whole number, also one written as a decimal string, with thousands set apart. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/**
 * What the program says, for people who did not write a command: without the grammar of texts, the names of folders, and the
 * marks around what could be typed.
 */
function readable(words) {
  return words
    .replace(/^`?[^`]*`? names no puzzle: (?:(?:board|layout), )?/s, "")
    .replace(/\.? (?:Accepted|Known): .*$/s, "")
    .replace(/; (?:that|it) is kept in \S+/, "")
    .replace(/ \((?:other solvers|godnum [^)]*)[^)]*\)/, "")
    .replace(/^enumerating (\S+)(?: \(([^)]*)\))? first/, (_, puzzle, size) => `Building the table of ${puzzle}${size ? ` (${size})` : ""}`)
    .replace(/^waiting for (?:process \d+|another process), which works on .*$/s, "waiting for another program that builds the same table")
    .replace(/`([^`]*)`/g, "“$1”");
}

/** A sentence as it is shown: with a full stop and a capital, unless it begins with a puzzle or the letters of a piece. */
export function sentence(given) {
  const words = readable(given);
  const plain = /^[a-z]+[ ,]/.test(words) && !/^[a-d]{3} /.test(words);
  const capital = plain ? words[0].toUpperCase() + words.slice(1) : words;
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}

/** Seconds for people. */
export function seconds(value) {
  if (value < 120) return value < 10 ? `${value.toFixed(2)} s` : `${value.toFixed(1)} s`;
  return value < 7200 ? `${Math.round(value / 60)} min` : `${(value / 3600).toFixed(1)} h`;
}

/** Copies a text; the button says so for a moment. */
export async function copy(text, pressed) {
  const before = pressed.textContent;
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = "Copied";
  } catch {
    // Without the right to the clipboard the text is shown, to be copied by hand.
    pressed.after(el("input", { type: "text", class: "copied", value: text, readonly: true, "aria-label": "To be copied" }));
    pressed.nextSibling.select();
  }
  setTimeout(() => { pressed.textContent = before; }, 1500);
}

/** A command to be run in a terminal, with a button that copies it. */
export function command(text) {
  const press = button("Copy command", () => copy(text, press));
  return el("div", { class: "command row" }, el("code", {}, text), press);
}

/** Bytes for people. */
export function bytes(number) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (number >= 1024 && at < units.length - 1) [number, at] = [number / 1024, at + 1];
  return `${at && number < 10 ? number.toFixed(1) : Math.round(number)} ${units[at]}`;
}

/** Lets the user keep a text, or another content, as a file. */
export function download(name, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain" }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Asks the user for a file; `read` gets its text. */
export function upload(read) {
  const input = el("input", { type: "file", change: async () => {
    const file = input.files[0];
    if (file) read(file.size > 1 << 20 ? null : await file.text(), file.name);
  } });
  input.click();
}
