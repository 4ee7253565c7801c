// Terminals: the screens of agents that run, live and side by side, and those that are over.

import { html } from "../lib.js";
import { Problem, get } from "../api.js";
import { useFresh } from "../live.js";
import { useIsPerson } from "../parts/caller.js";
import { Command } from "../parts/command.js";
import { Empty } from "../parts/empty.js";
import { Heading } from "../parts/heading.js";
import { TerminalLink, terminalHref } from "../parts/link.js";
import { Sentence } from "../parts/problem.js";
import { Status } from "../parts/status.js";
import { Table } from "../parts/table.js";
import { Ago } from "../parts/time.js";
import { Word } from "../parts/word.js";
import { Launch, pathOf } from "../terminal/acts.js";
import { Tile } from "../terminal/tile.js";
import { SCREENS_MAX, useWall } from "../terminal/wall.js";

export const title = "Terminals";

const TERMINALS_SHOWN_MAX = 200;
const OVER = new Set(["ENDED", "CRASHED", "GONE", "STOPPED"]);
const isLive = (terminal) => Boolean(terminal.tmux_session) && !OVER.has(terminal.status);

/**
 * All that run, the one that is looked at, and as many others as a page of the list holds: of those that are over
 * there may be any number, and they must hide none that runs.
 * @param {string|null} at
 */
async function load(at) {
  const [running, list, one] = await Promise.all([
    get("/sessions"),
    get("/terminals", { limit: TERMINALS_SHOWN_MAX }),
    at ? get(pathOf(at)).catch(unlessUnknown) : null,
  ]);
  const found = new Map(list.items.map((each) => [each.id, each]));
  running.items.flatMap((session) => session.terminals).forEach((each) => found.set(each.id, each));
  if (one?.id) found.set(one.id, one);
  return { all: [...found.values()], more: Boolean(list.next), unknown: one instanceof Problem ? one : null };
}

/** @param {any} refused */
function unlessUnknown(refused) {
  if (refused.status === 404) return refused; // it is told where its screen would be, beside the others
  throw refused;
}

/** @param {{query: URLSearchParams, go: (hash: string) => void}} props */
export default function Page({ query, go }) {
  const isPerson = useIsPerson();
  const at = query.get("at");
  const known = useFresh(() => load(at), (entry) => entry.stream.startsWith("terminal/") || entry.kind.startsWith("task."), [at]);
  const tasks = useFresh(() => get("/now"), (entry) => entry.kind.startsWith("task."));
  const all = known.value?.all ?? [];
  const live = all.filter(isLive);
  const shown = at ? live.filter((each) => each.id === at) : live.slice(0, SCREENS_MAX);
  const { wall, standing } = useWall(shown.map((each) => each.id));
  const one = at ? all.find((each) => each.id === at) : null;
  const rest = at ? all.filter((each) => each.id !== at) : all.filter((each) => !shown.includes(each));
  const held = new Map((tasks.value?.working ?? []).map((each) => [each.terminal_id, each.task_id]));
  const tile = (terminal, large) => html`<${Tile}
    key=${terminal.id}
    terminal=${terminal}
    wall=${wall}
    watched=${shown.includes(terminal)}
    live=${isLive(terminal)}
    large=${large}
    task=${held.get(terminal.id)}
    isPerson=${isPerson}
    reload=${known.reload}
  />`;
  return html`${at && html`<p class="trail"><a href="#/terminals">All terminals</a></p>`}
    <${Heading} title=${at ? html`<${Word} text=${at} />` : "Terminals"}>
      ${isPerson && html`<${Launch} onDone=${(made) => go(terminalHref(made.id))} />`}
    <//>
    <${Sentence} problem=${known.problem} />
    <div role="status">
      ${shown.length > 0 && standing.is === "lost" && html`<p class="banner">The screens are not live: ${standing.why}. Trying again.</p>`}
      ${shown.length > 0 && standing.is === "crowded" && html`<p class="banner">Two other tabs show screens already. They appear here when one of those is closed or out of sight.</p>`}
      ${!at && live.length > shown.length && html`<p class="soft">${shown.length} of ${live.length} screens are shown at once; the others are in the table.</p>`}
    </div>
    ${known.value && all.length === 0 &&
    html`<${Empty} title="No agent has a terminal yet">
      <p>Start one here, or by hand:</p>
      <${Command} line="mainstay launch --agents developer" />
    <//>`}
    <${Sentence} problem=${known.value?.unknown} />
    ${!known.value && known.loading && html`<p class="soft loading">Loading</p>`}
    <div class="wall ${["lost", "crowded"].includes(standing.is) ? "lost" : ""} ${at ? "single" : ""}">
      ${one ? tile(one, true) : !at && shown.map((each) => tile(each, false))}
    </div>
    ${rest.length > 0 &&
    html`<section class="card" aria-labelledby="other-terminals">
      <h2 id="other-terminals">${at ? "Other terminals" : "Workers, and terminals that are over"}</h2>
      <${Table}
        caption="Terminals without a screen here"
        rows=${rest}
        keyOf=${(each) => each.id}
        columns=${[
          { name: "Terminal", narrow: true, cell: (each) => html`<${TerminalLink} id=${each.id} />` },
          { name: "Status", narrow: true, cell: (each) => html`<${Status} of=${each.status ?? "EXTERNAL"} />` },
          { name: "Known by", wide: true, cell: (each) => html`<${Word} text=${each.status_reason ?? (each.tmux_session ? "" : "a worker that was not started here")} />` },
          { name: "Profile", narrow: true, cell: (each) => html`<${Word} text=${each.agent_profile} />` },
          { name: "Program", narrow: true, cell: (each) => html`<${Word} text=${each.provider} />` },
          { name: "Last moved", narrow: true, cell: (each) => html`<${Ago} at=${each.last_active ?? each.created_at} />` },
        ]}
      />
      ${known.value?.more && html`<p class="soft">There are more: <code>mainstay terminal list</code></p>`}
    </section>`}`;
}
