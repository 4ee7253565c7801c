// Tasks: all of them as a table with filters and search, or as the graph of what waits for what.

import { html, useState, useEffect, useRef } from "../lib.js";
import { address, get, send } from "../api.js";
import { useFresh } from "../live.js";
import { Heading } from "../parts/heading.js";
import { Sentence } from "../parts/problem.js";
import { Empty } from "../parts/empty.js";
import { Act } from "../parts/act.js";
import { Command } from "../parts/command.js";
import { mainstay } from "../parts/shell.js";
import { Status, standingOf } from "../parts/status.js";
import { Table } from "../parts/table.js";
import { Tabs } from "../parts/tabs.js";
import { Word } from "../parts/word.js";
import { Ago } from "../parts/time.js";
import { TaskLink, TerminalLink, taskHref } from "../parts/link.js";
import { useIsPerson } from "../parts/caller.js";
import { Graph } from "../tasks/graph.js";

export const title = "Tasks";

const PAGE_TASKS = 50;
const TYPING_MS = 250;

const STATUSES = [
  ["", "Any status"],
  ["PENDING,ASSIGNED,IN_PROGRESS", "Open"],
  ["READY", "Ready"],
  ["WAITING", "Waiting"],
  ["ASSIGNED,IN_PROGRESS", "At work"],
  ["COMPLETED", "Completed"],
  ["FAILED", "Failed"],
  ["CANCELLED", "Cancelled"],
];

const ORDERS = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["urgent", "Most urgent first"],
];

/** Entries about tasks change what is shown here; others do not. */
const aboutTasks = (entry) => entry.stream.startsWith("task/");

export default function Tasks({ query, go }) {
  const asked = {
    status: query.get("status") ?? "",
    type: query.get("type") ?? "",
    search: query.get("search") ?? "",
    order: query.get("order") ?? "newest",
    root: query.get("root") ?? "",
  };
  const view = query.get("view") === "graph" ? "graph" : "table";
  const person = useIsPerson();
  /** A filter is a place one can come back to, but each letter of a search is not. */
  const ask = (changes, typed = false) => {
    const next = { ...asked, view: view === "table" ? "" : view, ...changes };
    if (next.order === "newest") next.order = "";
    const hash = address("#/tasks", next);
    if (!typed) return go(hash);
    history.replaceState(null, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  return html`<${Heading} title="Tasks">${person && html`<${NewTask} go=${go} />`}</${Heading}>
    <${Filters} asked=${asked} ask=${ask} view=${view} />
    <${Tabs} label="Ways to look" current=${view} to=${(id) => ask({ view: id === "table" ? "" : id })}
      tabs=${[{ id: "table", name: "Table" }, { id: "graph", name: "Graph" }]} />
    <div role="tabpanel" id="panel-${view}" aria-labelledby="tab-${view}">
      ${view === "table" ? html`<${List} asked=${asked} key=${JSON.stringify(asked)} />` : html`<${Graph} asked=${asked} ask=${ask} />`}
    </div>`;
}

const BLANK = { title: "", description: "", type: "", priority: "", dependencies: "" };

function NewTask({ go }) {
  const [fields, setFields] = useState(BLANK);
  const set = (name) => (event) => setFields((before) => ({ ...before, [name]: event.target.value }));
  const dependencies = fields.dependencies.split(/[\s,]+/).filter(Boolean);
  const command = mainstay("task create", [fields.title || "TITLE"], {
    description: fields.description,
    type: fields.type,
    priority: fields.priority,
    "depends-on": dependencies.join(","),
  });
  const run = () =>
    send("POST", "/tasks", {
      title: fields.title,
      ...(fields.description && { description: fields.description }),
      ...(dependencies.length > 0 && { dependencies }),
      ...(fields.type && { task_type: fields.type }),
      ...(fields.priority && { priority: Number(fields.priority) }),
    });
  const made = (task) => {
    setFields(BLANK);
    go(taskHref(task.id));
  };
  return html`<${Act} label="New task" command=${command} run=${run} onDone=${made} done="The task is made.">
    <label>Title <input required maxlength="200" value=${fields.title} onInput=${set("title")} /></label>
    <label>Description <textarea placeholder="The whole specification, if the title is not enough" value=${fields.description} onInput=${set("description")}></textarea></label>
    <label>Waits for <input placeholder="Tasks that must be completed first, such as T-001, T-002" value=${fields.dependencies} onInput=${set("dependencies")} spellcheck="false" /></label>
    <label>Type <input placeholder="CODE" maxlength="40" value=${fields.type} onInput=${set("type")} /></label>
    <label>Priority, higher is more urgent <input type="number" step="1" placeholder="0" value=${fields.priority} onInput=${set("priority")} /></label>
  </${Act}>`;
}

function Filters({ asked, ask, view }) {
  const [typed, setTyped] = useState(asked.search);
  const [type, setType] = useState(asked.type);
  const timer = useRef(0);
  // What was asked for by typing here must not come back over letters that were typed since.
  const own = useRef({ search: asked.search, type: asked.type });
  useEffect(() => void (asked.search !== own.current.search && setTyped((own.current.search = asked.search))), [asked.search]);
  useEffect(() => void (asked.type !== own.current.type && setType((own.current.type = asked.type))), [asked.type]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (changes) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      Object.assign(own.current, changes);
      ask(changes, true);
    }, TYPING_MS);
  };
  const choose = (name) => (event) => ask({ [name]: event.target.value });
  const known = STATUSES.some(([value]) => value === asked.status);
  return html`<search class="filters">
    <label class="grow"><span class="hidden">Search</span>
      <input type="search" placeholder="Search titles and descriptions" value=${typed}
        onInput=${(event) => { setTyped(event.target.value); later({ search: event.target.value.trim() }); }} />
    </label>
    <label><span class="hidden">Status</span>
      <select value=${asked.status} onChange=${choose("status")}>
        ${STATUSES.map(([value, says]) => html`<option key=${value} value=${value}>${says}</option>`)}
        ${!known && html`<option value=${asked.status}>${asked.status}</option>`}
      </select>
    </label>
    <label class="type"><span class="hidden">Type</span>
      <input placeholder="Any type" value=${type} list="task-types"
        onInput=${(event) => { setType(event.target.value); later({ type: event.target.value.trim().toUpperCase() }); }} />
      <datalist id="task-types"><option value="CODE" /><option value="REVIEW" /><option value="TEST" /><option value="ANALYZE" /></datalist>
    </label>
    ${view === "table" &&
    html`<label><span class="hidden">Order</span>
      <select value=${asked.order} onChange=${choose("order")}>${ORDERS.map(([value, says]) => html`<option key=${value} value=${value}>${says}</option>`)}</select>
    </label>`}
    ${asked.root && html`<button type="button" class="small" onClick=${() => ask({ root: "" })}>Around ${asked.root}: show all</button>`}
  </search>`;
}

