// Who was given the task over time, as bars on one line of time.
import { html, useEffect, useState } from "../lib.js";
import { Status } from "../parts/status.js";
import { Ago, Took, clock } from "../parts/time.js";
import { TerminalLink } from "../parts/link.js";
import { Block, None, Said } from "./pieces.js";

const OPEN = ["ASSIGNED", "ACCEPTED", "IN_PROGRESS"];
const SECOND = 1000;

/** @param {{assignments: any[]}} props */
export function Assignments({ assignments }) {
  const open = assignments.some((each) => OPEN.includes(each.status));
  const now = useNow(open);
  if (assignments.length === 0) {
    return html`<${Block} name="Assignments"><${None}>Nobody was given this task yet.<//><//>`;
  }
  const spans = assignments.map((each) => span(each, now));
  const from = Math.min(...spans.map((each) => each.from));
  const to = Math.max(...spans.map((each) => each.to), from + SECOND);
  return html`
    <${Block} name="Assignments" count=${assignments.length}>
      <ol class="t-lanes">
        ${assignments.map((each, place) => html`
          <li key=${each.id}>
            <div class="t-lane-head">
              <${TerminalLink} id=${each.terminal_id} />
              <${Status} of=${each.status} />
              <span class="t-how">attempt ${each.attempt} · <${Ago} at=${each.assigned_at} /> ·
                ${" "}${OPEN.includes(each.status) ? "so far " : "took "}
                <${Took} ms=${spans[place].to - spans[place].from} /></span>
            </div>
            <${Lane} span=${spans[place]} status=${each.status} from=${from} length=${to - from} />
            ${each.error_message && html`<p class="t-how t-error"><${Said} text=${each.error_message} /></p>`}
            ${each.result && html`<p class="t-how"><${Said} text=${JSON.stringify(each.result)} code /></p>`}
          </li>`)}
      </ol>
      <p class="t-axis" aria-hidden="true">
        <span>${clock(new Date(from).toISOString())}</span>
        <span>${open ? "now" : clock(new Date(to).toISOString())}</span>
      </p>
    <//>`;
}

function span(assignment, now) {
  const from = Date.parse(assignment.assigned_at);
  const end = OPEN.includes(assignment.status) ? now : Date.parse(assignment.completed_at ?? assignment.assigned_at);
  // The server's clock may be ahead of the browser's.
  const to = Math.max(end, from);
  const began = assignment.started_at ? Date.parse(assignment.started_at) : to;
  return { from, began: Math.min(Math.max(began, from), to), to };
}

/** Thin while it was only given, thick from when it was begun. */
function Lane({ span, status, from, length }) {
  const share = (moment) => `${(((moment - from) / length) * 100).toFixed(2)}%`;
  const style = { "--from": share(span.from), "--began": share(span.began), "--to": share(span.to) };
  return html`
    <div class=${`t-lane t-lane-${status.toLowerCase()}`} aria-hidden="true" style=${style}>
      <span class="t-given"></span><span class="t-worked"></span>
    </div>`;
}

/** The present moment, again every five seconds while something is open. */
function useNow(ticking) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!ticking) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 5 * SECOND);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
