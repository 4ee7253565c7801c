// Now: who works on what, what waits for whom, what failed and why, what needs a person.

import { html, useEffect, useRef } from "../lib.js";
import { get } from "../api.js";
import { useFresh, useConnection } from "../live.js";
import { Heading } from "../parts/heading.js";
import { setTitle } from "../parts/title.js";
import { Sentence } from "../parts/problem.js";
import { Empty } from "../parts/empty.js";
import { Command } from "../parts/command.js";
import { Status } from "../parts/status.js";
import { Table } from "../parts/table.js";
import { Word } from "../parts/word.js";
import { Ago, Left } from "../parts/time.js";
import { TaskLink, TerminalLink, executionHref, taskHref } from "../parts/link.js";

export const title = "Now";

const SHOWN_MAX = 6; // of each list, so that everything is in view
const WORKING_MAX = 10;
const LEASES_MS = 15000; // leases are renewed without an entry in the journal

export default function Now() {
  const { value: now, problem, loading, reload } = useFresh(() => get("/now"));
  const connection = useConnection();
  useEffect(() => {
    if (connection !== "live") return;
    const timer = setInterval(reload, LEASES_MS);
    return () => clearInterval(timer);
  }, [connection]);
  return html`<${Heading} title="Now" />
    <${Sentence} problem=${problem} />
    ${!now && loading && html`<p class="soft loading">Loading</p>`} ${now && (isEmpty(now) ? html`<${Start} />` : html`<${Board} now=${now} />`)}`;
}

function isEmpty(now) {
  return Object.values(now.counts).every((count) => count === 0) && now.terminals.length === 0 && now.questions.length === 0;
}

/** What to do when there is nothing yet. */
function Start() {
  return html`<section class="card start">
    <h2>Nothing is here yet</h2>
    <p>Wire your agent, and its first prompt opens a task:</p>
    <${Command} line="mainstay init" />
    <p>Or make a task yourself, for whoever takes it:</p>
    <${Command} line="mainstay task create 'Add login' --priority 5" />
    <p>Or watch a crew of scripted agents at work, on a store of its own:</p>
    <${Command} line="mainstay demo --keep" />
    <p class="soft">What happens appears here by itself.</p>
  </section>`;
}

/** First what only a person can settle, then what goes on by itself. */
function Board({ now }) {
  const proposals = useProposals();
  const stuck = now.terminals.filter((each) => each.status === "WAITING_FOR_PERSON");
  const needs = [
    [proposals.length, "approval"],
    [now.questions.length + (now.more.questions ?? 0), "answer"],
    [now.incidents.length + (now.more.incidents ?? 0), "workflow held up", "workflows held up"],
    [stuck.length, "terminal that waits", "terminals that wait"],
    [now.counts.failed, "failed task"],
  ].filter(([count]) => Number(count) > 0);
  const urgent = needs.some(([, name]) => name !== "failed task");
  useTitle(needs.filter(([, name]) => name !== "failed task").reduce((sum, [count]) => sum + Number(count), 0));
  return html`<p class="needs ${urgent ? "warn" : ""}" role="status">
      ${needs.length === 0 ? "Nothing needs you." : html`<b>Needs you:</b> ${needs.map(([count, one, many]) => `${count.toLocaleString("en")} ${count === 1 ? one : (many ?? `${one}s`)}`).join(", ")}.`}
    </p>
    <${Counts} counts=${now.counts} />
    <div class="board">
      ${proposals.length > 0 && html`<${Proposals} proposals=${proposals} />`}
      ${now.questions.length > 0 && html`<${Questions} questions=${now.questions} more=${now.more.questions} />`}
      ${stuck.length > 0 && html`<${Stuck} terminals=${stuck} />`}
      ${now.incidents.length > 0 && html`<${Incidents} incidents=${now.incidents} more=${now.more.incidents} />`}
      ${now.counts.failed > 0 && html`<${Failed} failed=${now.failed} more=${now.more.failed} />`}
    </div>
    <${Working} working=${now.working} more=${now.more.working} ready=${now.counts.ready} />
    <div class="board">
      <${Blocked} blocked=${now.blocked} more=${now.more.blocked} />
      <${Ready} ready=${now.ready} more=${now.more.ready} />
      <${Terminals} terminals=${now.terminals} more=${now.more.terminals} />
      ${now.undelivered.length > 0 && html`<${Undelivered} messages=${now.undelivered} more=${now.more.undelivered} />`}
      ${now.budgets.length > 0 && html`<${Budgets} budgets=${now.budgets} more=${now.more.budgets} />`}
    </div>`;
}

