// What everybody who works on the task knows together, note by note with its author.
import { html } from "../lib.js";
import { Block, By, None, Said } from "./pieces.js";

const SECTIONS = [
  ["next_focus", "Next focus"],
  ["open_issues", "Open issues"],
  ["decisions", "Decisions"],
  ["constraints", "Constraints"],
  ["goals", "Goals"],
  ["hypotheses", "Hypotheses"],
  ["history", "History"],
];

/** @param {{notes: Record<string, {notes: any[], dropped: number, shortened: number}>}} props */
export function Notebook({ notes }) {
  const written = SECTIONS.filter(([key]) => notes?.[key]?.notes?.length);
  const count = written.reduce((sum, [key]) => sum + notes[key].notes.length, 0);
  return html`
    <${Block} name="Notebook" count=${count || undefined} wide>
      ${written.length === 0 && html`<${None}>Nothing was noted yet.<//>`}
      <div class="t-notes">
        ${written.map(([key, name]) => html`
          <div class="t-section" key=${key}>
            <h3>${name}</h3>
            <ul class="t-list">
              ${notes[key].notes.map((note, place) => html`
                <li class="t-item" key=${place}>
                  <div class="t-body">
                    <${Said} text=${note.text} />
                    <p class="t-how"><${By} who=${note.author} at=${note.at} /></p>
                  </div>
                </li>`)}
            </ul>
            ${notes[key].dropped > 0 && html`<${None}>${notes[key].dropped} older ones are in the journal.<//>`}
          </div>`)}
      </div>
    <//>`;
}
