// One workflow: its diagram, what its nodes are, and its executions.

import { html, useState } from "../lib.js";
import { get, getText } from "../api.js";
import { useFresh } from "../live.js";
import { useIsPerson } from "../parts/caller.js";
import { Command } from "../parts/command.js";
import { Heading } from "../parts/heading.js";
import { Sentence } from "../parts/problem.js";
import { save } from "../parts/save.js";
import { mainstay } from "../parts/shell.js";
import { Ago } from "../parts/time.js";
import { Word } from "../parts/word.js";
import { Start } from "./acts.js";
import { Diagram } from "./diagram.js";
import { Executions } from "./executions.js";
import { NodeTold } from "./node.js";

/** @param {{id: string, query: URLSearchParams, go: (hash: string) => void}} props */
export function Workflow({ id, query, go }) {
  const isPerson = useIsPerson();
  const [chosen, setChosen] = useState(/** @type {string|null} */ (null));
  const path = `/workflows/${encodeURIComponent(id)}`;
  const known = useFresh(
    async () => {
      const [workflow, xml] = await Promise.all([get(path), getText(`${path}/bpmn`)]);
      return { workflow, xml };
    },
    (entry) => entry.kind === "workflow.imported",
    [id],
  );
  if (!known.value) return html`<${Heading} title=${id} /><${Sentence} problem=${known.problem} />`;
  const { workflow, xml } = known.value;
  const node = workflow.nodes.find((each) => each.id === chosen);
  return html`<p class="trail"><a href="#/workflows">Workflows</a></p>
    <${Heading} title=${html`<${Word} text=${workflow.title || workflow.name} />`}>
      <button type="button" onClick=${() => save(xml, `${workflow.name}.bpmn`)}>Download</button>
      ${isPerson && html`<${Start} workflow=${workflow} go=${go} />`}
    <//>
    <p class="soft facts"><code>${workflow.name}</code> version ${workflow.version}, taken in <${Ago} at=${workflow.created_at} />, ${workflow.nodes.length} nodes</p>
    <section class="card" aria-label="Diagram">
      <${Diagram} xml=${xml} label="Diagram of ${workflow.title || workflow.name}" chosen=${chosen} choose=${setChosen} />
      ${node && html`<${NodeTold} node=${node} close=${() => setChosen(null)} />`}
      <details>
        <summary>The same in words</summary>
        <ol class="nodes">
          ${workflow.nodes.map(
            (each) => html`<li key=${each.id}>
              <code>${each.id}</code> <span class="soft">${each.kind.replaceAll("_", " ")}</span> <${Word} text=${each.name} />
              ${goesTo(workflow, each.id)}
            </li>`,
          )}
        </ol>
      </details>
    </section>
    <section class="card" aria-labelledby="executions">
      <h2 id="executions">Executions of all versions</h2>
      <${Executions} path="${path}/executions" query=${query} go=${go} base="#/workflows/${encodeURIComponent(id)}" />
    </section>
    <p class="soft small">As on the command line: <${Command} line=${mainstay("workflow show", [workflow.name])} /></p>`;
}

function goesTo(workflow, id) {
  const ways = workflow.edges.filter((edge) => edge.source === id);
  if (ways.length === 0) return null;
  return html`<span class="soft"> then ${ways.map((edge) => edge.target + (edge.condition ? ` if ${edge.condition}` : "")).join("; ")}</span>`;
}
