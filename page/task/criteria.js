// What must be true in the end, and how it is known: seen by Mainstay, or somebody's word.
import { html, useState } from "../lib.js";
import { send } from "../api.js";
import { Act } from "../parts/act.js";
import { Block, By, Mark, Named, None, Said, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

const STANDINGS = {
  met: ["good", "met"],
  not_said: ["idle", "open"],
  never_run: ["idle", "never run"],
  failed: ["bad", "failed"],
  stale: ["warn", "stale"],
};

/** The newest evidence of exactly this command, as the gate takes it. */
const newest = (evidence, command) => evidence.filter((each) => each.command === command).at(-1);

/** How a criterion of an earlier moment stood; whether files changed since is not known of the past. */
function standingThen(criterion, evidence) {
  if (criterion.met_by) return "met";
  if (!criterion.check) return "not_said";
  const seen = newest(evidence, criterion.check);
  if (!seen) return "never_run";
  return seen.exit_code === 0 ? "met" : "failed";
}

/**
 * @param {{id: string, criteria: any[], evidence: any[], live: boolean, onDone?: () => void}} props
 * live: it is the present, so that something can be done about it
 */
export function Criteria({ id, criteria, evidence, live, onDone }) {
  const judged = criteria.map((each) => ({ ...each, standing: each.standing ?? standingThen(each, evidence) }));
  const met = judged.filter((each) => each.standing === "met").length;
  return html`
    <${Block} name="Criteria" count=${criteria.length ? `${met} of ${criteria.length} met` : undefined}
      side=${live && html`<${AddCriterion} id=${id} onDone=${onDone} />`}>
      ${criteria.length === 0 && html`<${None}>Nothing says yet when it is done.<//>`}
      <ol class="t-list">
        ${judged.map((each, place) => html`
          <${Criterion} key=${place} number=${place + 1} criterion=${each} evidence=${evidence}
            live=${live} id=${id} onDone=${onDone} />`)}
      </ol>
    <//>`;
}

function Criterion({ id, number, criterion, evidence, live, onDone }) {
  const [mark, word] = STANDINGS[criterion.standing] ?? ["idle", criterion.standing];
  const seen = criterion.check && newest(evidence, criterion.check);
  return html`
    <li class="t-item">
      <${Mark} kind=${mark}>${word}<//>
      <div class="t-body">
        <${Said} text=${criterion.text} />
        ${criterion.check && html`<p class="t-how">
          ${seen ? html`<b>Observed:</b> ` : html`<b>Checked by</b> `}<${Said} text=${criterion.check} code />
          ${seen && html` ended with ${seen.exit_code}${
            criterion.standing === "stale" ? "; files changed since" : ""} <${By} who=${seen.author} at=${seen.at} />`}
        </p>`}
        ${criterion.met_by && html`<p class="t-how">
          <b>Word of</b> <${By} who=${criterion.met_by} at=${criterion.met_at} />
          ${criterion.note && html`: <${Said} text=${criterion.note} />`}
        </p>`}
      </div>
      ${live && !criterion.check && (criterion.met_by
        ? html`<${Reopen} id=${id} number=${number} onDone=${onDone} />`
        : html`<${Meet} id=${id} number=${number} onDone=${onDone} />`)}
    </li>`;
}

function Meet({ id, number, onDone }) {
  const [note, setNote] = useState("");
  const run = () => send("PUT", of(id, `/criteria/${number}/met`), note ? { note } : {});
  return html`
    <${Act} quiet label=${html`<${Named} name="Met" of=${`criterion ${number}`} />`}
      done="The criterion is met, by your word." why="It is kept as your word."
      command=${mainstay("criteria meet", [id, number], { note })} run=${run} onDone=${onDone}>
      <label class="t-field">Where that can be seen
        <input value=${note} onInput=${(event) => setNote(event.target.value)} maxlength="256" />
      </label>
    <//>`;
}

function Reopen({ id, number, onDone }) {
  return html`
    <${Act} quiet label=${html`<${Named} name="Not met" of=${`criterion ${number}`} />`}
      done="The criterion is open again."
      command=${mainstay("criteria reopen", [id, number])} onDone=${onDone}
      run=${() => send("DELETE", of(id, `/criteria/${number}/met`))} />`;
}

function AddCriterion({ id, onDone }) {
  const [text, setText] = useState("");
  const [check, setCheck] = useState("");
  const run = async () => {
    if (!text.trim()) throw new Error("Say what must be true in the end.");
    await send("POST", of(id, "/criteria"), check ? { text, check } : { text });
    setText("");
    setCheck("");
  };
  return html`
    <${Act} quiet label="Add criterion" done="The task has a new criterion." run=${run} onDone=${onDone}
      command=${mainstay("criteria add", [id, text], { check })}>
      <label class="t-field">What must be true in the end
        <input value=${text} onInput=${(event) => setText(event.target.value)} />
      </label>
      <label class="t-field">A command that shows it, if there is one
        <input class="t-code" value=${check} onInput=${(event) => setCheck(event.target.value)} />
      </label>
    <//>`;
}

/** Every command that Mainstay ran or saw, also those that no criterion asks for. */
export function Evidence({ evidence }) {
  if (evidence.length === 0) return null;
  return html`
    <${Block} name="Evidence" count=${evidence.length}>
      <ul class="t-list">
        ${[...evidence].reverse().map((each, place) => html`
          <li class="t-item" key=${place}>
            <${Mark} kind=${each.exit_code !== 0 ? "bad" : each.fresh === false ? "warn" : "good"}>
              ${each.exit_code !== 0 ? "failed" : each.fresh === false ? "stale" : "passed"}<//>
            <div class="t-body">
              <${Said} text=${each.command} code />
              <p class="t-how">
                ended with ${each.exit_code}, ${each.how === "ran" ? "run by Mainstay" : "seen by Mainstay"}${
                  each.fresh === false ? "; files changed since" : ""}
                ${" "}<${By} who=${each.author} at=${each.at} source=${each.source} />
              </p>
            </div>
          </li>`)}
      </ul>
    <//>`;
}
