// What a person can do with a workflow or an execution, each with the command it equals.

import { html, useState } from "../lib.js";
import { send } from "../api.js";
import { Act } from "../parts/act.js";
import { mainstay } from "../parts/shell.js";
import { Variables, valuesOf, varOptions, wanted } from "./variables.js";

/** @param {string} id */
const path = (id) => `/executions/${encodeURIComponent(id)}`;

/** @param {{workflow: any, go: (hash: string) => void, quiet?: boolean}} props the workflow with its nodes */
export function Start({ workflow, go }) {
  const [rows, setRows] = useState(() => wanted(workflow.nodes ?? []));
  return html`<${Act}
    label="Start"
    why="A new execution of ${workflow.title || workflow.name}. Its tasks go into the queue."
    command=${mainstay("workflow start", [workflow.name]) + varOptions(rows)}
    run=${async () => send("POST", `/workflows/${encodeURIComponent(workflow.name)}/executions`, { variables: valuesOf(rows) })}
    done="Started."
    onDone=${(begun) => go(`#/executions/${encodeURIComponent(begun.id)}`)}
  ><${Variables} rows=${rows} set=${setRows} /><//>`;
}

/** An action that may have a reason. */
function Reasoned({ id, verb, label, why, danger, onDone }) {
  const [reason, setReason] = useState("");
  return html`<${Act}
    label=${label}
    danger=${danger}
    why=${why}
    command=${mainstay(`workflow ${verb}`, [id], { reason })}
    run=${() => send("POST", `${path(id)}/${verb}`, reason ? { reason } : {})}
    onDone=${onDone}
  ><label>Why (may be left out)<input value=${reason} onInput=${(event) => setReason(event.target.value)} /></label><//>`;
}

/** @param {{execution: any, onDone: () => void}} props */
export function Course({ execution, onDone }) {
  const { id, status } = execution;
  if (status !== "RUNNING" && status !== "PAUSED") return null;
  return html`${status === "PAUSED"
      ? html`<${Act}
          label="Resume"
          why="It goes on where it stopped."
          command=${mainstay("workflow resume", [id])}
          run=${() => send("POST", `${path(id)}/resume`)}
          onDone=${onDone}
        />`
      : html`<${Reasoned} id=${id} verb="pause" label="Pause" why="It begins nothing new; what is under way goes on." onDone=${onDone} />`}
    <${Reasoned} id=${id} verb="cancel" label="Cancel" danger why="It ends with all the work it still wants." onDone=${onDone} />`;
}

/** Tries again what went wrong, with variables set before. @param {{id: string, node: string, onDone: () => void}} props */
export function Retry({ id, node, onDone }) {
  const [rows, setRows] = useState(/** @type {any[]} */ ([]));
  return html`<${Act}
    label="Retry"
    why="What went wrong at ${node} is tried again."
    command=${mainstay("workflow resume", [id], { retry: node }) + varOptions(rows)}
    run=${async () => send("POST", `${path(id)}/retry`, { node, variables: valuesOf(rows) })}
    onDone=${onDone}
  ><${Variables} rows=${rows} set=${setRows} legend="Variables to set before" /><//>`;
}

/** Goes on as if it were done. @param {{id: string, node: string, onDone: () => void}} props */
export function Skip({ id, node, onDone }) {
  const [rows, setRows] = useState(/** @type {any[]} */ ([]));
  const result = () => JSON.stringify(valuesOf(rows));
  const shown = () => {
    try {
      return rows.some((row) => row.name && row.value) ? result() : "";
    } catch {
      return "";
    }
  };
  return html`<${Act}
    label="Skip"
    danger
    why="It goes on as if ${node} were done; you say what came out."
    command=${mainstay("workflow resume", [id], { skip: node, result: shown() })}
    run=${async () => send("POST", `${path(id)}/skip`, { node, result: valuesOf(rows) })}
    onDone=${onDone}
  ><${Variables} rows=${rows} set=${setRows} legend="What came out" /><//>`;
}

/** Gives a message to an execution that waits for it. */
export function Tell({ id, wait, onDone }) {
  const [rows, setRows] = useState(/** @type {any[]} */ ([]));
  const body = () => ({
    name: wait.about,
    execution_id: id,
    ...(wait.correlation ? { correlation: wait.correlation } : {}),
    content: valuesOf(rows),
  });
  return html`<${Act}
    label="Send it"
    why="The message ${wait.about} goes to this execution."
    command=${mainstay("workflow message", [wait.about], { correlation: wait.correlation, execution: id }) + varOptions(rows)}
    run=${async () => send("POST", "/messages", body())}
    onDone=${onDone}
  ><${Variables} rows=${rows} set=${setRows} legend="What it says" /><//>`;
}
