// One execution: its tokens, incidents and times on the diagram, what it waits for, and what happened.

import { html, useState, useMemo } from "../lib.js";
import { get, getText } from "../api.js";
import { useFresh } from "../live.js";
import { useIsPerson } from "../parts/caller.js";
import { Heading } from "../parts/heading.js";
import { ExecutionLink, TaskLink, workflowHref } from "../parts/link.js";
import { Sentence } from "../parts/problem.js";
import { Status } from "../parts/status.js";
import { Table } from "../parts/table.js";
import { Ago, Left, Took, clock, full, span } from "../parts/time.js";
import { Word } from "../parts/word.js";
import { Course, Retry, Skip, Tell } from "./acts.js";
import { Answer } from "./answer.js";
import { Diagram } from "./diagram.js";
import { standing } from "./executions.js";
import { NodeTold } from "./node.js";
import { useNow } from "./now.js";
import { badgesOf, marksOf } from "./traces.js";

const TICK_MS = 5000;

/** @param {{id: string}} props */
export function Execution({ id }) {
  const isPerson = useIsPerson();
  const [chosen, setChosen] = useState(/** @type {string|null} */ (null));
  const concerns = (entry) => entry.stream === `execution/${id}` || entry.stream.startsWith("task/");
  const known = useFresh(() => get(`/executions/${encodeURIComponent(id)}`), concerns, [id]);
  const execution = known.value;
  const version = execution?.workflow_id;
  const drawn = useFresh(async () => version && Promise.all([get(`/workflows/${version}`), getText(`/workflows/${version}/bpmn`)]), () => false, [version]);
  const [workflow, xml] = drawn.value || [];
  const asks = execution?.waits_for.some((wait) => wait.what === "ANSWER");
  const asked = useFresh(async () => (asks ? get("/questions", { execution: id }) : null), concerns, [id, asks]);
  const now = useNow(TICK_MS);
  const badges = useMemo(() => (execution ? badgesOf(execution, workflow?.edges ?? [], now) : []), [execution, workflow, now]);
  if (!execution) return html`<${Heading} title=${id} /><${Sentence} problem=${known.problem} />`;
  const questions = asked.value?.items ?? [];
  const node = workflow?.nodes.find((each) => each.id === chosen);
  const stuck = execution.waits_for.some((wait) => wait.what === "INCIDENT"); // told where it is mended
  const title = execution.workflow.title || execution.workflow.name;
  return html`<p class="trail"><a href="#/workflows">Workflows</a> / <a href=${workflowHref(version)}>${execution.workflow.name}</a></p>
    <${Heading} title=${html`<${Word} text=${title} /> <${Status} of=${standing(execution)} />`}>
      ${isPerson && html`<${Course} execution=${execution} onDone=${known.reload} />`}
    <//>
    <p class="soft facts">
      <code>${id}</code> started <${Ago} at=${execution.started_at} /> by <${Word} text=${execution.started_by} />, version ${execution.workflow.version}
      ${execution.completed_at && html`, over after <${Took} ms=${Date.parse(execution.completed_at) - Date.parse(execution.started_at)} />`}
      ${execution.parent_execution && html`, called by <${ExecutionLink} id=${execution.parent_execution} />`}
    </p>
    ${!stuck && html`<${Sentence} problem=${execution.error_message ? new Error(execution.error_message) : null} />`}
    <section class="card" aria-label="Diagram">
      ${xml && html`<${Diagram} xml=${xml} label="Diagram of ${title} with where it stands" badges=${badges} marks=${marksOf(execution)} chosen=${chosen} choose=${setChosen} />`}
      <${Sentence} problem=${drawn.problem} />
      ${node &&
      html`<${NodeTold} node=${node} close=${() => setChosen(null)}>
        <${Visits} caption="What happened at ${chosen}" visits=${execution.visits.filter((visit) => visit.node === chosen)} />
      <//>`}
    </section>
    ${questions.length > 0 &&
    html`<section class="questions" aria-label="Questions">
      <h2>Waiting for an answer</h2>
      ${questions.map(
        (each) => html`<${Answer} key=${each.token} question=${each} allowed=${isPerson} onDone=${known.reload} />`,
      )}
    </section>`}
    <${Waits} execution=${execution} isPerson=${isPerson} reload=${known.reload} />
    <div class="columns">
      <section class="card" aria-labelledby="visits"><h2 id="visits">What happened</h2><${Visits} caption="What happened at its nodes" visits=${execution.visits} /></section>
      <section class="card" aria-labelledby="variables"><h2 id="variables">Variables</h2><${Known} variables=${execution.execution_data.variables ?? {}} /></section>
    </div>`;
}

function Waits({ execution, isPerson, reload }) {
  const waits = execution.waits_for.filter((wait) => wait.what !== "ANSWER");
  if (waits.length === 0) return null;
  return html`<section class="card" aria-labelledby="waits">
    <h2 id="waits">Waits for</h2>
    <ul class="waits">
      ${waits.map(
        (wait) => html`<li key=${wait.token + wait.what} class=${wait.what === "INCIDENT" ? "bad" : ""}>
          <${Status} of=${wait.what} /> <code>${wait.node}</code>
          <span class="about"><${About} wait=${wait} /></span>
          ${wait.what === "INCIDENT" &&
          isPerson &&
          html`<span class="actions">
            <${Retry} id=${execution.id} node=${wait.node} onDone=${reload} />
            <${Skip} id=${execution.id} node=${wait.node} onDone=${reload} />
          </span>`}
          ${wait.what === "MESSAGE" && isPerson && html`<span class="actions"><${Tell} id=${execution.id} wait=${wait} onDone=${reload} /></span>`}
        </li>`,
      )}
    </ul>
  </section>`;
}

function About({ wait }) {
  switch (wait.what) {
    case "TASK":
      return html`<${TaskLink} id=${wait.about} />`;
    case "CALL":
      return html`<${ExecutionLink} id=${wait.about} />`;
    case "TIMER":
      return html`<${Left} until=${wait.about} /> <span class="soft">at ${clock(wait.about)}</span>`;
    case "MESSAGE":
      return html`<${Word} text=${wait.about} />${wait.correlation && html` <span class="soft">of <${Word} text=${wait.correlation} /></span>`}`;
    default:
      return html`<${Word} text=${wait.about} max=${500} />`;
  }
}

function Visits({ caption, visits }) {
  return html`<${Table}
    caption=${caption}
    rows=${visits}
    keyOf=${(visit) => `${visit.node} ${visit.token} ${visit.entered_at}`}
    empty=${html`<p class="soft">No token has been here.</p>`}
    columns=${[
      { name: "Node", narrow: true, cell: (visit) => html`<code>${visit.node}</code>` },
      { name: "Entered", narrow: true, cell: (visit) => html`<time title=${full(visit.entered_at)}>${clock(visit.entered_at)}</time>` },
      { name: "Stayed", narrow: true, cell: (visit) => (visit.left_at ? html`<${Took} ms=${visit.took_ms} />` : html`<${SoFar} at=${visit.entered_at} />`) },
      { name: "How", wide: true, cell: (visit) => html`${(visit.how ?? "there now").toLowerCase()}${visit.note && html`: <${Word} text=${visit.note} max=${120} />`}` },
      { name: "By", narrow: true, cell: (visit) => html`<${Word} text=${visit.left_by ?? visit.entered_by} max=${60} />` },
    ]}
  />`;
}

function SoFar({ at }) {
  const ms = Math.max(1000, useNow(1000) - Date.parse(at));
  return html`<span class="soft">${span(ms)} so far</span>`;
}

function Known({ variables }) {
  const names = Object.keys(variables);
  if (names.length === 0) return html`<p class="soft">None are set.</p>`;
  return html`<dl class="facts">
    ${names.map(
      (name) => html`<div key=${name}><dt><${Word} text=${name} max=${60} /></dt><dd><${Word} text=${typeof variables[name] === "string" ? variables[name] : JSON.stringify(variables[name], null, 1)} max=${400} /></dd></div>`,
    )}
  </dl>`;
}
