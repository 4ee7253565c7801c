// What came out: files touched with their hashes, and artifacts to read as text or to fetch.
import { html, useState } from "../lib.js";
import { get, getBlob } from "../api.js";
import { useFresh } from "../live.js";
import { Command } from "../parts/command.js";
import { Sentence } from "../parts/problem.js";
import { save } from "../parts/save.js";
import { Ago } from "../parts/time.js";
import { Table } from "../parts/table.js";
import { Block, Named, None, Said, bytes, of } from "./pieces.js";
import { mainstay } from "../parts/shell.js";

/** So much of a text is laid out at once; laying out a megabyte takes the browser a while. */
const SHOWN_CHARS_MAX = 100_000;
const HASH_CHARS = 12;

/** @param {{id: string, concerns: (entry: any) => boolean}} props */
export function Output({ id, concerns }) {
  const files = useFresh(() => get(of(id, "/files")), concerns, [id]);
  const artifacts = useFresh(() => get(of(id, "/artifacts")), concerns, [id]);
  return html`
    <div class="t-stack">
      <${Artifacts} id=${id} items=${artifacts.value?.items} problem=${artifacts.problem} />
      <${Files} items=${files.value?.items} problem=${files.problem} />
    </div>`;
}

/** The beginning of a hash, with the whole of it on demand. */
const Hash = ({ of: hash }) =>
  hash ? html`<code class="t-hash" title=${hash}>${hash.slice(0, HASH_CHARS)}</code>` : html`<span class="t-none">none</span>`;

function Files({ items, problem }) {
  const columns = [
    { name: "File", wide: true, cell: (file) => html`<${Said} text=${file.path} code />` },
    { name: "Change", narrow: true, cell: (file) => (file.is_current === false ? `${file.change}, changed since by others` : file.change) },
    { name: "SHA-256", narrow: true, cell: (file) => html`<${Hash} of=${file.hash} />` },
    { name: "Size", narrow: true, align: "right", cell: (file) => bytes(file.size) },
    { name: "Seen", narrow: true, cell: (file) => file.at && html`<${Ago} at=${file.at} />` },
    { name: "Folder", cell: (file) => html`<${Said} text=${file.work_dir ?? file.workspace} code />` },
  ];
  return html`
    <${Block} name="Files touched" count=${items?.length || undefined} wide>
      <${Sentence} problem=${problem} />
      ${items?.length === 0 && html`<${None}>No file was seen to change for this task.<//>`}
      ${items?.length > 0 && html`
        <${Table} caption="Files that were changed for this task" columns=${columns} rows=${items}
          keyOf=${(file) => `${file.workspace} ${file.path}`} />`}
    <//>`;
}

function Artifacts({ id, items, problem }) {
  return html`
    <${Block} name="Artifacts" count=${items?.length || undefined} wide>
      <${Sentence} problem=${problem} />
      ${items?.length === 0 && html`<${None}>Nothing was handed over yet.<//>`}
      <ul class="t-list">
        ${(items ?? []).map((artifact) => html`<${Artifact} key=${artifact.id} id=${id} artifact=${artifact} />`)}
      </ul>
    <//>`;
}

function Artifact({ id, artifact }) {
  const [content, setContent] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [shown, setShown] = useState(false);
  const load = async () => {
    setProblem(null);
    try {
      const known = content ?? (await get(of(id, `/artifacts/${artifact.id}`)));
      setContent(known);
      return known;
    } catch (fault) {
      setProblem(fault);
      return null;
    }
  };
  const view = async () => setShown(!shown && Boolean(await load()));
  const download = async () => {
    setProblem(null);
    try {
      save(await getBlob(of(id, `/artifacts/${artifact.id}/content`)), fileName(artifact));
    } catch (fault) {
      setProblem(fault);
    }
  };
  const region = `artifact-${artifact.id}`;
  const what = `artifact ${artifact.id}`;
  return html`
    <li class="t-item t-artifact">
      <div class="t-body">
        <b>${artifact.artifact_type}</b> ${artifact.file_path
          ? html`<${Said} text=${artifact.file_path} code />${artifact.host && html` on <${Said} text=${artifact.host} />`}`
          : "a text"}
        <p class="t-how">number ${artifact.id} · ${bytes(artifact.size_bytes)} · SHA-256 <${Hash} of=${artifact.content_hash} />
          ${" "}· <${Ago} at=${artifact.created_at} /></p>
        <${Sentence} problem=${problem} />
      </div>
      <div class="t-side">
        <button type="button" aria-expanded=${shown} aria-controls=${region} onClick=${view}>
          <${Named} name=${shown ? "Hide" : "View"} of=${what} />
        </button>
        <button type="button" onClick=${download}><${Named} name="Download" of=${what} /></button>
      </div>
      <div class="t-shown" id=${region}>${shown && content && html`<${Content} id=${id} artifact=${content} />`}</div>
    </li>`;
}

function Content({ id, artifact }) {
  if (typeof artifact.content !== "string") {
    const out = { out: fileName(artifact) };
    return html`
      <p>${artifact.verified ? "It is no text" : "It is large"}, so it is not shown here. Download it, or fetch it by hand:</p>
      <${Command} line=${mainstay("artifact get", [artifact.task_id ?? id, artifact.id], out)} />`;
  }
  const more = artifact.content.length - SHOWN_CHARS_MAX;
  return html`
    <pre class="t-text" tabindex="0" dir="auto" aria-label=${`Artifact ${artifact.id}`}>${
      artifact.content.slice(0, SHOWN_CHARS_MAX)}</pre>
    ${more > 0 && html`<${None}>${more.toLocaleString("en")} more characters are in the download.<//>`}`;
}

/** The last part of its path, with nothing in it that a file system or a shell minds. */
function fileName(artifact) {
  const last = (artifact.file_path ?? "").split(/[/\\]/).at(-1)?.replaceAll(/[^\w.-]+/g, "_").replace(/^[.-]+/, "");
  return last || `${artifact.artifact_type.toLowerCase()}-${artifact.id}.txt`;
}
