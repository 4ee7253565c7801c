// One task: its dossier, the prompt as the agent sees it, its past on a slider, and what came out.
import { html } from "../lib.js";
import { get } from "../api.js";
import { useFresh } from "../live.js";
import { useIsPerson } from "../parts/caller.js";
import { TaskLink, TerminalLink } from "../parts/link.js";
import { Sentence } from "../parts/problem.js";
import { Status, standingOf, wordOf } from "../parts/status.js";
import { Tabs } from "../parts/tabs.js";
import { Ago, Left } from "../parts/time.js";
import { Actions, Asked } from "../task/actions.js";
import { Assignments } from "../task/assignments.js";
import { Facts } from "../task/facts.js";
import { Known } from "../task/known.js";
import { Output } from "../task/output.js";
import { Long, Said, of } from "../task/pieces.js";
import { Prompt } from "../task/prompt.js";
import { Time } from "../task/time.js";
import { Waits } from "../task/waits.js";

export const title = "Task";

const TABS = [
  { id: "dossier", name: "Dossier" },
  { id: "prompt", name: "Prompt" },
  { id: "time", name: "Time" },
  { id: "output", name: "Output" },
];

export default function Page({ params, query, go }) {
  const id = params[0];
  const tab = TABS.some((each) => each.id === query.get("tab")) ? query.get("tab") : "dossier";
  const concerns = (entry) => entry.stream === `task/${id}`;
  const person = useIsPerson();
  const { value, problem, reload } = useFresh(() => load(id), concerns, [id]);
  if (!value && problem) return html`<h1 tabindex="-1">Task <${Said} text=${id} /></h1><${Sentence} problem=${problem} />`;
  if (!value) return html`<p class="soft loading">Loading</p>`;
  const { task, known } = value;
  const to = (next) => go(`#/tasks/${encodeURIComponent(id)}${next === "dossier" ? "" : `?tab=${next}`}`);
  return html`
    <article class="t-page">
      <${Head} task=${task} person=${person} onDone=${reload} go=${go} />
      <p class="hidden" role="status">${spoken(task, known)}</p>
      <${Sentence} problem=${problem} />
      <${Asked} id=${id} known=${known} person=${person} onDone=${reload} />
      <${Tabs} tabs=${TABS} current=${tab} to=${to} />
      <div role="tabpanel" id=${`panel-${tab}`} aria-labelledby=${`tab-${tab}`}>
        ${tab === "dossier" && html`
          <${Known} id=${id} known=${known} criteria=${value.criteria} evidence=${value.evidence} person=${person} onDone=${reload}
            before=${html`<${Waits} task=${task} state=${known.task_state} />`}
            after=${html`<${Assignments} assignments=${value.assignments} /><${Facts} task=${task} terms=${value.terms} />`} />`}
        ${tab === "prompt" && html`<${Prompt} id=${id} concerns=${concerns} />`}
        ${tab === "time" && html`<${Time} key=${id} id=${id} person=${person} concerns=${concerns} at=${query.get("at")} go=${go} />`}
        ${tab === "output" && html`<${Output} id=${id} concerns=${concerns} />`}
      </div>
    </article>`;
}

/** What is read out when it changes; the times that tick are not in it. */
function spoken(task, known) {
  const asks = known.task_state.phase === "SUSPENDED" || known.execution?.open_proposals?.length;
  return `${task.id} is ${wordOf(standingOf(task))}${asks ? " and waits for you" : ""}.`;
}

async function load(id) {
  const [task, known, judged, seen, given, terms] = await Promise.all([
    get(of(id)),
    get(of(id, "/state")),
    get(of(id, "/criteria")),
    get(of(id, "/evidence")),
    get(of(id, "/assignments")),
    get(of(id, "/terms")),
  ]);
  return { task, known, criteria: judged.criteria, evidence: seen.evidence, assignments: given.items, terms };
}

function Head({ task, person, onDone, go }) {
  return html`
    <header class="t-top">
      <nav aria-label="Where this is">
        <ol class="t-crumbs">
          <li><a href="#/tasks">Tasks</a></li>
          ${task.parent_id && html`<li><${TaskLink} id=${task.parent_id} /></li>`}
          <li class="id" aria-current="page">${task.id}</li>
        </ol>
      </nav>
      <h1 tabindex="-1"><${Said} text=${task.title} /></h1>
      <p class="t-meta">
        <${Status} of=${standingOf(task)} />
        ${task.lease_holder && html`<span>held by <${TerminalLink} id=${task.lease_holder} />,
          lease <${Left} until=${task.lease_until} /></span>`}
        ${task.helpers && html`<span>helped by ${task.helpers.join(", ")}</span>`}
        <span>changed <${Ago} at=${task.updated_at} /></span>
        ${task.attempt > 1 && html`<span>attempt ${task.attempt}</span>`}
      </p>
      ${task.reason && html`<p class=${`t-reason t-reason-${task.status.toLowerCase()}`}><${Long} text=${task.reason} /></p>`}
      ${person && html`<${Actions} task=${task} onDone=${onDone} go=${go} />`}
    </header>`;
}
