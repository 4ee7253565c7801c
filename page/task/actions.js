// What a person can do about the task as a whole, and what the task asks of a person.
import { html, useState } from "../lib.js";
import { address, send } from "../api.js";
import { Act } from "../parts/act.js";
import { AddDirective } from "./directives.js";
import { By, Long, Said, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

const ENDED = ["COMPLETED", "FAILED", "CANCELLED"];

/** @param {{task: any, onDone: () => void, go: (hash: string) => void}} props */
export function Actions({ task, onDone, go }) {
  const over = ENDED.includes(task.status);
  return html`
    <div class="t-actions">
      <${AddDirective} id=${task.id} onDone=${onDone} />
      <${Fork} id=${task.id} moment="now" go=${go} />
      ${["FAILED", "CANCELLED"].includes(task.status) && html`
        <${WithReason} label="Retry" id=${task.id} command="task retry" onDone=${onDone} done=${`${task.id} is open again.`}
          run=${(reason) => send("POST", of(task.id, "/retry"), reason ? { reason } : {})} />`}
      ${!over && html`
        <${WithReason} label="Cancel task" danger id=${task.id} command="task cancel" onDone=${onDone}
          why="What cannot start without it is cancelled, too. Retry opens it again." done=${`${task.id} is cancelled.`}
          run=${(reason) => send("DELETE", address(of(task.id), { reason }))} />`}
    </div>`;
}

function WithReason({ id, label, command, run, danger, why, done, onDone }) {
  const [reason, setReason] = useState("");
  return html`
    <${Act} label=${label} danger=${danger} command=${mainstay(command, [id], { reason })}
      run=${() => run(reason)} onDone=${onDone} why=${why} done=${done}>
      <label class="t-field">Why
        <input value=${reason} onInput=${(event) => setReason(event.target.value)} />
      </label>
    <//>`;
}

/** Makes a task that knows what this one knew at a moment, and goes there. */
export function Fork({ id, moment, go, label = "Fork" }) {
  const [title, setTitle] = useState("");
  const run = async () => {
    const path = of(id, `/checkpoints/${encodeURIComponent(moment)}/fork`);
    const made = await send("POST", path, title ? { title } : {});
    go(`#/tasks/${encodeURIComponent(made.id)}`);
  };
  return html`
    <${Act} label=${label} command=${mainstay("checkpoint fork", [id, moment], { title })} run=${run}
      done="The new task is here."
      why=${`A new task begins with what this one ${moment === "now" ? "knows" : `knew at ${moment}`}. This one stays as it is.`}>
      <label class="t-field">Another title, if you like
        <input value=${title} onInput=${(event) => setTitle(event.target.value)} />
      </label>
    <//>`;
}

/** Goes back to what was known at a moment; entry by entry it can be gone forward again. */
export function Restore({ id, moment, onDone }) {
  return html`
    <${Act} label="Go back to here" danger command=${mainstay("checkpoint restore", [id, moment])}
      run=${() => send("POST", of(id, `/checkpoints/${encodeURIComponent(moment)}/restore`))} onDone=${onDone}
      done=${`The task knows what it knew at ${moment}.`}
      why="Goal, binding directives and what was observed stay. The way back is kept in the journal." />`;
}

/** Names the present moment. */
export function SaveCheckpoint({ id, onDone }) {
  const [name, setName] = useState("");
  const run = async () => {
    await send("POST", of(id, "/checkpoints"), name ? { name } : {});
    setName("");
  };
  return html`
    <${Act} label="Name this moment" done="The moment has a name." run=${run} onDone=${onDone}
      command=${mainstay("checkpoint save", name ? [id, name] : [id])}>
      <label class="t-field">Its name
        <input value=${name} onInput=${(event) => setName(event.target.value)} />
      </label>
    <//>`;
}

/** What waits for a person: a question of the run, and proposals. */
export function Asked({ id, known, person, onDone }) {
  const state = known.task_state;
  const proposals = known.execution?.open_proposals ?? [];
  const waits = state.phase === "SUSPENDED" && state.waiting_for;
  if (!waits && proposals.length === 0) return null;
  return html`
    <section class="t-asked" aria-label="What is asked of you">
      ${waits && html`
        <div class="t-ask">
          <div class="t-body"><b>It waits for ${state.waiting_on === "question" ? "an answer" : `a ${state.waiting_on}`}:</b>
            ${" "}<${Long} text=${state.waiting_for} /></div>
          ${person && html`<${Answer} id=${id} question=${state.waiting_for} onDone=${onDone} />`}
        </div>`}
      ${proposals.map((each) => html`
        <div class="t-ask" key=${each.number}>
          <div class="t-body"><b>Proposal ${each.number}:</b> ${proposed(each, known.execution?.constraints?.settings)}
            ${" "}asked for by <${By} who=${each.author} at=${each.at} /></div>
          ${person && html`<${Decide} id=${id} number=${each.number} accept onDone=${onDone} />
            <${Decide} id=${id} number=${each.number} onDone=${onDone} />`}
        </div>`)}
    </section>`;
}

function proposed({ kind, what, wanted }, settings) {
  if (kind === "SETTING") {
    return html`set <${Said} text=${what} code /> from <${Said} text=${settings?.[what]} code /> to
      ${" "}<${Said} text=${wanted} code />,`;
  }
  if (kind === "STEP") return html`start the step <${Said} text=${what} />,`;
  if (kind === "LIFT") return html`lift the directive <${Said} text=${what} />,`;
  return html`drop the rule <${Said} text=${what} />,`;
}

function Answer({ id, question, onDone }) {
  const [answer, setAnswer] = useState("");
  const run = async () => {
    if (!answer.trim()) throw new Error("Write an answer first.");
    await send("POST", of(id, "/run/resume"), { answer });
    setAnswer("");
  };
  return html`
    <${Act} label="Answer" done="The run goes on with your answer." run=${run} onDone=${onDone}
      command=${mainstay("state resume", [id, answer])}>
      <p><${Long} text=${question} /></p>
      <label class="t-field">Your answer
        <textarea rows="3" value=${answer} onInput=${(event) => setAnswer(event.target.value)}></textarea>
      </label>
    <//>`;
}

function Decide({ id, number, accept, onDone }) {
  return html`
    <${Act} label=${accept ? "Accept" : "Decline"} danger=${!accept}
      command=${mainstay("exec accept", [number], { reject: !accept, task: id })} done=${`Proposal ${number} is ${accept ? "accepted" : "declined"}.`}
      run=${() => send("POST", of(id, `/proposals/${number}/${accept ? "accept" : "decline"}`))} onDone=${onDone} />`;
}
