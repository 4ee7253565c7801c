// Places the tasks of a graph, in a worker, so that the page stays smooth meanwhile. Parts that hang together are
// laid out apart from each other, by dagre where that is quick, and in plain layers where it would take too long.

import dagre from "../lib/dagre.js";
import { NODE_HEIGHT, NODE_WIDTH } from "./measures.js";

const GAP_ACROSS = 24;
const GAP_ALONG = 70;
const PART_GAP = 60;
const DAGRE_NODES_MAX = 300;
const SWEEPS = 6;

/** @typedef {{id: string, x: number, y: number}} Placed */
/** @typedef {{from: string, to: string}} Edge */

/**
 * @param {string[]} ids @param {Edge[]} edges @param {number} shape width by height of where it is shown
 * @returns {{places: Placed[], width: number, height: number}}
 */
export function layout(ids, edges, shape = 1.6) {
  const parts = partsOf(ids, edges);
  const alone = parts.filter((part) => part.ids.length === 1).map((part) => part.ids[0]);
  const boxes = parts
    .filter((part) => part.ids.length > 1)
    .sort((a, b) => b.ids.length - a.ids.length)
    .map((part) => (part.ids.length > DAGRE_NODES_MAX ? layered(part) : byDagre(part)));
  if (alone.length > 0) boxes.push(grid(alone, shape));
  return pack(boxes, shape);
}

/** @param {string[]} ids @param {Edge[]} edges */
function partsOf(ids, edges) {
  const near = new Map(ids.map((id) => [id, /** @type {string[]} */ ([])]));
  const inside = edges.filter((edge) => near.has(edge.from) && near.has(edge.to) && edge.from !== edge.to);
  for (const { from, to } of inside) {
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  const partOf = new Map();
  const parts = [];
  for (const start of ids) {
    if (partOf.has(start)) continue;
    const part = { ids: [start], edges: /** @type {Edge[]} */ ([]) };
    parts.push(part);
    partOf.set(start, part);
    for (let at = 0; at < part.ids.length; at++) {
      for (const next of near.get(part.ids[at]) ?? []) {
        if (partOf.has(next)) continue;
        partOf.set(next, part);
        part.ids.push(next);
      }
    }
  }
  for (const edge of inside) partOf.get(edge.from).edges.push(edge);
  return parts;
}

function byDagre({ ids, edges }) {
  const graph = new dagre.graphlib.Graph({ multigraph: false });
  graph.setGraph({ rankdir: "LR", nodesep: GAP_ACROSS, ranksep: GAP_ALONG, ranker: "tight-tree" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const places = ids.map((id) => ({ id, x: graph.node(id).x - NODE_WIDTH / 2, y: graph.node(id).y - NODE_HEIGHT / 2 }));
  return boxed(places);
}

/** Layers by the longest way to each task; inside a layer, tasks go near those they hang together with. */
function layered({ ids, edges }) {
  const into = new Map(ids.map((id) => [id, /** @type {string[]} */ ([])]));
  const outOf = new Map(ids.map((id) => [id, /** @type {string[]} */ ([])]));
  for (const { from, to } of edges) {
    into.get(to)?.push(from);
    outOf.get(from)?.push(to);
  }
  const waiting = new Map(ids.map((id) => [id, into.get(id)?.length ?? 0]));
  const layerOf = new Map(ids.map((id) => [id, 0]));
  const queue = ids.filter((id) => waiting.get(id) === 0);
  for (let at = 0; at < queue.length; at++) {
    for (const next of outOf.get(queue[at]) ?? []) {
      layerOf.set(next, Math.max(layerOf.get(next) ?? 0, (layerOf.get(queue[at]) ?? 0) + 1));
      waiting.set(next, (waiting.get(next) ?? 0) - 1);
      if (waiting.get(next) === 0) queue.push(next);
    }
  }
  const layers = /** @type {string[][]} */ ([]);
  for (const id of ids) (layers[layerOf.get(id) ?? 0] ??= []).push(id);
  const rows = new Map();
  const order = (layer) => layer.forEach((id, row) => rows.set(id, row - layer.length / 2));
  layers.forEach(order);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const near = down ? into : outOf;
      const middle = new Map(layer.map((id) => [id, mean((near.get(id) ?? []).map((other) => rows.get(other)), rows.get(id))]));
      layer.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
      order(layer);
    }
  }
  const places = ids.map((id) => ({
    id,
    x: (layerOf.get(id) ?? 0) * (NODE_WIDTH + GAP_ALONG),
    y: rows.get(id) * (NODE_HEIGHT + GAP_ACROSS),
  }));
  return boxed(places);
}

function mean(numbers, otherwise) {
  return numbers.length === 0 ? otherwise : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

/** Tasks that hang together with nothing stand in rows. */
function grid(ids, shape) {
  const across = NODE_WIDTH + GAP_ACROSS;
  const down = NODE_HEIGHT + GAP_ACROSS;
  const columns = Math.max(1, Math.round(Math.sqrt((ids.length * shape * down) / across)));
  return boxed(ids.map((id, at) => ({ id, x: (at % columns) * across, y: Math.floor(at / columns) * down })));
}

/** @param {Placed[]} places */
function boxed(places) {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { x, y } of places) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + NODE_WIDTH);
    bottom = Math.max(bottom, y + NODE_HEIGHT);
  }
  for (const place of places) {
    place.x -= left;
    place.y -= top;
  }
  return { places, width: right - left, height: bottom - top };
}

/** Boxes side by side in rows, about as wide as it is shown. */
function pack(boxes, shape) {
  const area = boxes.reduce((sum, box) => sum + (box.width + PART_GAP) * (box.height + PART_GAP), 0);
  const widest = Math.max(0, ...boxes.map((box) => box.width));
  const limit = Math.max(widest, Math.sqrt(area * shape));
  const places = [];
  let x = 0;
  let y = 0;
  let row = 0;
  let width = 0;
  for (const box of boxes) {
    if (x > 0 && x + box.width > limit) {
      x = 0;
      y += row + PART_GAP;
      row = 0;
    }
    for (const place of box.places) places.push({ id: place.id, x: place.x + x, y: place.y + y });
    x += box.width + PART_GAP;
    row = Math.max(row, box.height);
    width = Math.max(width, x - PART_GAP);
  }
  return { places, width, height: y + row };
}

// In a worker: a question in, its answer out.
if (typeof document === "undefined") {
  addEventListener("message", (event) => {
    const { number, ids, edges, shape } = event.data;
    postMessage({ number, ...layout(ids, edges, shape) });
  });
}
