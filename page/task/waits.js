// What the task cannot go on without: other tasks, its parts, a moment, room in a budget, and its own word.
import { html, useMemo } from "../lib.js";
import { get } from "../api.js";
import { useFresh } from "../live.js";
import { TaskLink } from "../parts/link.js";
import { Status, standingOf } from "../parts/status.js";
import { Left } from "../parts/time.js";
import { Sentence } from "../parts/problem.js";
import { Block, None, Said, of } from "./pieces.js";

/** So many of each kind are asked for; the rest is counted. */
const TASKS_MAX = 20;

const KINDS = { blocks: "until it is completed", "after-failure": "until it fails", "after-any": "until it ends" };

/** @param {{task: any, state: any}} props */
export function Waits({ task, state }) {
  const others = task.dependencies ?? [];
  const names = others.slice(0, TASKS_MAX);
  const streams = useMemo(() => new Set(names.map((name) => `task/${name}`)), [names.join()]);
  // A task it waits for may end any moment, so these have their own load.
  const known = useFresh(
    () => Promise.all(names.map((name) => get(of(name)))),
    (entry) => streams.has(entry.stream),
    [names.join()],
  );
  const parts = useFresh(
    async () => (task.open_children ? get("/tasks", { parent: task.id, limit: TASKS_MAX }) : { items: [] }),
    (entry) => entry.stream === `task/${task.id}`,
    [task.id, task.open_children],
  );
  const blocked = state.blocked_on ?? [];
  const open = (parts.value?.items ?? []).filter((part) => !part.completed_at);
  const nothing = !others.length && !blocked.length && !task.open_children && !task.delayed_until && !task.over_budget;
  return html`
    <${Block} name="Blocked on" count=${task.unmet_dependencies || undefined}>
      ${nothing && html`<${None}>Nothing.<//>`}
      <${Sentence} problem=${known.problem ?? parts.problem} />
      <ul class="t-list">
        ${blocked.map((text) => html`<li class="t-item" key=${text}><div class="t-body"><${Said} text=${text} /></div></li>`)}
        ${(known.value ?? []).map((other) => html`
          <${Other} key=${other.id} other=${other} why=${KINDS[task.dependency_kinds?.[other.id] ?? "blocks"]} />`)}
        ${open.map((part) => html`<${Other} key=${part.id} other=${part} why="a part of it" />`)}
        ${task.delayed_until && html`<li class="t-item"><div class="t-body">
          A pause before the next attempt: <${Left} until=${task.delayed_until} /></div></li>`}
        ${task.over_budget && html`<li class="t-item"><div class="t-body">Room in its budget.</div></li>`}
      </ul>
      ${others.length > TASKS_MAX && html`<${None}>And ${others.length - TASKS_MAX} more.<//>`}
    <//>`;
}

function Other({ other, why }) {
  return html`
    <li class="t-item">
      <${Status} of=${standingOf(other)} />
      <div class="t-body"><${TaskLink} id=${other.id} /> <${Said} text=${other.title} />
        <p class="t-how">${why}</p></div>
    </li>`;
}
