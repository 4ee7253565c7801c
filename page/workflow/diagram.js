// A BPMN diagram, drawn by bpmn-js in the page's own colours, with badges on its nodes. The drawing is
// told from the text beside it, too: whoever does not see it misses nothing.

import { html, useState, useEffect, useRef } from "../lib.js";
import { Sentence } from "../parts/problem.js";
import { sheet } from "../parts/sheet.js";

/**
 * What stands at a node: a corner, the words in it, its family of colours and what it means.
 * @typedef {{node: string, corner: "left"|"right"|"below", text: string, family: string, title: string}} Badge
 */

const CORNERS = {
  left: { top: -17, left: -15 },
  right: { top: -17, right: 18 },
  below: { bottom: -3, left: 0 },
};
const ZOOM_STEP = 1.25;
const SCALE_MIN = 0.6;
const SCALE_MAX = 1.2;
const MARGIN = 46;
const HEIGHT_MIN = 240;
const HEIGHT_MAX = 640;

/** @type {Promise<any>|null} */
let viewers = null;

/** The viewer's code and looks are fetched when the first diagram is shown. */
function loadViewer() {
  viewers ??= Promise.all([import("../lib/bpmn.js"), sheet("/page/lib/diagram.css"), sheet("/page/lib/bpmn.css")]).then(
    () => /** @type {any} */ (globalThis).BpmnJS,
  );
  return viewers;
}

/** A drawing follows the theme by itself, since its colours are those of the style sheet. */
function newViewer(Viewer, container) {
  return new Viewer({
    container,
    bpmnRenderer: {
      defaultFillColor: "var(--paper)",
      defaultStrokeColor: "var(--ink)",
      defaultLabelColor: "var(--ink)",
    },
    textRenderer: { defaultStyle: { fontFamily: "system-ui, sans-serif" } },
    zoomScroll: { enabled: false }, // the wheel moves the page; buttons and keys zoom
  });
}

/** @param {Badge} badge */
function badgeElement(badge) {
  const element = document.createElement("span");
  element.className = `badge ${badge.family} ${badge.corner}`;
  element.textContent = badge.text;
  element.title = badge.title;
  return element;
}

/**
 * @param {{xml: string, label: string, badges?: Badge[], marks?: Record<string, string>, chosen?: string|null,
 *   choose?: (node: string|null) => void}} props
 * marks are classes by node, such as "now" or "incident".
 */
