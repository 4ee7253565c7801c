// One terminal: its screen as it is now, how it stands and how that is known, and what can be done with it.

import { html, useState, useEffect, useRef } from "../lib.js";
import { get } from "../api.js";
import { TaskLink, terminalHref } from "../parts/link.js";
import { Sentence } from "../parts/problem.js";
import { Status } from "../parts/status.js";
import { Ago } from "../parts/time.js";
import { Word } from "../parts/word.js";
import { Attach, Message, Restore, Stop, Typing, pathOf } from "./acts.js";

const FIRST_SIZE = { columns: 80, rows: 24 };
const TEXT_LINES = 200;

/** @param {{wall: import("./wall.js").Wall|null, id: string}} props */
function Screen({ wall, id }) {
  const place = useRef(/** @type {HTMLElement|null} */ (null));
  const [news, setNews] = useState("");
  useEffect(() => {
    if (!wall) return undefined;
    let over = false;
    let screen = null;
    /** @type {[string, any][]} */
    let early = [];
    const take = (event, data) => {
      if (!screen) return void early.push([event, data]); // its code is still on the way
      if (event === "screen") {
        setNews("");
        screen.show(data);
      } else if (event === "output") screen.write(data.text);
      else setNews(saying(event, data));
    };
    const end = wall.listen(id, take);
    import("./screen.js").then(({ openTerminal }) => {
      if (over || !place.current) return;
      screen = openTerminal(place.current, FIRST_SIZE);
      early.forEach(([event, data]) => take(event, data));
      early = [];
    });
    return () => {
      over = true;
      end();
      screen?.close();
    };
  }, [wall, id]);
  return html`<div class="screen" ref=${place} role="img" tabindex="0" aria-label="Screen of ${id}; read it as text below"></div>
    <p class="news" role="status">${news}</p>`;
}

function saying(event, data) {
  if (event === "missed") return `${data.bytes.toLocaleString("en")} bytes came too fast and are not shown.`;
  if (event === "interrupted") return "The connection to tmux was lost for a moment; something may be missing.";
  if (event === "ended") return "Its program has ended.";
  return data.detail ?? "";
}

/** The same for those who do not see the drawing, and to copy from. */
function AsText({ id }) {
  const [told, setTold] = useState(/** @type {{text: string, problem: Error|null}|null} */ (null));
  const ask = async () => {
    try {
      const { output } = await get(`${pathOf(id)}/output`, { lines: TEXT_LINES });
      setTold({ text: output, problem: null });
    } catch (refused) {
      setTold({ text: "", problem: /** @type {Error} */ (refused) });
    }
  };
  return html`<details onToggle=${(event) => event.target.open && ask()}>
    <summary>Read as text</summary>
    <${Sentence} problem=${told?.problem} />
    ${told?.text && html`<pre class="lines" tabindex="0" aria-label="Last lines of ${id}">${told.text}</pre>`}
    <button type="button" class="small" onClick=${ask}>Read again</button>
  </details>`;
}

/**
 * @param {{terminal: any, wall: import("./wall.js").Wall|null, watched: boolean, large: boolean, task?: string|null,
 *   isPerson: boolean, live: boolean, reload: () => void}} props
 * watched says that its screen is among those shown, live that its program runs.
 */
export function Tile({ terminal, wall, watched, large, task, isPerson, live, reload }) {
  const { id } = terminal;
  const heading = `terminal-${id}`;
  return html`<article class="tile card ${large ? "large" : ""}" aria-labelledby=${heading}>
    <header>
      <h2 id=${heading}>${large ? (terminal.tmux_session ? "Screen" : "Worker") : html`<a href=${terminalHref(id)}><${Word} text=${id} /></a>`}</h2>
      <${Status} of=${terminal.status ?? "EXTERNAL"} />
      <span class="soft small">${[terminal.agent_profile, terminal.provider].filter(Boolean).join(", ")}</span>
      ${task && html`<span class="small">on <${TaskLink} id=${task} /></span>`}
    </header>
    <p class="soft small known">
      ${terminal.status_reason ? html`Known by: <${Word} text=${terminal.status_reason} max=${160} />.` : live ? "Nothing was seen of it yet." : ""}
      ${!terminal.tmux_session && "It was not started here, so it has no screen to show. What it holds and does is told by its tasks."}
      ${terminal.last_active && html` <span>Last moved <${Ago} at=${terminal.last_active} />.</span>`}
      ${terminal.exit_code !== undefined && terminal.exit_code !== null && ` Exit code ${terminal.exit_code}.`}
    </p>
    ${watched && html`<${Screen} wall=${wall} id=${id} />`}
    ${!live && terminal.last_lines && html`<pre class="lines" tabindex="0" aria-label="Last lines of ${id}">${terminal.last_lines.join("\n")}</pre>`}
    ${live && isPerson && html`<${Typing} id=${id} />`}
    <footer>
      ${isPerson && html`<${Message} id=${id} />`}
      ${isPerson && live && html`<${Stop} id=${id} onDone=${reload} />`}
      ${isPerson && !live && terminal.tmux_session && html`<${Restore} id=${id} onDone=${reload} />`}
      ${live && html`<${Attach} id=${id} /><${AsText} id=${id} />`}
    </footer>
  </article>`;
}
