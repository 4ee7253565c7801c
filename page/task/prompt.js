// The prompt as the agent sees it: each section in its colour, how much room it takes, and what was left out.
import { html, useEffect, useRef, useState } from "../lib.js";
import { get } from "../api.js";
import { useFresh } from "../live.js";
import { Command } from "../parts/command.js";
import { Sentence } from "../parts/problem.js";
import { Block, None, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

const HOSTS = [
  { name: "claude-code", unit: "characters", usual: 10_000, least: 1_024 },
  { name: "codex", unit: "tokens", usual: 2_500, least: 320 },
  { name: "api", unit: "tokens", usual: 5_000, least: 320 },
];

/** A hue is a section's own, so that it looks the same for every host; neighbours are far apart. */
const HUES = {
  task: 250, persona: 320, modifiers: 30, goal: 145, criteria: 60, binding_directives: 15, directives: 345,
  constraints: 75, goals: 160, decisions: 265, variables: 105, findings: 200, description: 300,
  compressions: 40, hypotheses: 185, history: 285, open_issues: 25, criteria_state: 130, plan: 230,
  status: 90, execution: 330, progress: 170, blocked_on: 10, scratchpad: 215, recent_actions: 55,
  evidence: 150, next_focus: 275, conflicts: 0, now: 240,
};
const NEXT_HUE = 137;
const SETTLE_MS = 350;

const words = (name) => name.replaceAll("_", " ");
const number = (value) => value.toLocaleString("en");
const hue = (name, place) => ({ "--hue": HUES[name] ?? (place * NEXT_HUE) % 360 });

/** @param {{id: string, concerns: (entry: any) => boolean}} props */
export function Prompt({ id, concerns }) {
  const [host, setHost] = useState(HOSTS[0].name);
  const [budget, setBudget] = useState("");
  const wanted = useSettled(budget);
  const preset = HOSTS.find((each) => each.name === host) ?? HOSTS[0];
  const ask = { for: host, budget: wanted, sections: true };
  const { value, problem, loading } = useFresh(() => get(of(id, "/prompt"), ask), concerns, [id, host, wanted]);
  // Another host or budget is another question; its answer takes the place of this one, without a blank between.
  const before = useRef(value);
  if (value) before.current = value;
  return html`
    <div class="t-stack">
      <form class="t-choose" onSubmit=${(event) => event.preventDefault()}>
        <label class="t-field">Shown to
          <select value=${host} onChange=${(event) => setHost(event.target.value)}>
            ${HOSTS.map((each) => html`<option key=${each.name} value=${each.name}>${each.name}</option>`)}
          </select>
        </label>
        <label class="t-field">Within so many ${preset.unit}
          <input type="number" min=${preset.least} step="any" inputmode="numeric" placeholder=${preset.usual}
            value=${budget} onInput=${(event) => setBudget(event.target.value)} />
        </label>
        <div class="t-grow"><${Command} line=${mainstay("prompt", [id], { for: host, budget })} /></div>
      </form>
      <${Sentence} problem=${problem} />
      ${!before.current && loading && html`<p class="soft loading">Loading</p>`}
      ${before.current && !problem && html`
        <div class=${value ? "t-stack" : "t-stack t-stale"}><${Sections} answer=${before.current} /></div>`}
    </div>`;
}

function Sections({ answer }) {
  const shown = answer.sections.filter((section) => section.text);
  const most = Math.max(1, ...shown.map((section) => section.tokens));
  const joined = shown.map((section) => section.text).join("");
  // What belongs to no section: the line that says what was left out.
  const rest = answer.prompt.startsWith(joined) ? answer.prompt.slice(joined.length).trim() : "";
  const jump = (name) => document.getElementById(`p-${name}`)?.focus();
  return html`
    <${Share} answer=${answer} shown=${shown} />
    <div class="t-prompt">
      <div class="t-stack">
        <${Block} name="Left out"><${LeftOut} all=${answer.left_out ?? []} /><//>
        <${Block} name="Sections" count=${shown.length}>
          <ol class="t-bars">
            ${shown.map((section, place) => html`
              <li key=${section.name} style=${hue(section.name, place)}>
                <button type="button" class="t-bar" onClick=${() => jump(section.name)}>
                  <span class="t-bar-name">${words(section.name)}</span>
                  <span class="t-bar-size">${number(section.tokens)}<span class="hidden"> tokens</span></span>
                  <span class="t-bar-line" aria-hidden="true" style=${{ "--part": `${(section.tokens / most) * 100}%` }}></span>
                </button>
              </li>`)}
          </ol>
        <//>
      </div>
      <${Block} name="What the agent sees">
        ${shown.map((section, place) => html`
          <div class="t-part" id=${`p-${section.name}`} tabindex="-1" key=${section.name} style=${hue(section.name, place)}>
            <h3>${words(section.name)}${section.stable
              ? html` <span class="t-none">stays from turn to turn</span>` : ""}</h3>
            <pre dir="auto">${section.text}</pre>
          </div>`)}
        ${rest && html`<div class="t-part t-rest"><h3>last line</h3><pre dir="auto">${rest}</pre></div>`}
      <//>
    </div>`;
}

/** How full the budget is, and one bar for the whole prompt, section beside section. */
function Share({ answer, shown }) {
  const { budget, size, unit, tokens } = answer;
  const stable = shown.filter((section) => section.stable).reduce((sum, section) => sum + section.tokens, 0);
  return html`
    <div>
      <p class="t-total">
        <b>${number(tokens)}</b> tokens, of which ${number(stable)} stay the same from turn to turn.
        ${" "}${number(size)} of ${number(budget)} ${unit} are used.
        ${" "}<meter min="0" max=${budget} value=${size} aria-label="How full the budget is"></meter>
      </p>
      <div class="t-share" aria-hidden="true">
        ${shown.map((section, place) => html`
          <span key=${section.name} title=${`${words(section.name)}: ${number(section.tokens)} tokens`}
            style=${{ ...hue(section.name, place), "--part": section.tokens }}></span>`)}
      </div>
    </div>`;
}

function LeftOut({ all }) {
  if (all.length === 0) return html`<${None}>Nothing. All of it fits.<//>`;
  const lines = [...new Set(all.map((each) => each.how).filter(Boolean))];
  return html`
    <ul class="t-list">
      ${all.map((each) => html`
        <li class="t-missing" key=${each.what}>
          <span>${words(String(each.what))}</span>
          <span class="t-none">${[each.count && `${number(each.count)} left out`, each.shortened && `${number(each.shortened)} shortened`]
            .filter(Boolean).join(", ")}</span>
        </li>`)}
    </ul>
    ${lines.map((line) => html`<${Command} key=${line} line=${line} />`)}`;
}

/** The value once nobody has typed for a moment. */
function useSettled(value) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
