// What was known at one moment of a task, and how that differs from before or from now.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { Command } from "../parts/command.js";
import { Sentence } from "../parts/problem.js";
import { Difference } from "./difference.js";
import { Known } from "./known.js";
import { Block, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

/** @param {{id: string, number: number, last: number}} props */
export function Moment({ id, number, last }) {
  const [to, setTo] = useState("before");
  const newest = number === last;
  // The newest entry has no later one to be compared with.
  const against = newest ? "before" : to;
  const here = `#${number}`;
  const [from, until] = against === "before" ? [`#${Math.max(1, number - 1)}`, here] : [here, "now"];
  const state = useAsked(of(id, "/state"), { at: here }, here);
  // A later entry changes what "now" is and nothing else.
  const difference = useAsked(of(id, "/state/diff"), { from, to: until }, `${from} ${until} ${until === "now" ? last : ""}`);
  return html`
    <${Block} name="What differs" side=${html`<${Against} value=${against} newest=${newest} choose=${setTo} />`}>
      <div aria-live="polite" class=${difference.stale ? "t-stale" : ""}>
        <${Sentence} problem=${difference.problem} />
        ${difference.value && html`<${Difference} difference=${difference.value} />`}
      </div>
      <${Command} line=${mainstay("state diff", [id, from, until])} />
    <//>
    <div class=${state.stale ? "t-stale" : ""}>
      <h2 class="t-then">What was known at entry ${number}</h2>
      <${Sentence} problem=${state.problem} />
      ${state.value && html`<${Known} id=${id} known=${state.value} />`}
    </div>`;
}

function Against({ value, newest, choose }) {
  const option = (name, words, disabled) => html`
    <label class="t-check">
      <input type="radio" name="against" value=${name} checked=${value === name} disabled=${disabled} onChange=${() => choose(name)} />
      ${words}
    </label>`;
  return html`
    <fieldset class="t-radios"><legend class="hidden">Compare with</legend>
      ${option("before", "from the entry before", false)}
      ${option("now", "until now", newest)}
    </fieldset>`;
}

/** What an address answers; the answer before stays, marked as stale, until the next one is here. */
function useAsked(path, query, key) {
  const [answer, setAnswer] = useState(/** @type {any} */ ({}));
  useEffect(() => {
    let current = true;
    get(path, query).then(
      (value) => current && setAnswer({ key, value }),
      (problem) => current && setAnswer({ key, problem }),
    );
    return () => {
      current = false;
    };
  }, [path, key]);
  return { ...answer, stale: answer.key !== key };
}