const COLUMNS = [
  { name: "ID", narrow: true, cell: (task) => html`<${TaskLink} id=${task.id} />` },
  { name: "Status", narrow: true, cell: (task) => html`<${Status} of=${standingOf(task)} />` },
  { name: "Title", wide: true, cell: (task) => html`<a class="plain" href=${taskHref(task.id)}><${Word} text=${task.title} max=${160} /></a>${task.reason && html`<div class="soft small"><${Word} text=${task.reason} max=${120} /></div>`}` },
  { name: "Type", narrow: true, cell: (task) => html`<${Word} text=${task.task_type} max=${24} />` },
  { name: "Priority", align: "right", cell: (task) => task.priority },
  { name: "Waits for", cell: (task) => task.unmet_dependencies > 0 && html`<a href="#/tasks?view=graph&root=${task.id}">${task.unmet_dependencies}</a>`, align: "right" },
  { name: "Holder", narrow: true, cell: (task) => html`<${TerminalLink} id=${task.lease_holder} />` },
  { name: "Changed", narrow: true, cell: (task) => html`<${Ago} at=${task.updated_at} />` },
];

/** One page of the list at a time, each kept fresh; cursors lead on and back. */
function List({ asked }) {
  const [cursors, setCursors] = useState(/** @type {string[]} */ ([]));
  const { root: _, ...filter } = asked;
  const load = () => get("/tasks", { ...filter, cursor: cursors.at(-1), limit: PAGE_TASKS });
  const { value, problem, loading } = useFresh(load, aboutTasks, [cursors.length]);
  const filtered = asked.status || asked.type || asked.search;
  const empty = filtered
    ? html`<${Empty} title="No task is like that"><p><a href="#/tasks">Show all tasks</a></p></${Empty}>`
    : html`<${Empty} title="There is no task yet"><p><${Command} line="mainstay task create 'Add login'" /></p></${Empty}>`;
  return html`<${Sentence} problem=${problem} />
    ${loading && html`<p class="soft loading">Loading</p>`}
    ${value && html`<div class="card flush"><${Table} caption="Tasks" columns=${COLUMNS} rows=${value.items} keyOf=${(task) => task.id} empty=${empty} /></div>`}
    ${(cursors.length > 0 || value?.next) &&
    html`<nav class="pager" aria-label="Pages of the list">
      <button type="button" disabled=${cursors.length === 0} onClick=${() => setCursors(cursors.slice(0, -1))}>Previous</button>
      <span class="soft small">Page ${cursors.length + 1}</span>
      <button type="button" disabled=${!value?.next} onClick=${() => setCursors([...cursors, value.next])}>Next</button>
    </nav>`}`;
}