const FIGURES = [
  { name: "held", says: "at work", statuses: "ASSIGNED,IN_PROGRESS", family: "busy" },
  { name: "ready", says: "ready", statuses: "READY", family: "ready" },
  { name: "waiting", says: "waiting", statuses: "WAITING", family: "idle" },
  { name: "failed", says: "failed", statuses: "FAILED", family: "bad" },
  { name: "completed", says: "completed", statuses: "COMPLETED", family: "good" },
  { name: "cancelled", says: "cancelled", statuses: "CANCELLED", family: "idle" },
];

function Counts({ counts }) {
  return html`<ul class="counts" aria-label="Tasks by how they stand">
    ${FIGURES.map(
      (figure) => html`<li key=${figure.name}>
        <a class="card figure ${counts[figure.name] > 0 ? figure.family : ""}" href="#/tasks?status=${figure.statuses}">
          <span class="big number">${counts[figure.name].toLocaleString("en")}</span> ${figure.says}
        </a>
      </li>`,
    )}
  </ul>`;
}

/** A sheet with a heading, the first of what there is, and how much more there is. */
function Sheet({ name, urgent, bad, nothing, all, more = 0, shown = SHOWN_MAX, href, children }) {
  const count = all.length + more;
  const hidden = count - Math.min(all.length, shown);
  return html`<section class="card sheet ${urgent ? "urgent" : bad ? "bad" : ""}" aria-label=${name}>
    <h2>${name} ${count > 0 && html`<span class="count">${count.toLocaleString("en")}</span>`}</h2>
    ${count === 0 ? html`<p class="soft">${nothing}</p>` : children}
    ${hidden > 0 && html`<p class="more small"><a href=${href}>${hidden.toLocaleString("en")} more</a></p>`}
  </section>`;
}

/** What a sheet of a list shows. */
const first = (all) => all.slice(0, SHOWN_MAX);

function Questions({ questions, more }) {
  return html`<${Sheet} name="Waiting for your answer" urgent all=${questions} more=${more} href="#/workflows">
    <ul class="rows">
      ${first(questions).map((question) => {
        const href = question.execution_id ? executionHref(question.execution_id) : taskHref(question.task_id);
        return html`<li key=${href + question.node + question.token + question.text}>
          <a href=${href}><${Word} text=${question.text} max=${300} /></a>${" "}
          <span class="soft small">${question.task_id ?? question.node} <${Ago} at=${question.since} /></span>
        </li>`;
      })}
    </ul>
  </${Sheet}>`;
}

const OPENS_PROPOSALS = new Set(["exec.proposed", "exec.proposal_settled", "task.retried", "task.reopened"]);

/** They are looked for among all that is known about tasks, so only when there is news of them, and after all else. */
function useProposals() {
  const shown = useRef(/** @type {any[]} */ ([]));
  const concerns = (entry) => OPENS_PROPOSALS.has(entry.kind) || shown.current.some((each) => entry.stream === `task/${each.task_id}`);
  const { value } = useFresh(() => get("/proposals"), concerns);
  return (shown.current = value?.items ?? []);
}

/** How much waits for a person, on the tab, for who looks at another one. */
function useTitle(count) {
  useEffect(() => {
    setTitle({ waiting: count });
    return () => setTitle({ waiting: 0 });
  }, [count]);
}

