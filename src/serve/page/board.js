// The board that every puzzle is drawn on: an SVG picture in units of its own, with motion and dragging.

import { svg } from "./dom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Slow at both ends. */
const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));

export class Board {
  /** A picture of `width` x `height` units; `label` says what it is to those who cannot see it. */
  constructor(width, height, label) {
    this.element = svg("svg", {
      class: "board", viewBox: `0 0 ${width} ${height}`, role: "application", "aria-label": label, tabindex: "0",
    });
    this.label = label;
    this.motion = null;
    this.dragging = false;
  }

  /** What is on the board, in words. */
  describe(words) {
    this.element.setAttribute("aria-label", words ? `${this.label}. ${words}` : this.label);
  }

  /** The picture alone, to look at: nothing that could be used. */
  still() {
    this.element.removeAttribute("tabindex");
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", this.label);
    this.element.classList.add("still");
    return this.element;
  }

  /** An arrow over the picture, from one point to another; none if there are no points. */
  arrow(from = null, to = null) {
    this.pointer?.remove();
    this.pointer = null;
    if (!from || !to) return;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [u, v] = [dx / length, dy / length];
    const head = Math.min(0.28, length / 2);
    const neck = [to[0] - u * head, to[1] - v * head];
    const side = head * 0.65;
    this.pointer = svg("g", { class: "arrow" },
      svg("path", { class: "shaft", d: `M${from}L${neck}` }),
      svg("path", { class: "head", d: `M${to}L${neck[0] - v * side} ${neck[1] + u * side}L${neck[0] + v * side} ${neck[1] - u * side}Z` }));
    this.element.append(this.pointer);
  }

  /** A new group at the top of the picture. */
  layer(name) {
    // What is on the board is in its label; the parts of a picture mean nothing one by one.
    const group = svg("g", { class: name, "aria-hidden": "true" });
    this.element.append(group);
    return group;
  }

  /**
   * Calls `draw(t)` with t from 0 to 1, once a frame, for so long. Resolves when t was 1. Only one motion is running at a
   * time: a new one ends the one before.
   */
  move(milliseconds, draw) {
    this.finish();
    if (still.matches || document.hidden || milliseconds <= 0) {
      draw(1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const motion = {
        end: () => {
          cancelAnimationFrame(motion.frame);
          this.motion = null;
          draw(1);
          resolve();
        },
      };
      // Time is counted from the first frame: a late one must not swallow the start.
      let began = null;
      const tick = (now) => {
        began ??= now;
        const t = (now - began) / milliseconds;
        if (t >= 1 || document.hidden) return motion.end();
        draw(ease(t));
        motion.frame = requestAnimationFrame(tick);
      };
      motion.frame = requestAnimationFrame(tick);
      this.motion = motion;
    });
  }

  /** Brings a running motion to its end at once. */
  finish() {
    this.motion?.end();
  }

  /** Where a pointer is, in the picture's units. */
  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  /**
   * Lets `element` be dragged, by mouse, pen or finger. `begin(event)` returns whether it may be; `to(dx, dy)` gets how
   * far the pointer is from where it began; `end(dx, dy, moved)` comes last, also when the drag is broken off (then
   * with zeros). A drag of next to nothing is a click: `moved` is false. A second finger is not looked at.
   */
  draggable(element, { begin = () => true, to = () => {}, end }) {
    element.classList.add("draggable");
    // A finger on a piece drags it, beside it scrolls the page. `touch-action` cannot say so about a part of a picture.
    element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.dragging || !begin(event)) return;
      this.dragging = true;
      event.preventDefault();
      this.element.focus({ preventScroll: true });
      const [x, y] = this.point(event);
      let moved = false;
      const shift = (event) => {
        const [u, v] = this.point(event);
        moved ||= Math.hypot(u - x, v - y) > 0.12;
        return [u - x, v - y];
      };
      const mine = ({ pointerId }) => pointerId === event.pointerId;
      // A board that has left the page has no places any more.
      const follow = (event) => mine(event) && this.element.isConnected && to(...shift(event));
      const finish = (event) => {
        if (!mine(event)) return;
        this.dragging = false;
        removeEventListener("pointermove", follow);
        removeEventListener("pointerup", finish);
        removeEventListener("pointercancel", finish);
        if (!this.element.isConnected) return;
        const [dx, dy] = event.type === "pointerup" ? shift(event) : [0, 0];
        end(dx, dy, moved);
      };
      element.setPointerCapture(event.pointerId);
      // The window hears of it even if the element has gone meanwhile.
      addEventListener("pointermove", follow);
      addEventListener("pointerup", finish);
      addEventListener("pointercancel", finish);
    });
  }
}

/** Moves a group of the picture to a place, turned by some degrees about it. */
export function put(group, x, y, turn = 0) {
  group.setAttribute("transform", turn ? `translate(${x} ${y}) rotate(${turn})` : `translate(${x} ${y})`);
}

/** Between two numbers. */
export const between = (a, b, t) => a + (b - a) * t;

const MARKS = [
  (r) => svg("circle", { r }),
  (r) => svg("path", { d: `M0 ${-r}L${r} ${0.8 * r}H${-r}Z` }),
  (r) => svg("path", { d: `M${-r} ${-r}H${r}V${r}H${-r}Z`, transform: "scale(.82)" }),
  (r) => svg("path", { d: `M0 ${-r}L${r} 0L0 ${r}L${-r} 0Z` }),
  (r) => svg("path", { d: `M${-r} 0H${r}M0 ${-r}V${r}`, class: "stroke" }),
  (r) => svg("path", { d: `M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`, class: "stroke", transform: "scale(.8)" }),
  (r) => svg("circle", { r: 0.8 * r, class: "stroke" }),
  (r) => svg("path", { d: `M0 ${r}L${r} ${-0.8 * r}H${-r}Z` }),
];

/** The sign that goes with colour `number` (from 1 on), so that colours need not be distinguished. */
export function mark(number, radius = 0.18) {
  const drawn = MARKS[(number - 1) % MARKS.length](radius);
  drawn.classList.add("mark");
  return drawn;
}

/** The class of things in colour `number` (from 1 on); the colours are in the style sheet. */
export function colour(number) {
  return `colour-${((number - 1) % 8) + 1}`;
}
