// Triangles: the table as it is seen and touched. A board and beside it the pile, of which one piece is the current one.
// What the user does is reported to `handlers`; what becomes of it comes back as a new view of the table from the server.
//
//   handlers.free()              whether anything may be touched now
//   handlers.place(piece, cell)    a piece of the pile was brought to a cell
//   handlers.move(from, cell)    a piece of the board was brought to another cell
//   handlers.take(cell)          a piece was brought off the board
//   handlers.press(cell)         a cell was clicked, with or without a piece
//   handlers.turn(piece)         a piece of the pile was clicked that was the current one already
//   handlers.chosen()            another piece of the pile is the current one

import { Board, between } from "./board.js";
import { button, el, svg } from "./dom.js";
import { Piece, alone, centre, extent, outline, shown, turnOf } from "./triangles-draw.js";

/** So far from the centre of a cell a piece may be dropped: as far as its corners are. */
const NEAR = 0.58;
/** A pointer that went less far has clicked. */
const CLICK = 0.12;

/** How a piece of the pile is written in a game file. */
const word = ({ letters, position }) => `${letters}${position}`;

/** The pieces of a view by number: { piece, shown, up, cell: number or null }. */
function pieces(view) {
  const found = new Map();
  view.cells.forEach(({ piece, letters, up }, cell) => {
    if (piece !== null) found.set(piece, { piece, shown: letters, up, cell });
  });
  for (const placed of view.pile) {
    found.set(placed.piece, { piece: placed.piece, shown: shown(word(placed)), up: placed.position % 2 === 1, cell: null });
  }
  return found;
}

export class View {
  constructor(view, handlers) {
    this.handlers = handlers;
    this.board = new Board(1, 1, "Board");
    this.board.element.setAttribute("viewBox", extent(view.cells).join(" "));
    this.board.element.classList.add("triangles");
    this.cells = view.cells.map((cell, i) => outline(cell, {
      class: "cell", "data-cell": i, "data-row": cell.row, "data-column": cell.column,
      click: () => this.handlers.free() && this.handlers.press(i),
    }));
    this.board.layer("cells").append(...this.cells);
    this.layer = this.board.layer("pieces");
    this.mark = svg("g", { class: "cursor" });
    this.board.element.append(this.mark);
    this.pieces = new Map([...pieces(view)].map(([number, { shown }]) => [number, this.makePiece(number, shown)]));
    this.places = new Map();
    this.makePile();
    this.current = null;
    this.cursor = null;
    this.show(view);
  }

  makePiece(number, letters) {
    const piece = new Piece(letters);
    piece.element.setAttribute("data-piece", number);
    this.layer.append(piece.element);
    this.drag(piece.element, () => number, () => this.now.cells.findIndex((cell) => cell.piece === number));
    return piece;
  }

  makePile() {
    this.large = el("button", { type: "button", class: "large", title: "Click to turn it, drag it to a cell" });
    this.large.addEventListener("click", (event) => event.detail === 0 && this.pressPile(this.current));
    this.drag(this.large, () => this.current, () => null);
    this.back = button("◀", () => this.flip(-1), { title: "The piece before (p)", "aria-label": "Previous piece" });
    this.on = button("▶", () => this.flip(1), { title: "The next piece (n)", "aria-label": "Next piece" });
    this.turnButton = button("Turn", () => this.handlers.turn(this.current), { title: "Turn the current piece (t)" });
    this.count = el("p", { class: "counts", "aria-live": "polite" });
    this.small = el("div", { class: "small-pieces" });
    this.pile = el("section", { class: "pile", "aria-label": "Pile" },
      el("div", { class: "flip" }, this.back, this.large, this.on, this.turnButton), this.count, this.small);
    this.smalls = new Map([...this.pieces].map(([number, { letters }]) => {
      const drawing = alone(letters, 0);
      const press = el("button", { type: "button", "data-pile": number }, drawing.element);
      press.addEventListener("click", (event) => event.detail === 0 && this.pressPile(number));
      this.drag(press, () => number, () => null);
      return [number, { ...drawing, button: press }];
    }));
  }

  // ---- what is seen

  /** Shows a table at once. */
  show(view) {
    this.board.finish();
    this.arrange(view);
    this.rest();
  }

  /** The pile and the marks for a view; the pieces of the board stay where they are. */
  arrange(view) {
    const before = this.now?.pile.findIndex(({ piece }) => piece === this.current) ?? 0;
    this.now = view;
    this.places = pieces(view);
    const order = view.pile.map(({ piece }) => piece);
    if (!order.includes(this.current)) this.current = order[Math.max(0, Math.min(before, order.length - 1))] ?? null;
    const buttons = order.map((piece) => this.smalls.get(piece).button);
    if (buttons.length !== this.small.children.length || buttons.some((each, i) => each !== this.small.children[i])) {
      this.small.replaceChildren(...buttons);
    }
    view.pile.forEach((placed) => this.smalls.get(placed.piece).button.setAttribute("aria-label", `Piece ${word(placed)}`));
    for (const [number, { cell }] of this.places) {
      this.pieces.get(number).element.classList.toggle("conflict", cell !== null && view.cells[cell].conflict);
    }
    this.board.element.setAttribute("aria-label", `Board: ${view.placed} of ${view.cells.length} pieces`);
    this.enlarge();
  }

