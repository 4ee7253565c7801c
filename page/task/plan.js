// The steps of a task with how far they are.
import { html, useState } from "../lib.js";
import { send } from "../api.js";
import { Act } from "../parts/act.js";
import { Command } from "../parts/command.js";
import { Block, Long, Mark, Named, None, Said, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

const MARKS = { todo: "idle", active: "busy", done: "good", failed: "bad", skipped: "skip" };
const OPEN = ["todo", "active"];

/** @param {{id: string, state: any, live: boolean, onDone?: () => void}} props */
export function Plan({ id, state, live, onDone }) {
  const steps = state.plan ?? [];
  const ended = steps.filter((step) => !OPEN.includes(step.status)).length;
  return html`
    <${Block} name="Plan" count=${steps.length ? `${ended} of ${steps.length}` : undefined}>
      ${steps.length > 0 && html`
        <progress class="t-progress" max=${steps.length} value=${ended} aria-label="Steps that came to an end"></progress>`}
      ${state.progress && html`<p class="t-how"><${Long} text=${state.progress} /></p>`}
      ${steps.length === 0 && html`<${None}>No plan yet.<//>
        ${live && html`<${Command} line=${mainstay("plan set", [id, "write the tests", "make them pass"])} />`}`}
      <ol class="t-list">
        ${steps.map((step, place) => html`
          <li class=${`t-item t-step-${step.status}`} key=${place} aria-current=${step.status === "active" ? "step" : undefined}>
            <${Mark} kind=${MARKS[step.status] ?? "idle"}>${step.status}<//>
            <div class="t-body">
              <${Said} text=${step.label} />
              ${step.note && html`<p class="t-how"><${Said} text=${step.note} /></p>`}
            </div>
            ${live && html`<${Move} id=${id} number=${place + 1} now=${step.status} onDone=${onDone} />`}
          </li>`)}
      </ol>
    <//>`;
}

/** Moves a step: an open one to its end, and an ended one back. */
function Move({ id, number, now, onDone }) {
  const isOpen = OPEN.includes(now);
  const [to, setTo] = useState("done");
  const [note, setNote] = useState("");
  const status = isOpen ? to : "todo";
  const words = { as: status === "done" ? null : status, note: isOpen ? note : null };
  const body = words.note ? { status, note } : { status };
  const reset = () => {
    setNote("");
    setTo("done");
    onDone?.();
  };
  return html`
    <${Act} quiet done=${`Step ${number} is ${status}.`}
      label=${html`<${Named} name=${isOpen ? "Done" : "Reopen"} of=${`step ${number}`} />`}
      command=${mainstay("plan done", [id, number], words)}
      run=${() => send("PATCH", of(id, `/plan/${number}`), body)} onDone=${reset}>
      ${isOpen && html`
        <label class="t-field">How it ends
          <select value=${to} onChange=${(event) => setTo(event.target.value)}>
            <option value="done">done</option>
            <option value="skipped">skipped</option>
            <option value="failed">failed</option>
            ${now === "todo" && html`<option value="active">not yet: it is worked on</option>`}
          </select>
        </label>
        ${["skipped", "failed"].includes(to) && html`
          <label class="t-field">Why
            <input value=${note} onInput=${(event) => setNote(event.target.value)} maxlength="256" />
          </label>`}`}
    <//>`;
}
