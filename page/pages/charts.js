// Charts: what was done, where the time went, how prompts stay small, and which writes were spared.

import { html } from "../lib.js";
import { address, get } from "../api.js";
import { useFresh } from "../live.js";
import { Command } from "../parts/command.js";
import { Empty } from "../parts/empty.js";
import { Heading } from "../parts/heading.js";
import { Sentence } from "../parts/problem.js";
import { wordOf } from "../parts/status.js";
import { Table } from "../parts/table.js";
import { byTurn, eventful, everyHour, hourName, lasting, statusTimes } from "../charts/figures.js";
import { Plot, short } from "../charts/plot.js";

export const title = "Charts";

const SPANS = [
  { hours: 24, says: "A day" },
  { hours: 72, says: "Three days" },
  { hours: 168, says: "A week" },
];

/** @param {{query: URLSearchParams, go: (hash: string) => void}} props */
export default function Page({ query, go }) {
  const asked = Number(query.get("hours"));
  const hours = SPANS.some((each) => each.hours === asked) ? asked : SPANS[0].hours;
  const known = useFresh(() => get("/charts", { hours }), undefined, [hours]);
  const figures = known.value;
  return html`<${Heading} title="Charts">
      <label class="span">Over
        <select value=${String(hours)} onChange=${(event) => go(address("#/charts", { hours: event.target.value }))}>
          ${SPANS.map((each) => html`<option key=${each.hours} value=${String(each.hours)}>${each.says}</option>`)}
        </select>
      </label>
    <//>
    <${Sentence} problem=${known.problem} />
    ${!figures && known.loading && html`<p class="soft loading">Loading</p>`}
    ${figures &&
    html`<div class="charts">
      <${Done} rows=${figures.done} hours=${hours} />
      <${StatusTime} rows=${figures.status_time} />
      <${Prompts} prompts=${figures.prompts} />
      <${Writes} rows=${figures.writes} hours=${hours} />
    </div>`}`;
}

/** A sheet with a figure, what it says in one sentence, and the same as a table. */
function Chart({ name, says, empty, children, table }) {
  const id = `chart-${name.toLowerCase().replaceAll(" ", "-")}`;
  return html`<section class="card chart" aria-labelledby=${id}>
    <h2 id=${id}>${name}</h2>
    ${empty || html`<p class="says">${says}</p>${children}<details><summary>As a table</summary>${table}</details>`}
  </section>`;
}

const sum = (list, of) => list.reduce((all, each) => all + of(each), 0);
const counted = (n, one, many) => `${short(n)} ${n === 1 ? one : many}`;

function Done({ rows: told, hours }) {
  const rows = eventful(told, "completed", "failed");
  const all = everyHour(rows, hours);
  const completed = sum(rows, (row) => row.completed);
  const failed = sum(rows, (row) => row.failed);
  return html`<${Chart}
    name="Tasks done per hour"
    says="${counted(completed, "task was", "tasks were")} completed and ${short(failed)} failed."
    empty=${rows.length === 0 && html`<${Empty} title="No task ended in this time"><p>Tasks that are completed or fail are counted here.</p><//>`}
    table=${html`<${Table} caption="Tasks done per hour, hours with any" rows=${rows} keyOf=${(row) => row.hour} columns=${[
      { name: "Hour", cell: (row) => hourName(Date.parse(row.hour) / 1000) },
      { name: "Completed", align: "right", cell: (row) => row.completed },
      { name: "Failed", align: "right", cell: (row) => row.failed },
    ]} />`}
  ><${Plot}
    label="Tasks completed and failed per hour"
    time
    stack
    xs=${all.map((each) => each.seconds)}
    series=${[
      { name: "Failed", colour: "--bad", bars: true, values: all.map((each) => each.row?.failed ?? 0) },
      { name: "Completed", colour: "--good", bars: true, values: all.map((each) => each.row?.completed ?? 0) },
    ]}
  /><//>`;
}