function Proposals({ proposals }) {
  return html`<${Sheet} name="Waiting for your approval" urgent all=${proposals} href=${taskHref(proposals[0].task_id)}>
    <ul class="rows">
      ${first(proposals).map(
        (each) => html`<li key=${each.task_id + each.number}>
          <a href=${taskHref(each.task_id)}><${Word} text=${each.sentence} max=${300} /></a>${" "}
          <span class="soft small">${each.task_id}, asked by <${Word} text=${each.actor} max=${40} /> <${Ago} at=${each.at} /></span>
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

function Working({ working, more, ready }) {
  const nothing = ready > 0 ? "Nobody works on anything. Ready tasks wait for an agent to take them." : "Nobody works on anything.";
  const columns = [
    { name: "Who", narrow: true, cell: (row) => html`<${TerminalLink} id=${row.terminal_id} />${row.agent && html`<div class="soft small"><${Word} text=${row.agent} max=${40} /></div>`}` },
    { name: "Task", wide: true, cell: (row) => html`<${TaskLink} id=${row.task_id} /> <${Word} text=${row.title} max=${120} /><${Step} step=${row.step} />` },
    { name: "Stands", narrow: true, cell: (row) => html`<${Status} of=${row.status} />` },
    { name: "Last seen doing", cell: (row) => row.last_action && html`<div class="action"><${Word} text=${row.last_action.text} max=${120} /> <span class="soft small"><${Ago} at=${row.last_action.at} /></span></div>` },
    { name: "Since", narrow: true, cell: (row) => html`<${Ago} at=${row.since} />` },
    { name: "Lease", narrow: true, cell: (row) => html`<${Left} until=${row.lease_until} />` },
  ];
  return html`<${Sheet} name="At work" nothing=${nothing} all=${working} shown=${WORKING_MAX} more=${more} href="#/tasks?status=ASSIGNED,IN_PROGRESS">
    <${Table} caption="Who works on what" columns=${columns} rows=${working.slice(0, WORKING_MAX)} keyOf=${(row) => row.task_id} />
  </${Sheet}>`;
}

function Step({ step }) {
  if (!step) return null;
  return html`<div class="step small">
    <progress value=${step.number - 1} max=${step.of} aria-label="Steps done">${step.number - 1} of ${step.of}</progress>
    <span class="soft">step ${step.number} of ${step.of}</span> <${Word} text=${step.text} max=${90} />
  </div>`;
}

function Failed({ failed, more }) {
  return html`<${Sheet} name="Failed" bad all=${failed} more=${more} href="#/tasks?status=FAILED">
    <ul class="rows">
      ${first(failed).map(
        (task) => html`<li key=${task.task_id}>
          <div><${TaskLink} id=${task.task_id} /> <${Word} text=${task.title} max=${120} /> <span class="soft small"><${Ago} at=${task.at} /></span></div>
          <div class="why"><${Word} text=${task.reason ?? "No reason was given."} max=${240} /></div>
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

/** What holds workflows up: nothing of it goes on by itself. */
function Incidents({ incidents, more }) {
  return html`<${Sheet} name="Workflows held up" urgent all=${incidents} more=${more} href="#/workflows?status=RUNNING">
    <ul class="rows">
      ${first(incidents).map(
        (each) => html`<li key=${each.execution_id + each.node + each.problem}>
          <div><a href=${executionHref(each.execution_id)}><${Word} text=${each.title} max=${120} /></a> at <span class="id"><${Word} text=${each.node} max=${60} /></span> <span class="soft small"><${Ago} at=${each.at} /></span></div>
          <div class="why"><${Word} text=${each.problem} max=${240} /></div>
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

function Blocked({ blocked, more }) {
  return html`<${Sheet} name="Blocked" nothing="Nothing waits for anything." all=${blocked} more=${more} href="#/tasks?status=WAITING&view=graph">
    <ul class="rows">
      ${first(blocked).map(
        (task) => html`<li key=${task.task_id}>
          <div><${TaskLink} id=${task.task_id} /> <${Word} text=${task.title} max=${120} /></div>
          <div class="small soft">
            ${task.waits_for.length === 0
              ? html`<${Word} text=${task.reason} max=${200} />`
              : html`waits for
                ${task.waits_for.map((cause) => html` <span class="cause" key=${cause.task_id}><${TaskLink} id=${cause.task_id} /> <${Word} text=${cause.title} max=${50} /> <${Status} of=${cause.status} /></span>`)}`}
          </div>
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

function Ready({ ready, more }) {
  return html`<${Sheet} name="Ready" nothing="Nothing is ready to be taken." all=${ready} more=${more} href="#/tasks?status=READY&order=urgent">
    <ul class="rows">
      ${first(ready).map(
        (task) => html`<li key=${task.id}>
          <${TaskLink} id=${task.id} /> <${Word} text=${task.title} max=${120} />
          ${task.priority !== 0 && html` <span class="soft small">priority ${task.priority}</span>`}
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

/** Agents that stand still until somebody answers on their screen. */
function Stuck({ terminals }) {
  return html`<${Sheet} name="Waiting at their screen" urgent all=${terminals} href="#/terminals">
    <ul class="rows">
      ${first(terminals).map(
        (terminal) => html`<li key=${terminal.id}>
          <${TerminalLink} id=${terminal.id} /> <span class="soft small"><${Word} text=${terminal.agent_profile} max=${40} /></span>
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

function Terminals({ terminals, more }) {
  return html`<${Sheet} name="Terminals" nothing="No terminal is open." all=${terminals} more=${more} href="#/terminals">
    <ul class="rows">
      ${first(terminals).map(
        (terminal) => html`<li key=${terminal.id} class="split">
          <span><${TerminalLink} id=${terminal.id} /> <span class="soft small"><${Word} text=${terminal.agent_profile} max=${40} /></span></span>
          <${Status} of=${terminal.status} />
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

function Undelivered({ messages, more }) {
  return html`<${Sheet} name="Messages not delivered" all=${messages} more=${more} href="#/terminals">
    <ul class="rows">
      ${first(messages).map(
        (message) => html`<li key=${message.message_id} class="split">
          <span>to <${TerminalLink} id=${message.receiver} /> from <${Word} text=${message.sender} max=${40} />
            <span class="soft small"> <${Ago} at=${message.since} />${message.attempts > 0 && `, tried ${message.attempts} times`}</span></span>
          <${Status} of=${message.status} />
        </li>`,
      )}
    </ul>
  </${Sheet}>`;
}

/** @param {number} amount @param {string} unit */
function amountOf(amount, unit) {
  return unit === "cost" ? `$${amount.toFixed(2)}` : amount.toLocaleString("en");
}

/** What is spent, then what those who work now have set aside, of the whole. */
function spending({ spent, reserved, limit, unit }) {
  const aside = reserved > 0 ? `, ${amountOf(reserved, unit)} set aside` : "";
  return `${amountOf(spent, unit)} of ${amountOf(limit, unit)}${unit === "cost" ? "" : ` ${unit}`} spent${aside}`;
}

function Budgets({ budgets, more }) {
  return html`<${Sheet} name="Budgets" all=${budgets} more=${more} href="#/tasks">
    <ul class="rows">
      ${first(budgets).map((budget) => {
        const label = spending(budget);
        const share = (amount) => ({ width: `${Math.min(100, (amount / Math.max(budget.limit, Number.MIN_VALUE)) * 100)}%` });
        return html`<li key=${budget.task_id + budget.unit}>
          <div><${TaskLink} id=${budget.task_id} /> <${Word} text=${budget.title} max=${80} /></div>
          <div class="spending ${budget.spent >= budget.limit * 0.8 ? "warn" : ""}" aria-hidden="true">
            <span class="spent" style=${share(budget.spent)}></span><span class="aside" style=${share(budget.reserved)}></span>
          </div>
          <div class="small soft number">${label}</div>
        </li>`;
      })}
    </ul>
  </${Sheet}>`;
}
