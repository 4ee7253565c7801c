// The time slider: any moment of a task's journal, who did what then, what was known, and what differs.
import { html, useEffect, useMemo, useRef, useState } from "../lib.js";
import { get } from "../api.js";
import { useFresh } from "../live.js";
import { Sentence } from "../parts/problem.js";
import { clock } from "../parts/time.js";
import { Fork, Restore, SaveCheckpoint } from "./actions.js";
import { Moment } from "./moment.js";
import { useEntries } from "./entries.js";
import { family, happened } from "../parts/happened.js";
import { By, Said, of } from "./pieces.js";

/** So many entries are listed before and after the chosen one. */
const AROUND = 4;
/** What was known is asked for once the slider stays for so long. */
const STAYS_MS = 180;

/**
 * @param {{id: string, concerns: (entry: any) => boolean, person: boolean, at: string | null, go: (hash: string) => void}} props
 * at: the number of an entry, from the address
 */
export function Time({ id, concerns, person, at, go }) {
  const journal = useFresh(() => get(of(id, "/journal"), { from: 1, limit: 1 }), concerns, [id]);
  const checkpoints = useFresh(() => get(of(id, "/checkpoints")), concerns, [id]);
  const last = journal.value?.last;
  if (!last) return html`<${Sentence} problem=${journal.problem} />`;
  const reload = () => {
    journal.reload();
    checkpoints.reload();
  };
  return html`<${Slider} id=${id} last=${last} at=${at} person=${person} go=${go}
    checkpoints=${checkpoints.value?.items ?? []} onDone=${reload} />`;
}

function Slider({ id, last, at, person, go, checkpoints, onDone }) {
  const given = Number(at);
  // Null follows the newest entry, whatever comes.
  const [chosen, setChosen] = useState(/** @type {number | null} */ (given >= 1 && given < last ? given : null));
  const number = Math.min(chosen ?? last, last);
  const choose = (next) => {
    const within = Math.max(1, Math.min(last, next));
    setChosen(within === last ? null : within);
  };
  const { shown, entry, problem } = useEntries(id, number, last, AROUND);
  const settled = useSettled(number);
  useEffect(() => remember(id, settled === last ? null : settled), [id, settled, settled === last]);
  const moment = `#${settled}`;
  // The part below is large; while the slider moves it stays as it is.
  const below = useMemo(
    () => html`<${Moment} id=${id} number=${settled} last=${last} />`,
    [id, settled, last],
  );
  const named = checkpoints.filter((each) => each.number === number).map((each) => each.name);
  return html`
    <div class="t-stack">
      <section class="card t-time" aria-label="Choose a moment">
        <div class="t-slide">
          <button type="button" onClick=${() => choose(number - 1)} disabled=${number === 1}>Earlier</button>
          <input type="range" min="1" max=${last} value=${number} aria-label="Entry of the journal"
            aria-valuetext=${spoken(number, last, entry)} onInput=${(event) => choose(Number(event.target.value))} />
          <button type="button" onClick=${() => choose(number + 1)} disabled=${number === last}>Later</button>
          <button type="button" onClick=${() => setChosen(null)} aria-pressed=${chosen === null}>Now</button>
        </div>
        <p class="t-where">
          <b>Entry ${number}</b> of ${last}${chosen === null ? ", the newest" : ""}
          ${named.map((name) => html` · <${Said} text=${name} />`)}
        </p>
        <${Sentence} problem=${problem} />
        <ol class="t-entries">
          ${shown.map((each) => html`<${Line} key=${each.number} line=${each} current=${each.number === number} choose=${choose} />`)}
        </ol>
        <div class="t-actions">
          ${checkpoints.length > 0 && html`<${Named} checkpoints=${checkpoints} number=${number} choose=${choose} />`}
          ${person && (chosen === null
            ? html`<${SaveCheckpoint} id=${id} onDone=${onDone} />`
            : html`<${Fork} id=${id} moment=${moment} go=${go} label=${`Fork from entry ${settled}`} />
                <${Restore} id=${id} moment=${moment} onDone=${onDone} />`)}
        </div>
      </section>
      ${below}
    </div>`;
}

/** The moment in the address, so that it can be sent to somebody; the way back is not filled with moments. */
function remember(id, number) {
  const query = new URLSearchParams({ tab: "time" });
  if (number !== null) query.set("at", String(number));
  history.replaceState(history.state, "", `#/tasks/${encodeURIComponent(id)}?${query}`);
}

function spoken(number, last, entry) {
  const what = entry ? `: ${entry.actor} ${happened(entry)}, ${clock(entry.at)}` : "";
  return `entry ${number} of ${last}${what}`;
}

function Line({ line, current, choose }) {
  const { number, entry } = line;
  return html`
    <li class=${current ? "t-current" : ""}>
      <button type="button" class="t-line" aria-current=${current ? "true" : undefined} onClick=${() => choose(number)}>
        <span class="t-number">${number}</span>
        ${entry
          ? html`<span class=${`t-family t-family-${family(entry)}`} aria-hidden="true"></span>
              <span class="t-line-what"><${By} who=${entry.actor} /> <${Said} text=${happened(entry)} /></span>
              <time class="t-line-when" datetime=${entry.at} title=${entry.at}>${clock(entry.at)}</time>`
          : html`<span class="t-none">…</span>`}
      </button>
    </li>`;
}

/** Moments that have a name. */
function Named({ checkpoints, number, choose }) {
  const current = checkpoints.find((each) => each.number === number);
  return html`
    <label class="t-field t-inline">Checkpoint
      <select value=${current ? String(current.number) : ""}
        onChange=${(event) => event.target.value && choose(Number(event.target.value))}>
        <option value="">choose one</option>
        ${checkpoints.map(({ name, number: at }) => html`
          <option dir="auto" key=${name} value=${String(at)}>${name} (entry ${at})</option>`)}
      </select>
    </label>`;
}

/** The value once it stays for a moment; the first one at once. */
function useSettled(value) {
  const [settled, setSettled] = useState(value);
  const timer = useRef(0);
  useEffect(() => {
    timer.current = setTimeout(() => setSettled(value), STAYS_MS);
    return () => clearTimeout(timer.current);
  }, [value]);
  return settled;
}