function StatusTime({ rows }) {
  const all = statusTimes(rows);
  const longest = all[0];
  const most = Math.max(1, ...all.map((row) => row.seconds));
  return html`<${Chart}
    name="Time per status"
    says=${longest && `Most time went by as "${wordOf(longest.status)}": ${lasting(longest.seconds)} over ${counted(longest.tasks, "task", "tasks")}.`}
    empty=${all.length === 0 && html`<${Empty} title="No task ended in this time"><p>How long those that end were pending and at work is shown here.</p><//>`}
    table=${html`<${Table} caption="Time per status" rows=${all} keyOf=${(row) => row.status} columns=${[
      { name: "Status", cell: (row) => wordOf(row.status) },
      { name: "Time in all", align: "right", cell: (row) => lasting(row.seconds) },
      { name: "Tasks", align: "right", cell: (row) => row.tasks },
      { name: "Each", align: "right", cell: (row) => lasting(row.each) },
    ]} />`}
  ><ul class="bars" aria-hidden="true">
    ${all.map(
      (row) => html`<li key=${row.status}>
        <span>${wordOf(row.status)}</span>
        <span class="bar"><span style=${{ width: `${Math.max(0.5, (row.seconds / most) * 100)}%` }}></span></span>
        <span class="number">${lasting(row.seconds)}</span>
      </li>`,
    )}
  </ul><//>`;
}

function Prompts({ prompts }) {
  const all = byTurn(prompts);
  const last = /** @type {any} */ (all.findLast((row) => row.transcript !== null));
  // Rounded down: as long as there is a prompt, not all of it is spared.
  const saved = last ? Math.floor((1 - last.tokens / Math.max(1, last.transcript)) * 100) : 0;
  return html`<${Chart}
    name="Tokens per prompt over turns"
    says=${last ? `At turn ${last.turn} a prompt has ${short(last.tokens)} tokens; with the whole transcript it would have ${short(last.transcript)}${saved > 0 ? `, so ${saved} % are spared` : ""}.` : `${counted(prompts.length, "prompt was", "prompts were")} rendered.`}
    empty=${all.length === 0 && html`<${Empty} title="No agent was given a prompt in this time"><p>Agents get theirs once they are wired:</p><${Command} line="mainstay init" /><//>`}
    table=${html`<${Table} caption="Tokens per prompt by turn, means over all tasks" rows=${all} keyOf=${(row) => row.turn} columns=${[
      { name: "Turn", align: "right", cell: (row) => row.turn },
      { name: "Prompts", align: "right", cell: (row) => row.prompts },
      { name: "With snapshot", align: "right", cell: (row) => short(row.tokens) },
      { name: "With transcript", align: "right", cell: (row) => (row.transcript === null ? "not known" : short(row.transcript)) },
    ]} />`}
  ><${Plot}
    label="Tokens per prompt by turn, with the snapshot and with the whole transcript"
    xs=${all.map((row) => row.turn)}
    nameOfX=${(turn) => (Number.isInteger(turn) ? `turn ${turn}` : "")}
    series=${[
      { name: "With the whole transcript", colour: "--bad", dash: [6, 4], values: all.map((row) => row.transcript) },
      { name: "With the snapshot", colour: "--accent", values: all.map((row) => row.tokens) },
    ]}
  /><//>`;
}

function Writes({ rows: told, hours }) {
  const rows = eventful(told, "changed", "noop");
  const all = everyHour(rows, hours);
  const changed = sum(rows, (row) => row.changed);
  const spared = sum(rows, (row) => row.noop);
  const share = Math.round((spared / Math.max(1, changed + spared)) * 100);
  return html`<${Chart}
    name="Writes spared"
    says="${counted(spared, "write", "writes")} of ${short(changed + spared)} would have changed nothing and ${spared === 1 ? "was" : "were"} spared: ${share}\u00a0%."
    empty=${rows.length === 0 && html`<${Empty} title="No file was written in this time"><p>Writes of agents are counted here, by <code>write_file</code> or by hand:</p><${Command} line="mainstay repo write --help" /><//>`}
    table=${html`<${Table} caption="Writes per hour, hours with any" rows=${rows} keyOf=${(row) => row.hour} columns=${[
      { name: "Hour", cell: (row) => hourName(Date.parse(row.hour) / 1000) },
      { name: "Changed something", align: "right", cell: (row) => row.changed },
      { name: "Spared", align: "right", cell: (row) => row.noop },
    ]} />`}
  ><${Plot}
    label="Writes that changed something and writes that were spared, per hour"
    time
    stack
    xs=${all.map((each) => each.seconds)}
    series=${[
      { name: "Spared", colour: "--good", bars: true, values: all.map((each) => each.row?.noop ?? 0) },
      { name: "Changed something", colour: "--busy", bars: true, values: all.map((each) => each.row?.changed ?? 0) },
    ]}
  /><//>`;
}
