// Journal: what happens, as it happens, with filters; whether it is whole; all of it as a file.

import { html, useState, useEffect, useRef, useMemo } from "../lib.js";
import { address, get, getBlob, send } from "../api.js";
import { onConnected, onEntries } from "../live.js";
import { Heading } from "../parts/heading.js";
import { Sentence } from "../parts/problem.js";
import { Empty } from "../parts/empty.js";
import { Command } from "../parts/command.js";
import { Act } from "../parts/act.js";
import { happened, isTold } from "../parts/happened.js";
import { save } from "../parts/save.js";
import { Word } from "../parts/word.js";
import { clock, full } from "../parts/time.js";
import { executionHref, taskHref, terminalHref } from "../parts/link.js";
import { useIsPerson } from "../parts/caller.js";

export const title = "Journal";

const PAGE_ENTRIES = 100;
const SHOWN_MAX = 1000;
const EMPTY_PAGES_MAX = 10;
const TYPING_MS = 250;

export default function Journal({ query }) {
  const asked = { kind: query.get("kind") ?? "", actor: query.get("actor") ?? "", stream: query.get("stream") ?? "" };
  const ask = (changes) => {
    history.replaceState(null, "", address("#/journal", { ...asked, ...changes }));
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  const [verified, setVerified] = useState(null);
  const person = useIsPerson();
  return html`<${Heading} title="Journal">
      ${person && html`<${Act} label="Verify" command="mainstay verify" run=${() => send("POST", "/verify")} onDone=${setVerified} done="The journal is verified."
        why="Reads the whole journal, follows its chains and compares the tables with it. Nothing is changed." />`}
      <${Act} label="Export" quiet command="mainstay journal --since start --json > mainstay-journal.ndjson" run=${async () => save(await getBlob("/journal/export"), "mainstay-journal.ndjson")} done="The journal is saved."
        why="Downloads every entry as one line of JSON each." />
    </${Heading}>
    <${Verified} found=${verified} />
    <${Filters} asked=${asked} ask=${ask} />
    <${Feed} asked=${asked} key=${JSON.stringify(asked)} />`;
}

function Verified({ found }) {
  if (!found) return null;
  return html`<section class="card verified ${found.sound ? "good" : "bad"}" role="status" aria-label="What verifying found">
    <h2>${found.sound ? "All is well" : "Something is wrong"}</h2>
    <p><${Word} text=${found.sentence} max=${1000} /></p>
    ${found.findings.length > 0 && html`<ul>${found.findings.map((each, at) => html`<li key=${at}><span class="id">${each.where}</span> <${Word} text=${each.problem} max=${1000} /></li>`)}</ul>`}
    ${found.more > 0 && html`<p class="soft">${found.more.toLocaleString("en")} more, shown by <code>mainstay verify</code>.</p>`}
  </section>`;
}

const FIELDS = [
  { name: "stream", says: "Stream", placeholder: "Stream, such as task/T-001" },
  { name: "kind", says: "Kind", placeholder: "Kind, such as task.completed" },
  { name: "actor", says: "Who", placeholder: "Who, such as agent:coder-1" },
];

function Filters({ asked, ask }) {
  const [typed, setTyped] = useState(asked);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What was asked for by typing here must not come back over letters that were typed since.
  const own = useRef(asked);
  useEffect(() => {
    if (FIELDS.every(({ name }) => asked[name] === own.current[name])) return;
    own.current = asked;
    setTyped(asked);
  }, [asked.kind, asked.actor, asked.stream]);
  const input = (name) => (event) => {
    const next = { ...typed, [name]: event.target.value };
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      own.current = Object.fromEntries(Object.entries(next).map(([key, value]) => [key, value.trim()]));
      ask(own.current);
    }, TYPING_MS);
  };
  return html`<search class="filters">
    ${FIELDS.map(
      (field) => html`<label key=${field.name} class="grow"><span class="hidden">${field.says}</span>
        <input type="search" placeholder=${field.placeholder} value=${typed[field.name]} onInput=${input(field.name)} spellcheck="false" />
      </label>`,
    )}
    ${Object.values(asked).some(Boolean) && html`<button type="button" class="quiet" onClick=${() => ask({ kind: "", actor: "", stream: "" })}>Show all</button>`}
  </search>`;
}

/** Whether an entry is one of those that were asked for; the server decides in the same way: "task" stands for all of "task.". */
const fits = (asked) => (entry) =>
  isOf(asked.kind, ".", entry.kind) && isOf(asked.actor, ":", entry.actor) && isOf(asked.stream, "/", entry.stream);

const isOf = (asked, mark, name) => !asked || name === asked || name.startsWith(asked + mark);

/** A page with something on it: the server looks only so far at once, and a page may be empty before the end. */
async function pageOf(asked, cursor) {
  let found = { items: [], next: cursor };
  for (let tries = 0; tries < EMPTY_PAGES_MAX && found.items.length === 0; tries++) {
    found = await get("/journal", { ...asked, order: "newest", limit: PAGE_ENTRIES, cursor: found.next });
    if (!found.next) break;
  }
  return found;
}

