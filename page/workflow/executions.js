// A table of executions, the newest first, a page at a time, live.

import { html, useState } from "../lib.js";
import { address, get } from "../api.js";
import { useFresh } from "../live.js";
import { ExecutionLink } from "../parts/link.js";
import { Sentence } from "../parts/problem.js";
import { Status } from "../parts/status.js";
import { Table } from "../parts/table.js";
import { Ago, Took } from "../parts/time.js";
import { Word } from "../parts/word.js";

const PAGE = 25;
const STATUSES = ["RUNNING", "PAUSED", "FAILED", "COMPLETED", "CANCELLED"];

/** @param {any} execution */
export function standing(execution) {
  const stuck = execution.status === "RUNNING" && execution.execution_data.tokens.some((token) => token.status === "INCIDENT");
  return stuck ? "INCIDENT" : execution.status;
}

/**
 * @param {{path: string, query: URLSearchParams, go: (hash: string) => void, base: string, titles?: any[]}} props
 * titles are workflows by whose names the executions are called.
 */
export function Executions({ path, query, go, base, titles }) {
  const status = query.get("status") ?? "";
  const [cursors, setCursors] = useState(/** @type {string[]} */ ([]));
  const cursor = cursors[cursors.length - 1];
  const found = useFresh(
    () => get(path, { status, limit: PAGE, cursor }),
    (entry) => entry.stream.startsWith("execution/"),
    [path, status, cursor],
  );
  const names = new Map((titles ?? []).map((each) => [each.id, each.title || each.name]));
  const choose = (event) => {
    setCursors([]);
    go(address(base, { status: event.target.value }));
  };
  const columns = [
    { name: "Execution", narrow: true, cell: (each) => html`<${ExecutionLink} id=${each.id} />` },
    ...(titles ? [{ name: "Workflow", wide: true, cell: (each) => html`<${Word} text=${names.get(each.workflow_id) ?? each.workflow_id} />` }] : []),
    { name: "Status", narrow: true, cell: (each) => html`<${Status} of=${standing(each)} />` },
    { name: "Where", wide: true, cell: (each) => html`<${Word} text=${where(each)} max=${80} />` },
    { name: "Started", narrow: true, cell: (each) => html`<${Ago} at=${each.started_at} />` },
    { name: "Took", narrow: true, cell: (each) => (each.completed_at ? html`<${Took} ms=${Date.parse(each.completed_at) - Date.parse(each.started_at)} />` : "") },
    { name: "By", narrow: true, cell: (each) => html`<${Word} text=${each.started_by} max=${60} />` },
  ];
  return html`<div class="filters">
      <label>Status
        <select value=${status} onChange=${choose}>
          <option value="">All</option>
          ${STATUSES.map((each) => html`<option key=${each} value=${each}>${each.toLowerCase()}</option>`)}
        </select>
      </label>
    </div>
    <${Sentence} problem=${found.problem} />
    ${found.value &&
    html`<${Table}
      caption="Executions"
      columns=${columns}
      rows=${found.value.items}
      keyOf=${(each) => each.id}
      empty=${html`<p class="soft">${status ? `None is ${status.toLowerCase()}.` : "None was started yet."}</p>`}
    />`}
    ${(cursors.length > 0 || found.value?.next) &&
    html`<p class="pager">
      <button type="button" class="small" disabled=${cursors.length === 0} onClick=${() => setCursors(cursors.slice(0, -1))}>Newer</button>
      <button type="button" class="small" disabled=${!found.value?.next} onClick=${() => setCursors([...cursors, cursorOf(found.value.next)])}>Older</button>
    </p>`}`;
}

/** Where its tokens are, without saying a place twice. */
function where(execution) {
  return [...new Set(execution.execution_data.tokens.map((token) => token.position))].join(", ");
}

/** The next page is given as an address or as a cursor. */
function cursorOf(next) {
  return next.includes("?") ? (new URL(next, location.href).searchParams.get("cursor") ?? "") : next;
}