  /** The current piece, large. */
  enlarge() {
    if (this.shownLarge?.number !== this.current || this.current === null) {
      const letters = this.pieces.get(this.current)?.letters;
      this.shownLarge = letters ? { number: this.current, ...alone(letters, 0) } : null;
      this.large.replaceChildren(...(this.shownLarge ? [this.shownLarge.element] : []));
    }
    for (const [number, { button }] of this.smalls) button.setAttribute("aria-pressed", String(number === this.current));
    const at = this.now.pile.findIndex(({ piece }) => piece === this.current);
    this.count.textContent = at < 0 ? "The pile is empty."
      : `Piece ${at + 1} of ${this.now.pile.length}: ${word(this.now.pile[at])}`;
    this.large.setAttribute("aria-label", at < 0 ? "No piece" : `Current piece ${word(this.now.pile[at])}: turn it`);
    this.large.dataset.pile = this.current ?? "";
    this.back.disabled = this.on.disabled = this.now.pile.length < 2;
    this.turnButton.disabled = at < 0;
    if (at < 0) return;
    const { shown, up } = this.places.get(this.current);
    this.turnPile(this.current, turnOf(this.pieces.get(this.current).letters, shown, up));
  }

  /** Where a piece belongs: a pose is { x, y, turn, size }. */
  pose({ piece, shown, up, cell }) {
    const turn = turnOf(this.pieces.get(piece).letters, shown, up);
    if (cell === null) return { ...this.inPile(piece), turn };
    const [x, y] = centre(this.now.cells[cell], up);
    return { x, y, turn, size: 1 };
  }

  /** Where in the pile a piece is drawn, in the units of the board. */
  inPile(piece) {
    const place = piece === this.current ? this.shownLarge : this.smalls.get(piece);
    const frame = place.element.getBoundingClientRect();
    const [x, y] = this.board.point({ clientX: frame.left + frame.width / 2, clientY: frame.top + frame.height / 2 });
    const unit = this.board.element.getScreenCTM()?.a || 1;
    return { x, y, size: frame.width / place.width / unit };
  }

  /** Turns a piece of the pile, in both places where it is seen. */
  turnPile(piece, turn) {
    this.smalls.get(piece).piece.put(0, 0, turn);
    if (piece === this.current) this.shownLarge.piece.put(0, 0, turn);
  }

  /** Every piece where it belongs. */
  rest() {
    for (const [number, place] of this.places) {
      const piece = this.pieces.get(number);
      const turn = turnOf(piece.letters, place.shown, place.up);
      if (place.cell === null) {
        this.turnPile(number, turn);
        this.hide(number);
      } else {
        this.appear(number);
        piece.put(...centre(this.now.cells[place.cell], place.up), turn);
        piece.element.setAttribute("data-at", place.cell);
      }
    }
    for (const { button } of this.smalls.values()) button.classList.remove("away");
    this.large.classList.remove("away");
    this.board.element.classList.remove("flying");
  }

  appear(number) {
    const { element } = this.pieces.get(number);
    element.removeAttribute("display");
    element.removeAttribute("data-at");
  }

  hide(number) {
    const { element } = this.pieces.get(number);
    element.setAttribute("display", "none");
    element.removeAttribute("data-at");
  }

  visible(number) {
    return !this.pieces.get(number).element.hasAttribute("display");
  }

  /** From what is seen to another view of the table: whatever changes its place flies there. */
  step(_from, to, _name, milliseconds) {
    this.board.finish();
    const next = pieces(to);
    const moved = [...next.values()].filter((place) => {
      const old = this.places.get(place.piece);
      const { x, y } = this.pieces.get(place.piece);
      const lies = place.cell !== null && [x, y].join() === centre(to.cells[place.cell], place.up).join();
      const same = old.cell === place.cell && old.shown === place.shown && old.up === place.up;
      return !same || (this.visible(place.piece) && !lies);
    });
    const starts = moved.map(({ piece }) => {
      const { x, y, turn, size } = this.pieces.get(piece);
      return this.visible(piece) ? { x, y, turn, size } : this.pose(this.places.get(piece));
    });
    const flies = moved.map(({ piece, cell }) => cell !== null || this.visible(piece));
    this.arrange(to);
    const ends = moved.map((place) => this.pose(place));
    moved.forEach(({ piece, cell }, i) => {
      if (!flies[i]) return;
      this.appear(piece);
      this.lift(piece);
      if (cell === null) this.away(piece);
    });
    return this.board.move(milliseconds, (t) => {
      if (t === 1) return this.rest();
      moved.forEach(({ piece }, i) => {
        const [a, b] = [starts[i], ends[i]];
        // The shorter way round.
        const turn = a.turn + ((((b.turn - a.turn) % 360) + 540) % 360 - 180) * t;
        const [x, y, size] = ["x", "y", "size"].map((key) => between(a[key], b[key], t));
        if (flies[i]) this.pieces.get(piece).put(x, y, turn, size);
        else this.turnPile(piece, turn);
      });
    });
  }

