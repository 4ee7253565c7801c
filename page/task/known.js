// What is known about a task, part by part; of the present with actions, of the past without.
import { html } from "../lib.js";
import { Command } from "../parts/command.js";
import { mainstay } from "../parts/shell.js";
import { Criteria, Evidence } from "./criteria.js";
import { Directives } from "./directives.js";
import { Notebook } from "./notebook.js";
import { Plan } from "./plan.js";
import { Block, Long, None, Said } from "./pieces.js";

/**
 * @param {{id: string, known: any, criteria?: any[], evidence?: any[], person?: boolean,
 *   onDone?: () => void, before?: any, after?: any}} props
 * criteria and evidence: as they are judged now; without them it is the past
 * before, after: what else stands beside it
 */
export function Known({ id, known, criteria, evidence, person, onDone, before, after }) {
  const state = known.task_state;
  const present = criteria !== undefined;
  const live = present && Boolean(person);
  const seen = evidence ?? known.observed?.evidence ?? [];
  return html`
    <div class="t-known">
      <div class="t-column">
        <${Goal} id=${id} state=${state} live=${live} />
        <${Plan} id=${id} state=${state} live=${live} onDone=${onDone} />
        <${Criteria} id=${id} criteria=${criteria ?? state.criteria_states ?? []} evidence=${seen} live=${live} onDone=${onDone} />
        <${Evidence} evidence=${seen} />
      </div>
      <div class="t-column">
        ${before}
        <${Directives} id=${id} state=${state} live=${live} onDone=${onDone} />
        ${!present && html`<${BlockedOn} texts=${state.blocked_on ?? []} />`}
        <${Actions} state=${state} />
        ${after}
      </div>
      <${Notebook} notes=${known.notes} />
    </div>`;
}

function Goal({ id, state, live }) {
  return html`
    <${Block} name="Goal" count=${phase(state)}>
      ${state.goal ? html`<p class="t-goal"><${Long} text=${state.goal} /></p>` : html`<${None}>No run was started yet.<//>
        ${live && html`<${Command} line=${mainstay("state start", [id], { goal: "what is to be achieved" })} />`}`}
      ${state.scratchpad && html`
        <details><summary>Scratchpad</summary><pre class="t-text" dir="auto" tabindex="0">${state.scratchpad}</pre></details>`}
    <//>`;
}

function phase(state) {
  const word = state.phase.toLowerCase().replaceAll("_", " ");
  return state.context > 1 ? `${word}, context ${state.context}` : word;
}

function BlockedOn({ texts }) {
  return html`
    <${Block} name="Blocked on">
      ${texts.length === 0 && html`<${None}>Nothing.<//>`}
      <ul class="t-list">${texts.map((text) => html`<li class="t-item" key=${text}><${Said} text=${text} /></li>`)}</ul>
    <//>`;
}

/** What tools were seen to do, newest first. */
function Actions({ state }) {
  const actions = state.recent_actions ?? [];
  if (actions.length === 0) return null;
  return html`
    <${Block} name="Last actions">
      <ul class="t-list">
        ${[...actions].reverse().map((text, place) => html`<li class="t-item" key=${place}><${Said} text=${text} /></li>`)}
      </ul>
      ${state.recent_actions_dropped > 0 && html`<${None}>${state.recent_actions_dropped} older ones are in the journal.<//>`}
    <//>`;
}
