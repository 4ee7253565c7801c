// What else is written on the task: its type, times, description, terms and what is left of its budget.
import { html } from "../lib.js";
import { ExecutionLink, TaskLink, workflowHref } from "../parts/link.js";
import { Ago } from "../parts/time.js";
import { Block, Long, Said } from "./pieces.js";

/** @param {{task: any, terms: any}} props */
export function Facts({ task, terms }) {
  const facts = [
    ["Type", task.task_type],
    ["Priority", task.priority],
    ["Attempt", task.attempt > 0 && task.attempt],
    ["Version", task.version],
    ["Made", html`<${Ago} at=${task.created_at} />`],
    ["Ended", task.completed_at && html`<${Ago} at=${task.completed_at} />`],
    ["Part of", task.parent_id && html`<${TaskLink} id=${task.parent_id} />`],
    ["Workflow", task.workflow_id && html`<a class="id" href=${workflowHref(task.workflow_id)}><${Said} text=${task.workflow_id} /></a>`],
    ["Execution", task.workflow_id && task.metadata?.execution_id && html`<${ExecutionLink} id=${task.metadata.execution_id} />`],
    ["Terms", written(withoutBudget(terms?.terms))],
    ["Metadata", written(task.metadata)],
  ];
  return html`
    <${Block} name="Task">
      <dl class="t-facts">
        ${facts.filter(([, value]) => value || value === 0).map(([name, value]) => html`
          <div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
      </dl>
      ${terms?.budget && html`<${Budget} budget=${terms.budget} />`}
      ${task.description && html`
        <details><summary>Description</summary><pre class="t-text" dir="auto" tabindex="0">${task.description}</pre></details>`}
    <//>`;
}

/** The budget is shown as a bar. */
const withoutBudget = (terms) => terms && { ...terms, budget: undefined };

const written = (json) =>
  json && Object.values(json).some((value) => value !== undefined) && html`<${Long} text=${JSON.stringify(json)} code />`;

function Budget({ budget }) {
  return html`
    <dl class="t-budget">
      ${Object.entries(budget.max ?? {}).map(([unit, max]) => {
        const spent = Number(budget.spent?.[unit] ?? 0);
        const reserved = Number(budget.reserved?.[unit] ?? 0);
        return html`
          <div key=${unit}>
            <dt>${unit}</dt>
            <dd>
              <meter min="0" max=${max} high=${Number(max) * 0.8} value=${spent + reserved} aria-label=${`${unit} used`}></meter>
              ${spent.toLocaleString("en")} spent${reserved ? `, ${reserved.toLocaleString("en")} put aside` : ""}
              ${" "}of ${Number(max).toLocaleString("en")}
            </dd>
          </div>`;
      })}
    </dl>`;
}
