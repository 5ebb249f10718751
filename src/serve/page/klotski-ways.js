// Where a block can go: the ways that its moves name, and a block that follows a pointer along them.

const DIRECTIONS = { L: [-1, 0], R: [1, 0], U: [0, -1], D: [0, 1] };

/** The blocks of a state by letter: row and column of the upper left cell, width and height. */
export function blocks(state) {
  const found = new Map();
  state.split("/").forEach((line, row) => [...line].forEach((letter, column) => {
    if (letter === ".") return;
    const block = found.get(letter);
    if (!block) found.set(letter, { row, column, width: 1, height: 1 });
    else {
      block.width = Math.max(block.width, column - block.column + 1);
      block.height = Math.max(block.height, row - block.row + 1);
    }
  }));
  return found;
}

/** A way such as `R1D2` as pairs of a direction's letter and a number of cells. */
export const legs = (way) => [...way.matchAll(/([LRUD])(\d)/g)].map(([, letter, cells]) => [letter, Number(cells)]);

/** Every place [x, y] of a block on a way, one cell at a time, the first included. */
export function steps({ row, column }, way) {
  const places = [[column, row]];
  for (const [letter, cells] of legs(way)) {
    const [dx, dy] = DIRECTIONS[letter];
    for (let i = 0; i < cells; i++) {
      const [x, y] = places.at(-1);
      places.push([x + dx, y + dy]);
    }
  }
  return places;
}

/** A line through places, with the length up to each of them. */
export function polyline(places) {
  const lengths = [0];
  for (let i = 1; i < places.length; i++) {
    lengths.push(lengths[i - 1] + Math.hypot(places[i][0] - places[i - 1][0], places[i][1] - places[i - 1][1]));
  }
  return { places, lengths };
}

/** The point at a share of a line's length. */
export function point({ places, lengths }, share) {
  const at = share * lengths.at(-1);
  const i = Math.max(1, lengths.findIndex((length) => length >= at));
  if (places.length < 2) return places[0];
  const part = (at - lengths[i - 1]) / (lengths[i] - lengths[i - 1] || 1);
  return [0, 1].map((axis) => places[i - 1][axis] + (places[i][axis] - places[i - 1][axis]) * part);
}

const key = ([x, y]) => `${x},${y}`;
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * The places that one block can reach, as a net of cells side by side. A block that is dragged is at a point of an edge
 * of that net, or at its start, and only ever continues along the net: it never jumps over another block.
 */
export class Ways {
  /** `moves` are all moves of the block, in the metric in which one move is any way. */
  constructor(block, moves) {
    this.start = [block.column, block.row];
    this.nodes = new Map([[key(this.start), { place: this.start, move: null, beside: new Set() }]]);
    for (const move of moves) {
      const places = steps(block, move.name.split(" ")[1]);
      places.forEach((place, i) => {
        if (!this.nodes.has(key(place))) this.nodes.set(key(place), { place, move: null, beside: new Set() });
        if (i > 0) this.join(places[i - 1], place);
      });
      this.nodes.get(key(places.at(-1))).move = move;
    }
    // Places side by side that no way happens to go through are joined as well: with one block moving, both are free.
    for (const { place } of this.nodes.values()) {
      for (const [dx, dy] of Object.values(DIRECTIONS)) {
        const next = [place[0] + dx, place[1] + dy];
        if (this.nodes.has(key(next))) this.join(place, next);
      }
    }
    this.at = this.start;
    this.edge = [key(this.start), key(this.start)];
  }

  join(a, b) {
    this.nodes.get(key(a)).beside.add(key(b));
    this.nodes.get(key(b)).beside.add(key(a));
  }

  /** Goes as near to a pointer as the net lets it without leaving it; returns where the block is then. */
  towards(dx, dy) {
    const wanted = [this.start[0] + dx, this.start[1] + dy];
    for (;;) {
      const here = distance(this.at, wanted);
      let best = null;
      for (const end of new Set(this.edge)) {
        // From the middle of an edge only that edge can be followed; from its ends, all that meet there.
        const node = this.nodes.get(end);
        const others = distance(this.at, node.place) < 1e-9 ? node.beside : [this.edge.find((name) => name !== end) ?? end];
        for (const other of others) {
          const at = nearest(node.place, this.nodes.get(other).place, wanted);
          const far = distance(at, wanted);
          if (far < here - 1e-9 && (!best || far < best.far)) best = { at, far, edge: [end, other] };
        }
      }
      if (!best) return this.at;
      this.at = best.at;
      this.edge = best.edge;
    }
  }

  /**
   * Lets go: the move that is played, if any, and the places on the rest of the way. A pointer right at a place that can
   * be reached means that place, even if the block could not follow it there in a straight line.
   */
  release(dx, dy) {
    const pointer = [this.start[0] + dx, this.start[1] + dy];
    const rounded = this.nodes.get(key(pointer.map(Math.round)));
    const ends = [...new Set(this.edge)].map((name) => this.nodes.get(name));
    const near = ends.reduce((a, b) => (distance(b.place, this.at) < distance(a.place, this.at) ? b : a));
    const end = rounded ?? near;
    return { move: end.move, places: [this.at, ...this.path(end)] };
  }

  /** The places from one of the ends of the edge, where the block is, to a place of the net. */
  path(end) {
    const target = key(end.place);
    const before = new Map(this.edge.map((name) => [name, null]));
    // Nearer end first: the block does not turn back without need.
    const queue = [...new Set(this.edge)].sort((a, b) =>
      distance(this.nodes.get(a).place, this.at) - distance(this.nodes.get(b).place, this.at));
    while (queue.length > 0) {
      const name = queue.shift();
      if (name === target) break;
      for (const next of this.nodes.get(name).beside) {
        if (before.has(next)) continue;
        before.set(next, name);
        queue.push(next);
      }
    }
    const places = [];
    for (let name = target; name; name = before.get(name)) places.unshift(this.nodes.get(name).place);
    return places;
  }
}

/** The point of the edge from `a` to `b` that is nearest to a point. */
function nearest(a, b, wanted) {
  const along = [b[0] - a[0], b[1] - a[1]];
  const square = along[0] ** 2 + along[1] ** 2;
  if (square === 0) return a;
  const t = ((wanted[0] - a[0]) * along[0] + (wanted[1] - a[1]) * along[1]) / square;
  const within = Math.max(0, Math.min(1, t));
  return [a[0] + along[0] * within, a[1] + along[1] * within];
}
