// What a person can do with a terminal, each with the command it equals.

import { html, useState } from "../lib.js";
import { get, send, sendOnce } from "../api.js";
import { Act } from "../parts/act.js";
import { Command } from "../parts/command.js";
import { Sentence } from "../parts/problem.js";
import { mainstay } from "../parts/shell.js";
import { toast } from "../parts/toast.js";

const KEYS = ["Enter", "Escape", "Tab", "Up", "Down", "Left", "Right", "Space", "BSpace", "C-c", "C-d"];

/** @param {string} id */
export const pathOf = (id) => `/terminals/${encodeURIComponent(id)}`;

/**
 * A line to type into a terminal, and keys to press there. A key is chosen first and pressed then: who walks through
 * the list by keys must not press each of them on the way.
 * @param {{id: string}} props
 */
export function Typing({ id }) {
  const [text, setText] = useState("");
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState(/** @type {Error|null} */ (null));
  const [busy, setBusy] = useState(false);
  const act = async (body) => {
    setBusy(true);
    setProblem(null);
    try {
      const { outcome } = await sendOnce("POST", `${pathOf(id)}/input`, body);
      if (outcome === "UNCONFIRMED") toast(`Typed into ${id}; nothing moved on its screen yet.`);
      if (body.text !== undefined) setText("");
      else setKey("");
    } catch (refused) {
      setProblem(/** @type {Error} */ (refused));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    if (key) act({ key });
    else if (text) act({ text });
  };
  return html`<form class="typing" onSubmit=${submit}>
    <input aria-label="Type into ${id}" placeholder="Type here; Enter sends it" value=${text} disabled=${busy || Boolean(key)} autocomplete="off" spellcheck="false" onInput=${(event) => setText(event.target.value)} />
    <button type="submit" disabled=${busy || !(text || key)}>${key ? "Press" : "Type"}</button>
    <select aria-label="Press a key in ${id}" value=${key} disabled=${busy} onChange=${(event) => setKey(event.target.value)}>
      <option value="">Key</option>
      ${KEYS.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}
    </select>
    ${(text || key) && html`<${Command} line=${key ? mainstay("terminal send", [id], { press: key }) : mainstay("terminal send", [id, text])} />`}
    <${Sentence} problem=${problem} />
  </form>`;
}

/** A message waits until its agent can take it. @param {{id: string}} props */
export function Message({ id }) {
  const [message, setMessage] = useState("");
  return html`<${Act}
    label="Message"
    why="It is kept and delivered when ${id} can take it, unlike what is typed."
    command=${mainstay("inbox send", [id, message || "TEXT"])}
    run=${() => send("POST", `${pathOf(id)}/inbox`, { message })}
    done="Sent."
    onDone=${() => setMessage("")}
  ><label>Message<textarea required value=${message} onInput=${(event) => setMessage(event.target.value)}></textarea></label><//>`;
}

/** @param {{id: string, onDone: () => void}} props */
export function Stop({ id, onDone }) {
  return html`<${Act}
    label="Stop"
    danger
    why="Its agent is asked to leave and what it holds goes back. Its history stays."
    command=${mainstay("terminal stop", [id])}
    run=${() => send("DELETE", pathOf(id))}
    done="Stopped."
    onDone=${onDone}
  />`;
}

/** @param {{id: string, onDone: () => void}} props */
export function Restore({ id, onDone }) {
  return html`<${Act}
    label="Restore"
    why="Its window is made again. Its agent goes on with its conversation where its program can."
    command=${mainstay("terminal restore", [id])}
    run=${() => send("POST", `${pathOf(id)}/restore`, {})}
    done="Restored."
    onDone=${onDone}
  />`;
}

/** @param {{onDone: (terminal: any) => void}} props */
export function Launch({ onDone }) {
  const [profile, setProfile] = useState("developer");
  const [provider, setProvider] = useState("");
  const [prompt, setPrompt] = useState("");
  const body = () => ({ agent_profile: profile, ...(provider ? { provider } : {}), ...(prompt ? { initial_prompt: prompt } : {}) });
  return html`<${Act}
    label="Start an agent"
    why="It works in a window of tmux, in this project's folder."
    command=${mainstay("launch", [], { agents: profile, provider, prompt })}
    run=${() => send("POST", "/terminals/launch", body())}
    done="Started."
    onDone=${onDone}
  >
    <label>Profile<input required value=${profile} onInput=${(event) => setProfile(event.target.value)} /></label>
    <label>Program (its profile's, when left out)<input placeholder="claude-code, codex, shell ..." value=${provider} onInput=${(event) => setProvider(event.target.value)} /></label>
    <label>What it is told first (may be left out)<textarea value=${prompt} onInput=${(event) => setPrompt(event.target.value)}></textarea></label>
  <//>`;
}

/** How a person looks at it in a window of their own; asked for when it is wanted. @param {{id: string}} props */
export function Attach({ id }) {
  const [told, setTold] = useState(/** @type {{line: string, problem: Error|null}|null} */ (null));
  const ask = async (event) => {
    if (!event.target.open || told) return;
    try {
      const { command } = await get(`${pathOf(id)}/attach`);
      setTold({ line: command.map(word).join(" "), problem: null });
    } catch (refused) {
      setTold({ line: "", problem: /** @type {Error} */ (refused) });
    }
  };
  return html`<details onToggle=${ask}>
    <summary>Attach</summary>
    <p class="soft small">In a terminal of that machine; Ctrl-b d leaves it again.</p>
    <${Command} line=${mainstay("terminal attach", [id])} />
    ${told?.line && html`<${Command} line=${told.line} />`}
    <${Sentence} problem=${told?.problem} />
  </details>`;
}

/** tmux reads = and : itself; the shell must not. @param {string} text */
const word = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
