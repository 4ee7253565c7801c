// The graph of what waits for what, drawn on a canvas: thousands of tasks stay smooth to move and to zoom.
// Everything in it is in the table, too, for those who do not point.

import { html, useState, useEffect, useRef } from "../lib.js";
import { get } from "../api.js";
import { useFresh } from "../live.js";
import { Sentence } from "../parts/problem.js";
import { Empty } from "../parts/empty.js";
import { Status } from "../parts/status.js";
import { Word } from "../parts/word.js";
import { TaskLink } from "../parts/link.js";
import { onTheme } from "../parts/theme.js";
import { Drawing } from "./drawing.js";

const GRAPH_NODES_MAX = 2000;
const LEGEND = ["READY", "WAITING", "ASSIGNED", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"];

/** The same graph, in which what is pending is ready or waits. */
function standing(graph) {
  const told = (node) => (node.status === "PENDING" ? { ...node, status: node.ready ? "READY" : "WAITING" } : node);
  return { ...graph, nodes: graph.nodes.map(told) };
}

/** What changes the graph: a task made, moved or made to wait. */
const movesTasks = (entry) => entry.stream.startsWith("task/") && entry.kind.startsWith("task.");

export function Graph({ asked, ask }) {
  const filter = { root: asked.root, status: asked.status, type: asked.type, search: asked.search };
  const load = async () => standing(await get("/tasks/graph", { ...filter, limit: GRAPH_NODES_MAX }));
  const { value, problem, loading } = useFresh(load, movesTasks, Object.values(filter));
  const layout = useLayout(value);
  const [chosen, setChosen] = useState(/** @type {string|null} */ (null));
  const node = value?.nodes.find((each) => each.id === chosen);
  if (problem && !value) return html`<${Sentence} problem=${problem} />`;
  if (value && value.nodes.length === 0) return html`<div class="card"><${Empty} title="No task is like that" /></div>`;
  return html`<${Sentence} problem=${problem} />
    <div class="graph card flush">
      ${value && layout && html`<${Canvas} graph=${value} layout=${layout} chosen=${chosen} choose=${setChosen} />`}
      ${(loading || !layout) && html`<p class="soft over">${value ? "Placing the tasks" : "Loading"}</p>`}
      ${node &&
      html`<aside class="chosen card" aria-label="The chosen task" aria-live="polite">
        <p><${TaskLink} id=${node.id} /> <${Status} of=${node.status} /></p>
        <p><${Word} text=${node.title} max=${200} /></p>
        <p class="actions">
          <button type="button" class="small" onClick=${() => ask({ root: node.id })}>Only what hangs together with it</button>
          <button type="button" class="small quiet" onClick=${() => setChosen(null)}>Close</button>
        </p>
      </aside>`}
    </div>
    ${value &&
    html`<p class="legend" aria-hidden="true">${LEGEND.map((status) => html`<${Status} key=${status} of=${status} />`)}</p>
    <p class="soft small legend">
      ${value.nodes.length.toLocaleString("en")} tasks, ${value.edges.length.toLocaleString("en")} dependencies${value.left_out > 0 && `; ${value.left_out.toLocaleString("en")} more are left out, narrow the search to see them`}.
      An arrow leads from a task to what waits for it. Drag to move, scroll to zoom, or use the arrow keys, + and \u2212; Enter chooses the task in the middle.
    </p>`}`;
}

/** Where the tasks stand; asked of the worker only when the shape of the graph changed. */
function useLayout(graph) {
  const [layout, setLayout] = useState(/** @type {any} */ (null));
  const worker = useRef(/** @type {Worker|null} */ (null));
  const number = useRef(0);
  const ids = graph?.nodes.map((node) => node.id) ?? [];
  const edges = graph?.edges.map(({ from, to }) => ({ from, to })) ?? [];
  const shape = JSON.stringify([ids, edges]);
  useEffect(() => {
    const made = new Worker("/page/tasks/layout.js", { type: "module" });
    made.onmessage = (event) => event.data.number === number.current && setLayout(event.data);
    worker.current = made;
    return () => made.terminate();
  }, []);
  useEffect(() => {
    if (ids.length === 0) return;
    worker.current?.postMessage({ number: ++number.current, ids, edges, shape: innerWidth > 700 ? 1.8 : 0.8 });
  }, [shape]);
  return layout;
}

function Canvas({ graph, layout, chosen, choose }) {
  const canvas = useRef(/** @type {HTMLCanvasElement|null} */ (null));
  const drawing = useRef(/** @type {Drawing|null} */ (null));
  useEffect(() => {
    const made = new Drawing(/** @type {HTMLCanvasElement} */ (canvas.current), choose);
    drawing.current = made;
    const end = onTheme(() => made.recolour());
    return () => {
      end();
      made.end();
    };
  }, []);
  useEffect(() => drawing.current?.show(graph, layout), [graph, layout]);
  useEffect(() => drawing.current?.mark(chosen), [chosen]);
  const keys = (event) => {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (step) drawing.current?.move(step[0], step[1]);
    else if (event.key === "+" || event.key === "=") drawing.current?.zoom(1.25);
    else if (event.key === "-") drawing.current?.zoom(0.8);
    else if (event.key === "0") drawing.current?.fit();
    else if (event.key === "Enter") drawing.current?.chooseMiddle();
    else return;
    event.preventDefault();
  };
  const label = `Graph of ${graph.nodes.length} tasks and ${graph.edges.length} dependencies. Enter chooses the one in the middle; the table shows the same tasks.`;
  return html`<canvas ref=${canvas} tabindex="0" role="img" aria-label=${label} onKeyDown=${keys}></canvas>
    <div class="graph-zoom">
      <button type="button" class="small" aria-label="Zoom in" onClick=${() => drawing.current?.zoom(1.25)}>+</button>
      <button type="button" class="small" aria-label="Zoom out" onClick=${() => drawing.current?.zoom(0.8)}>\u2212</button>
      <button type="button" class="small" onClick=${() => drawing.current?.fit()}>Fit</button>
    </div>`;
}
