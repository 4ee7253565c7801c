// Draws the graph on a canvas: only what is in view, and words only where they could be read.

import { colour } from "../parts/theme.js";
import { familyOf } from "../parts/status.js";
import { NODE_HEIGHT, NODE_WIDTH } from "./measures.js";

const ZOOM_MIN = 0.02;
const ZOOM_MAX = 2.5;
const WORDS_FROM = 0.45;
const IDS_FROM = 0.18;
const CLICK_PIXELS_MAX = 5;
const TITLE_CHARS_MAX = 26;
const FAMILIES = ["good", "bad", "warn", "busy", "ready", "idle"];

/** @typedef {{id: string, title: string, status: string, x: number, y: number}} Shown */

export class Drawing {
  /** @param {HTMLCanvasElement} canvas @param {(id: string|null) => void} choose */
  constructor(canvas, choose) {
    this.canvas = canvas;
    this.choose = choose;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Map<string, Shown>} */
    this.nodes = new Map();
    /** @type {{from: Shown, to: Shown, kind: string}[]} */
    this.edges = [];
    this.size = { width: 1, height: 1 };
    this.view = { x: 0, y: 0, scale: 1 };
    this.fitted = true; // until somebody moves it, the whole is shown
    this.chosen = /** @type {string|null} */ (null);
    this.frame = 0;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.moved = 0;
    this.stop = new AbortController();
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(canvas);
    this.recolour();
    this.listen();
  }

  end() {
    this.stop.abort();
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
  }

  recolour() {
    this.colours = { ink: colour("--ink"), soft: colour("--ink-soft"), paper: colour("--paper"), line: colour("--line-strong"), accent: colour("--accent") };
    this.families = Object.fromEntries(
      FAMILIES.map((name) => [name, name === "ready" ? [colour("--accent"), colour("--accent-soft")] : [colour(`--${name}`), colour(`--${name}-soft`)]]),
    );
    this.draw();
  }

  /** @param {{nodes: any[], edges: any[]}} graph @param {{places: any[], width: number, height: number}} layout */
  show(graph, layout) {
    const places = new Map(layout.places.map((place) => [place.id, place]));
    this.nodes = new Map();
    for (const node of graph.nodes) {
      const place = places.get(node.id);
      if (place) this.nodes.set(node.id, { ...node, x: place.x, y: place.y });
    }
    this.edges = [];
    for (const { from, to, kind } of graph.edges) {
      const ends = { from: this.nodes.get(from), to: this.nodes.get(to) };
      if (ends.from && ends.to) this.edges.push({ from: ends.from, to: ends.to, kind });
    }
    this.size = layout;
    if (this.fitted) this.fit();
    else this.draw();
  }

  /** @param {string|null} id */
  mark(id) {
    this.chosen = id;
    this.draw();
  }

  /** Shows the whole. */
  fit() {
    const { clientWidth, clientHeight } = this.canvas;
    const room = Math.min((clientWidth - 40) / this.size.width, (clientHeight - 40) / this.size.height);
    const scale = Math.max(ZOOM_MIN, Math.min(1, room));
    this.view = { scale, x: (clientWidth - this.size.width * scale) / 2, y: (clientHeight - this.size.height * scale) / 2 };
    this.fitted = true;
    this.draw();
  }

  move(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.fitted = false;
    this.draw();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, this.view.scale * factor));
    const real = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * real, y: y - (y - this.view.y) * real };
    this.fitted = false;
    this.draw();
  }

  resize() {
    const sharp = devicePixelRatio || 1;
    this.canvas.width = Math.round(this.canvas.clientWidth * sharp);
    this.canvas.height = Math.round(this.canvas.clientHeight * sharp);
    if (this.fitted) this.fit();
    else this.draw();
  }

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  paint() {
    const { pen, canvas, view, colours } = this;
    const sharp = devicePixelRatio || 1;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(view.scale * sharp, 0, 0, view.scale * sharp, view.x * sharp, view.y * sharp);
    const seen = {
      left: -view.x / view.scale,
      top: -view.y / view.scale,
      right: (canvas.clientWidth - view.x) / view.scale,
      bottom: (canvas.clientHeight - view.y) / view.scale,
    };
    this.paintEdges(seen);
    const words = view.scale >= WORDS_FROM;
    pen.textBaseline = "middle";
    for (const node of this.nodes.values()) {
      if (node.x > seen.right || node.y > seen.bottom || node.x + NODE_WIDTH < seen.left || node.y + NODE_HEIGHT < seen.top) continue;
      this.paintNode(node, words, colours);
    }
  }

  /** @param {Shown} node @param {boolean} words @param {any} colours */
  paintNode(node, words, colours) {
    const { pen } = this;
    const [strong, soft] = this.families[familyOf(node.status)];
    const ids = this.view.scale >= IDS_FROM;
    pen.fillStyle = ids ? soft : strong;
    pen.beginPath();
    if (ids) pen.roundRect(node.x, node.y, NODE_WIDTH, NODE_HEIGHT, 7);
    else pen.rect(node.x, node.y, NODE_WIDTH, NODE_HEIGHT);
    pen.fill();
    if (node.id === this.chosen) {
      pen.strokeStyle = colours.accent;
      pen.lineWidth = 3 / Math.min(1, this.view.scale);
      pen.stroke();
    }
    if (!ids) return;
    pen.fillStyle = strong;
    pen.fillRect(node.x, node.y, words ? 4 : 10, NODE_HEIGHT);
    if (!words) {
      pen.font = "600 30px system-ui, sans-serif";
      pen.fillText(node.id, node.x + 24, node.y + NODE_HEIGHT / 2, NODE_WIDTH - 30);
      return;
    }
    pen.font = "600 12px system-ui, sans-serif";
    pen.fillText(`${node.id}  ${node.status.toLowerCase().replaceAll("_", " ")}`, node.x + 12, node.y + 15);
    pen.fillStyle = colours.ink;
    pen.font = "13px system-ui, sans-serif";
    const title = node.title.length > TITLE_CHARS_MAX ? `${node.title.slice(0, TITLE_CHARS_MAX)}\u2026` : node.title;
    pen.fillText(title, node.x + 12, node.y + 32, NODE_WIDTH - 20);
  }

  paintEdges(seen) {
    const { pen, view, colours } = this;
    const near = (edge) => this.chosen !== null && (edge.from.id === this.chosen || edge.to.id === this.chosen);
    for (const marked of [false, true]) {
      pen.strokeStyle = marked ? colours.accent : colours.line;
      pen.lineWidth = (marked ? 2 : 1) / Math.max(0.5, Math.min(1, view.scale));
      pen.beginPath();
      for (const edge of this.edges) {
        if (near(edge) !== marked) continue;
        const [x1, y1] = [edge.from.x + NODE_WIDTH, edge.from.y + NODE_HEIGHT / 2];
        const [x2, y2] = [edge.to.x, edge.to.y + NODE_HEIGHT / 2];
        if (Math.max(x1, x2) < seen.left || Math.min(x1, x2) > seen.right || Math.max(y1, y2) < seen.top || Math.min(y1, y2) > seen.bottom) continue;
        const bend = Math.max(20, Math.abs(x2 - x1) / 2);
        pen.moveTo(x1, y1);
        if (view.scale < 0.15) pen.lineTo(x2, y2);
        else pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
        if (view.scale >= WORDS_FROM) {
          pen.moveTo(x2 - 6, y2 - 4);
          pen.lineTo(x2, y2);
          pen.lineTo(x2 - 6, y2 + 4);
        }
      }
      pen.stroke();
    }
  }

  listen() {
    const how = { signal: this.stop.signal };
    this.canvas.addEventListener("pointerdown", (event) => this.press(event), how);
    this.canvas.addEventListener("pointermove", (event) => this.drag(event), how);
    this.canvas.addEventListener("pointerup", (event) => this.lift(event, true), how);
    this.canvas.addEventListener("pointercancel", (event) => this.lift(event, false), how);
    const wheel = (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
    };
    this.canvas.addEventListener("wheel", wheel, { ...how, passive: false });
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.fingers.size === 1) this.moved = 0;
  }

  /** One finger moves the drawing, two zoom it. */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      this.canvas.style.cursor = this.at(event.offsetX, event.offsetY) ? "pointer" : "grab";
      return;
    }
    const after = { x: event.offsetX, y: event.offsetY };
    const other = [...this.fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, after);
    this.moved += Math.hypot(after.x - before.x, after.y - before.y);
    if (!other) this.move(after.x - before.x, after.y - before.y);
    else {
      const apart = (finger) => Math.hypot(finger.x - other.x, finger.y - other.y) || 1;
      this.zoom(apart(after) / apart(before), (after.x + other.x) / 2, (after.y + other.y) / 2);
    }
  }

  lift(event, click) {
    this.fingers.delete(event.pointerId);
    if (click && this.moved < CLICK_PIXELS_MAX) this.choose(this.at(event.offsetX, event.offsetY)?.id ?? null);
  }

  /** Chooses the task that is nearest to the middle, for who does not point. */
  chooseMiddle() {
    const middle = {
      x: (this.canvas.clientWidth / 2 - this.view.x) / this.view.scale - NODE_WIDTH / 2,
      y: (this.canvas.clientHeight / 2 - this.view.y) / this.view.scale - NODE_HEIGHT / 2,
    };
    const away = (node) => Math.hypot(node.x - middle.x, node.y - middle.y);
    let nearest = null;
    for (const node of this.nodes.values()) if (!nearest || away(node) < away(nearest)) nearest = node;
    if (nearest) this.choose(nearest.id);
  }

  /** The task at a place of the canvas. */
  at(x, y) {
    const place = { x: (x - this.view.x) / this.view.scale, y: (y - this.view.y) / this.view.scale };
    for (const node of this.nodes.values()) {
      if (place.x >= node.x && place.x <= node.x + NODE_WIDTH && place.y >= node.y && place.y <= node.y + NODE_HEIGHT) return node;
    }
    return null;
  }
}
