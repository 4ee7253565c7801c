// What differs between two moments, told so that people can read it: moves of a thing, words that went and came.
import { html } from "../lib.js";
import { Long, Mark, None, Said } from "./pieces.js";
import { paired, untagged, worded } from "./sameness.js";

const NAMES = {
  goal: "Goal", criteria: "Criteria", phase: "Run", directives: "Directives", plan: "Plan", progress: "Progress",
  scratchpad: "Scratchpad", blocked_on: "Blocked on", preserved_refs: "Kept references", recent_actions: "Recent actions",
  compression_log: "Compressions", next_focus: "Next focus", open_issues: "Open issues",
};

/** Fields that hold one text, so that what went became what came. */
const SINGLE = ["goal", "phase", "progress", "scratchpad", "next_focus"];
/** Fields that keep the newest few; the journal has the rest. */
const NEWEST = ["recent_actions", "history", "compression_log"];

const title = (field) => NAMES[field] ?? field[0].toUpperCase() + field.slice(1).replaceAll("_", " ");

/** @param {{difference: Record<string, {gone: string[], come: string[]}>}} props */
export function Difference({ difference }) {
  const fields = Object.entries(difference);
  if (fields.length === 0) return html`<${None}>Nothing of what is known differs.<//>`;
  return html`
    <dl class="t-diff">
      ${fields.map(([field, { gone, come }]) => html`
        <div key=${field}>
          <dt>${title(field)}</dt>
          ${paired(gone, come, SINGLE.includes(field)).map((each, place) => html`
            <dd key=${place}><${Change} change=${each} went=${NEWEST.includes(field) ? "pushed out" : "went"} /></dd>`)}
        </div>`)}
    </dl>`;
}

function Change({ change, went }) {
  const { was, is } = change;
  if (was === undefined) return html`<${Mark} kind="come">came<//> <ins><${Long} text=${is} /></ins>`;
  if (is === undefined) return html`<${Mark} kind="gone">${went}<//> <del><${Long} text=${was} /></del>`;
  const before = untagged(was);
  const after = untagged(is);
  if (before.text === after.text) {
    return html`<${Mark} kind="move">${before.tag ?? "plain"} → ${after.tag ?? "plain"}<//> <${Said} text=${after.text} />`;
  }
  return html`<${Mark} kind="move">changed<//> <bdi dir="auto" class="t-said">${
    worded(was, is).map(({ kind, text }, place) =>
      kind === "same" ? text : kind === "gone" ? html`<del key=${place}>${text}</del>` : html`<ins key=${place}>${text}</ins>`)
  }</bdi>`;
}
