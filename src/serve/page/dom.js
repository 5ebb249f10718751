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

/** "1 move", "2 moves". */
export function plural(count, one, many) {
  return `${grouped(count)} ${Number(count) === 1 ? one : many}`;
}

/** A whole number, also one written as a decimal string, with thousands set apart. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** A sentence as it is shown: with a full stop and a capital, unless it begins with a puzzle or the letters of a piece. */
export function sentence(words) {
  const plain = /^[a-z]+[ ,]/.test(words) && !/^[a-d]{3} /.test(words);
  const capital = plain ? words[0].toUpperCase() + words.slice(1) : words;
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}

/** What is wrong with a text that the user wrote; the list of other puzzles is left out. */
export function flaw(error) {
  const why = error.message.replace(/^.*? names no puzzle: ((board|layout), )?/s, "").replace(/\. Accepted: .*$/s, ".");
  return why[0].toUpperCase() + why.slice(1);
}

/** Seconds for people. */
export function seconds(value) {
  return value < 10 ? `${value.toFixed(2)} s` : value < 120 ? `${value.toFixed(1)} s` : `${Math.round(value / 60)} min`;
}

/** Lets the user keep a text as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
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
