// Taking in a drawing: it is dropped or chosen, checked by the server, drawn with its faults marked, and
// taken in when the person says so.

import { html, useState, useRef, useEffect } from "../lib.js";
import { send } from "../api.js";
import { Act } from "../parts/act.js";
import { Sentence } from "../parts/problem.js";
import { mainstay } from "../parts/shell.js";
import { Word } from "../parts/word.js";
import { Diagram } from "./diagram.js";

const FILE_BYTES_MAX = 3 * 1024 * 1024;
const MARKED_MAX = 200;

/** @typedef {{name: string, xml: string, problems: any[], runs: boolean, problem: Error|null}} Drawing */

/** @param {File} file @returns {Promise<Drawing>} */
async function examined(file) {
  const drawing = { name: file.name, xml: "", problems: [], runs: false, problem: null };
  if (file.size > FILE_BYTES_MAX) {
    return { ...drawing, problem: new Error(`${file.name} is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB; split it`) };
  }
  const xml = await file.text();
  try {
    return { ...drawing, xml, ...(await send("POST", "/workflows/check", { bpmn: xml })) };
  } catch (refused) {
    return { ...drawing, xml, problem: /** @type {Error} */ (refused) };
  }
}

/** Files are taken wherever they are dropped while this is shown; the edge says so. */
function useDrop(take) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const carries = (event) => event.dataTransfer?.types.includes("Files");
    const drag = (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event) => !event.relatedTarget && setOver(false);
    const drop = (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files[0]);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return over;
}

/** @param {{go: (hash: string) => void}} props */
export function Import({ go }) {
  const [drawing, setDrawing] = useState(/** @type {Drawing|null} */ (null));
  const chooser = useRef(/** @type {HTMLInputElement|null} */ (null));
  const take = async (file) => file && setDrawing(await examined(file));
  const over = useDrop(take);
  const chosen = (event) => {
    take(event.target.files[0]);
    event.target.value = ""; // the same file may be chosen again after it was changed
  };
  return html`<section class="import card ${over ? "over" : ""}" aria-label="Import a workflow">
    <div class="drop">
      <p><strong>Drop a BPMN file here</strong> <span class="soft">or</span></p>
      <button type="button" onClick=${() => chooser.current?.click()}>Choose a file</button>
      <input ref=${chooser} class="hidden" type="file" accept=".bpmn,.xml" aria-label="A BPMN file" tabindex="-1" onChange=${chosen} />
    </div>
    <div aria-live="polite">
      ${drawing && html`<${Examined} drawing=${drawing} close=${() => setDrawing(null)} go=${go} />`}
    </div>
  </section>`;
}

function Examined({ drawing, close, go }) {
  const [chosen, setChosen] = useState(/** @type {string|null} */ (null));
  const { name, xml, problems, runs, problem } = drawing;
  const fatal = problems.filter((each) => each.fatal).length;
  const shown = problems.slice(0, MARKED_MAX);
  const marks = Object.fromEntries(shown.map((each) => [each.element, each.fatal ? "incident" : "doubt"]));
  const taken = (answer) => go(`#/workflows/${encodeURIComponent(answer.items[0].id)}`);
  return html`<div class="examined">
    <h2><${Word} text=${name} /></h2>
    <p>${summary(problem, problems, fatal)}</p>
    <${Sentence} problem=${problem} />
    ${shown.length > 0 &&
    html`<ol class="problems">
      ${shown.map(
        (each, at) => html`<li key=${at} class=${each.fatal ? "bad" : "warn"}>
          <button type="button" class="quiet small" aria-pressed=${String(chosen === each.element)} onClick=${() => setChosen(each.element)}><code>${each.element}</code></button>
          <span><strong>${each.fatal ? "Fault" : "Note"}:</strong> <${Word} text=${each.problem} max=${400} />; <${Word} text=${each.advice} max=${400} />.</span>
        </li>`,
      )}
    </ol>`}
    ${problems.length > shown.length && html`<p class="soft">${problems.length - shown.length} more: <code>${mainstay("workflow import", [name], { check: true })}</code></p>`}
    ${xml && !problem && html`<${Diagram} xml=${xml} label="What ${name} shows" marks=${marks} chosen=${chosen} choose=${setChosen} />`}
    <p class="buttons">
      ${runs &&
      html`<${Act}
        label="Import"
        why="Each process in it becomes a workflow, or a new version where it has changed."
        command=${mainstay("workflow import", [name])}
        run=${() => send("POST", "/workflows", { bpmn: xml })}
        done="Imported."
        onDone=${taken}
      />`}
      <button type="button" class="quiet" onClick=${close}>Put it away</button>
    </p>
  </div>`;
}

function summary(problem, problems, fatal) {
  if (problem) return "This is not taken in.";
  if (fatal > 0) return `It cannot be run like this: ${fatal} ${fatal === 1 ? "fault" : "faults"}. Nothing was kept.`;
  return problems.length > 0 ? "It can be run. Somebody should know this:" : "It can be run; nothing speaks against it.";
}