/** Newest first. New entries come in above, unless somebody holds the feed still to read. */
function Feed({ asked }) {
  const [entries, setEntries] = useState(/** @type {any[]|null} */ (null));
  const [older, setOlder] = useState(/** @type {string|null} */ (null));
  const [problem, setProblem] = useState(/** @type {Error|null} */ (null));
  const [held, setHeld] = useState(/** @type {any[]|null} */ (null));
  const fitting = useMemo(() => fits(asked), []);
  const page = (cursor) => pageOf(asked, cursor);

  useEffect(() => {
    let current = true;
    const load = () =>
      page(null).then(
        (found) => current && (setEntries(found.items), setOlder(found.next), setProblem(null)),
        (refused) => current && setProblem(refused),
      );
    load();
    const endEntries = onEntries((fresh) => {
      const mine = fresh.filter(fitting);
      if (mine.length > 0) setEntries((before) => merged(mine, before));
    });
    const endConnected = onConnected(load);
    return () => {
      current = false;
      endEntries();
      endConnected();
    };
  }, []);

  const more = () => page(older).then((found) => (setEntries((before) => [...(before ?? []), ...found.items]), setOlder(found.next)), setProblem);
  const shown = held ?? entries;
  const behind = held && entries ? entries.length - held.length : 0;
  return html`<${Sentence} problem=${problem} />
    <div class="feed-state">
      <button type="button" class="small" aria-pressed=${String(held !== null)} onClick=${() => setHeld(held ? null : entries)}>${held ? "Go on" : "Hold still"}</button>
      <span class="soft small" role="status">${held ? `Held; ${behind} new.` : "New entries appear above."}</span>
    </div>
    ${shown && shown.length === 0 && html`<div class="card"><${Nothing} asked=${asked} older=${older} /></div>`}
    ${shown && shown.length > 0 && html`<ol class="feed card flush" aria-label="Entries, newest first">${shown.map((entry) => html`<${Entry} key=${entry.position} entry=${entry} />`)}</ol>`}
    ${!shown && !problem && html`<p class="soft loading">Loading</p>`}
    ${older && !held && html`<p class="pager"><button type="button" onClick=${more}>Older entries</button></p>`}`;
}

function Nothing({ asked, older }) {
  if (Object.values(asked).some(Boolean)) {
    return html`<${Empty} title=${older ? "Nothing like that happened lately" : "Nothing like that happened"}><p><a href="#/journal">Show all entries</a></p></${Empty}>`;
  }
  return html`<${Empty} title="Nothing has happened yet">
    <p>Every change is written down here, such as this one:</p>
    <p><${Command} line="mainstay task create 'Add login'" /></p>
  </${Empty}>`;
}

/** What is new above what was there, each entry once, and no more than can be shown well. */
function merged(fresh, before) {
  const known = new Set((before ?? []).slice(0, fresh.length + PAGE_ENTRIES).map((entry) => entry.position));
  const added = fresh.filter((entry) => !known.has(entry.position)).reverse();
  return [...added, ...(before ?? [])].slice(0, SHOWN_MAX);
}

/** Where the story of a stream is told in the page. @param {string} stream */
function hrefOf(stream) {
  const [kind, ...id] = stream.split("/");
  const name = id.join("/");
  if (kind === "task") return taskHref(name);
  if (kind === "terminal") return terminalHref(name);
  if (kind === "execution") return executionHref(name);
  return null;
}

function Entry({ entry }) {
  const href = hrefOf(entry.stream);
  const about = entry.stream.startsWith("task/") ? entry.stream.slice("task/".length) : entry.stream;
  const payload = isTold(entry) ? "" : JSON.stringify(entry.payload);
  // The link stands beside what unfolds: inside, neither keys nor readers of screens could tell them apart.
  return html`<li>
    <span class="about">${href ? html`<a class="id" href=${href}><bdi>${about}</bdi></a>` : html`<bdi class="id">${about}</bdi>`} <span class="soft">#${entry.number}</span></span>
    <details>
      <summary>
        <time datetime=${entry.at} title=${full(entry.at)}>${clock(entry.at)}</time>
        <span class="actor soft"><${Word} text=${entry.actor} max=${40} /></span>
        <span class="what"><${Word} text=${happened(entry)} max=${300} />${payload && html` <span class="payload soft"><${Word} text=${payload} max=${160} /></span>`}</span>
        <span class="kind soft">${entry.kind}</span>
      </summary>
      <pre tabindex="0">${JSON.stringify(entry.payload, null, 2)}</pre>
      <p class="soft small">hash <code>${entry.hash}</code>, after <code>${entry.previous_hash}</code>, by ${entry.source}</p>
    </details>
  </li>`;
}