  /** A piece comes above all others, and above the page around the board. */
  lift(piece) {
    const { element } = this.pieces.get(piece);
    if (element !== this.layer.lastChild) this.layer.append(element);
    this.board.element.classList.add("flying");
  }

  /** A piece that is on its way is not seen in the pile. */
  away(piece) {
    this.smalls.get(piece).button.classList.add("away");
    if (piece === this.current) this.large.classList.add("away");
  }

  /** Draws attention to pieces; the list may be empty. */
  highlight(pieces) {
    for (const [number, { element }] of this.pieces) element.classList.toggle("changed", pieces.includes(number));
  }

  // ---- handlers

  /** Lets a piece be dragged by an element. `from()` is the cell it lies in, or null if it is in the pile. */
  drag(element, number, from) {
    let start = null;
    const follow = (dx, dy) => {
      const piece = this.pieces.get(start.piece);
      if (!start.begun) {
        if (Math.hypot(dx, dy) <= CLICK) return;
        start.begun = true;
        if (start.cell === null) this.away(start.piece);
        this.appear(start.piece);
        this.lift(start.piece);
      }
      piece.put(start.x + dx, start.y + dy, start.turn);
      const target = this.cellAt(start.x + dx, start.y + dy);
      this.cells.forEach((cell, i) => cell.classList.toggle("target", i === target));
    };
    this.board.draggable(element, {
      begin: (event) => {
        if (!this.handlers.free() || number() === null || start) return false;
        this.board.finish();
        const piece = number();
        const { turn } = this.pose(this.places.get(piece));
        const [x, y] = this.board.point(event);
        start = { piece, cell: from(), x, y, turn, begun: false };
        // Now: an element that is moved in the document loses the pointer.
        this.layer.append(this.pieces.get(piece).element);
        return true;
      },
      to: follow,
      end: (dx, dy, moved) => {
        const { piece, cell, x, y, begun } = start;
        const target = this.cellAt(x + dx, y + dy);
        start = null;
        this.cells.forEach((cell) => cell.classList.remove("target"));
        if (!moved && !begun) return cell === null ? this.pressPile(piece) : this.handlers.press(cell);
        // A drag that was broken off ends where it began.
        const broken = dx === 0 && dy === 0;
        if (broken || target === cell || (target === null && cell === null)) return this.putBack();
        if (cell === null) this.handlers.place(piece, target);
        else if (target === null) this.handlers.take(cell);
        else this.handlers.move(cell, target);
      },
    });
  }

  /** Pieces that were carried about go back. */
  putBack() {
    return this.step(this.now, this.now, "", 160);
  }

  /** The cell at a place of the board. */
  cellAt(x, y) {
    const distances = this.now.cells.map((cell) => {
      const [u, v] = centre(cell, cell.up);
      return Math.hypot(u - x, v - y);
    });
    const nearest = Math.min(...distances);
    return nearest <= NEAR ? distances.indexOf(nearest) : null;
  }

  pressPile(piece) {
    if (piece === null) return;
    if (piece === this.current) this.handlers.turn(piece);
    else this.choose(piece);
  }

  /** Makes a piece of the pile the current one. */
  choose(piece) {
    this.board.finish();
    this.current = piece;
    this.enlarge();
    this.handlers.chosen();
  }

  /** To the next piece of the pile, or the one before, round and round. */
  flip(by) {
    const order = this.now.pile.map(({ piece }) => piece);
    if (order.length) this.choose(order[(order.indexOf(this.current) + by + order.length) % order.length]);
  }

  /** Marks a cell: the one that keys are about. */
  point(cell) {
    this.cursor = cell;
    this.mark.replaceChildren(...(cell === null ? [] : [outline(this.now.cells[cell])]));
  }

  /** The cell that is reached from the marked one by an arrow key. */
  beside(way) {
    const { cells } = this.now;
    if (this.cursor === null) return Math.floor(cells.length / 2);
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[way];
    const here = cells[this.cursor];
    const [x] = centre(here, here.up);
    const far = (cell) => Math.abs(centre(cell, cell.up)[0] - x);
    const there = cells
      .map((cell, i) => [cell, i])
      .filter(([cell]) => cell.row === here.row + down && (down || Math.sign(cell.column - here.column) === across))
      .sort((a, b) => far(a[0]) - far(b[0]));
    return there[0]?.[1] ?? this.cursor;
  }
}