export function Diagram({ xml, label, badges = [], marks = {}, chosen = null, choose }) {
  const place = useRef(/** @type {HTMLElement|null} */ (null));
  const [viewer, setViewer] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {Error|null} */ (null));
  const chooser = useRef(choose);
  chooser.current = choose;

  useEffect(() => {
    let made = null;
    let over = false;
    const draw = async () => {
      const Viewer = await loadViewer();
      if (over || !place.current) return;
      made = newViewer(Viewer, place.current);
      await made.importXML(xml);
      if (over) return;
      settle(made, place.current, label);
      made.on("element.click", ({ element }) => chooser.current?.(nodeOf(element)));
      setProblem(null);
      setViewer(made);
    };
    draw().catch((failed) => !over && setProblem(new Error(`this cannot be drawn: ${failed.message}`)));
    return () => {
      over = true;
      setViewer(null);
      made?.destroy();
    };
  }, [xml]);

  useEffect(() => {
    if (!viewer) return undefined;
    const overlays = viewer.get("overlays");
    const known = viewer.get("elementRegistry");
    const added = badges
      .filter((badge) => known.get(badge.node))
      .map((badge) => overlays.add(badge.node, { position: CORNERS[badge.corner], html: badgeElement(badge) }));
    return () => added.forEach((id) => overlays.remove(id));
  }, [viewer, JSON.stringify(badges)]);

  const classes = chosen ? { ...marks, [chosen]: `${marks[chosen] ?? ""} chosen`.trim() } : marks;
  useEffect(() => {
    if (!viewer) return undefined;
    const canvas = viewer.get("canvas");
    const known = viewer.get("elementRegistry");
    const all = Object.entries(classes)
      .filter(([node]) => known.get(node))
      .flatMap(([node, words]) => words.split(" ").map((word) => [node, `is-${word}`]));
    all.forEach(([node, word]) => canvas.addMarker(node, word));
    return () => all.forEach(([node, word]) => canvas.removeMarker(node, word));
  }, [viewer, JSON.stringify(classes)]);

  // Once, when the drawing is there: later it would be taken from under a person's finger.
  const shown = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const node = current(marks);
    if (!viewer || !node || shown.current === viewer) return;
    shown.current = viewer;
    scrollTo(viewer, place.current, node);
  }, [viewer, JSON.stringify(marks)]);

  const zoom = (by) => viewer?.get("canvas").zoom(viewer.get("canvas").zoom() * by);
  return html`<div class="diagram">
    <div class="sideways"><div class="drawing" ref=${place}></div></div>
    <p class="hint soft small">The diagram is wider than the window: scroll it sideways.</p>
    <${Sentence} problem=${problem} />
    ${viewer &&
    html`<div class="zoom" role="group" aria-label="Size of the diagram">
      <button type="button" class="small" aria-label="Larger" onClick=${() => zoom(ZOOM_STEP)}>+</button>
      <button type="button" class="small" aria-label="Smaller" onClick=${() => zoom(1 / ZOOM_STEP)}>−</button>
      <button type="button" class="small" onClick=${() => fit(viewer)}>Fit</button>
    </div>`}
  </div>`;
}

/** A node, or null for the ground and for what only connects nodes. */
function nodeOf(element) {
  if (!element.parent || element.waypoints) return null;
  return element.labelTarget?.id ?? element.id;
}

/** The node that a person looks for first: one with an incident, or one with a token. */
function current(marks) {
  const nodes = Object.keys(marks);
  return nodes.find((node) => marks[node].includes("incident")) ?? nodes.find((node) => marks[node].includes("now"));
}

/** Brings a node to the middle of what is in view. */
function scrollTo(viewer, place, node) {
  const shape = viewer.get("elementRegistry").get(node);
  const window = place?.parentElement;
  if (!shape || !window) return;
  const { x, scale } = viewer.get("canvas").viewbox();
  window.scrollLeft = (shape.x + (shape.width ?? 0) / 2 - x) * scale - window.clientWidth / 2;
}

/** As large as its place allows with a margin, and hardly larger than drawn. */
function fit(viewer) {
  const canvas = viewer.get("canvas");
  const { inner, outer } = canvas.viewbox();
  const scale = Math.min(SCALE_MAX, outer.width / (inner.width + 2 * MARGIN), outer.height / (inner.height + 2 * MARGIN));
  const [width, height] = [outer.width / scale, outer.height / scale];
  canvas.viewbox({ x: inner.x - (width - inner.width) / 2, y: inner.y - (height - inner.height) / 2, width, height });
}

/** The place becomes as high as the drawing needs, within limits; a narrow window scrolls sideways to read it. */
function settle(viewer, place, label) {
  const canvas = viewer.get("canvas");
  const { inner } = canvas.viewbox();
  place.style.minWidth = `${Math.round((inner.width + 2 * MARGIN) * SCALE_MIN)}px`;
  const scale = Math.min(SCALE_MAX, place.clientWidth / (inner.width + 2 * MARGIN));
  place.style.height = `${Math.round(Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, (inner.height + 2 * MARGIN) * scale)))}px`;
  canvas.resized();
  fit(viewer);
  place.parentElement?.classList.toggle("wide", place.scrollWidth > place.parentElement.clientWidth);
  const svg = place.querySelector("svg");
  svg?.setAttribute("role", "group");
  svg?.setAttribute("aria-label", label);
}
