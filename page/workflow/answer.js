// A question of a workflow, answered where it is read: one of its choices, or words of one's own.

import { html, useState, useId } from "../lib.js";
import { send } from "../api.js";
import { Command } from "../parts/command.js";
import { Sentence } from "../parts/problem.js";
import { mainstay } from "../parts/shell.js";
import { toast } from "../parts/toast.js";
import { Ago } from "../parts/time.js";
import { Word } from "../parts/word.js";
import { Variables, valuesOf, varOptions } from "./variables.js";

/** @param {{question: any, onDone: () => void, allowed: boolean, children?: any}} props */
export function Answer({ question, onDone, allowed, children }) {
  const [answer, setAnswer] = useState("");
  const [rows, setRows] = useState(/** @type {any[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {Error|null} */ (null));
  const [busy, setBusy] = useState(false);
  const id = useId();
  const { execution_id: execution, node, answers } = question;
  const give = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const variables = valuesOf(rows);
      await send("POST", `/executions/${encodeURIComponent(execution)}/answer`, { node, ...(answer ? { answer } : {}), variables });
      toast("Answered.");
      onDone();
    } catch (refused) {
      setProblem(/** @type {Error} */ (refused));
    } finally {
      setBusy(false);
    }
  };
  // Its first line is the question, the others what one should know to answer it.
  const [asks, ...more] = question.question.split("\n");
  const field = answers.length > 0
    ? html`<fieldset class="choices">
        <legend class="hidden">Answers</legend>
        ${answers.map(
          (each) => html`<label key=${each}><input type="radio" name=${id} value=${each} checked=${answer === each} onChange=${() => setAnswer(each)} required /> <${Word} text=${each} /></label>`,
        )}
      </fieldset>`
    : html`<label>Answer<textarea value=${answer} onInput=${(event) => setAnswer(event.target.value)}></textarea></label>`;
  return html`<form class="question card" onSubmit=${give} aria-labelledby="${id}-asks">
    <h3 id="${id}-asks"><${Word} text=${asks} max=${500} /></h3>
    ${more.length > 0 && html`<p class="told"><${Word} text=${more.join("\n").trim()} max=${4000} /></p>`}
    <p class="soft small">Asked by <code>${node}</code> <${Ago} at=${question.since} /> ${children}</p>
    ${allowed
      ? html`${field}
          <details><summary>Say more</summary><${Variables} rows=${rows} set=${setRows} legend="What else is to be known" /></details>
          <${Sentence} problem=${problem} />
          <p class="buttons"><button type="submit" class="primary" disabled=${busy || (answers.length > 0 && !answer)}>Answer</button></p>
          ${(answer || answers.length === 0) && html`<${Command} line=${mainstay("workflow answer", [execution, node], { answer }) + varOptions(rows)} />`}`
      : html`<p class="soft">A person answers this: sign in as one.</p>`}
  </form>`;
}
