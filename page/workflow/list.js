// All workflows and what runs of them, what they ask, and how to take in another.

import { html } from "../lib.js";
import { get } from "../api.js";
import { useFresh } from "../live.js";
import { useIsPerson } from "../parts/caller.js";
import { Command } from "../parts/command.js";
import { Empty } from "../parts/empty.js";
import { Heading } from "../parts/heading.js";
import { ExecutionLink, workflowHref } from "../parts/link.js";
import { Sentence } from "../parts/problem.js";
import { Table } from "../parts/table.js";
import { Word } from "../parts/word.js";
import { Answer } from "./answer.js";
import { Executions } from "./executions.js";
import { Import } from "./import.js";

const WORKFLOWS_SHOWN_MAX = 100;
const concerns = (entry) => entry.kind.startsWith("workflow.");

/** @param {{query: URLSearchParams, go: (hash: string) => void}} props */
export function Workflows({ query, go }) {
  const isPerson = useIsPerson();
  const known = useFresh(() => get("/workflows", { limit: WORKFLOWS_SHOWN_MAX }), concerns);
  const asked = useFresh(() => get("/questions", { limit: 20 }), concerns);
  const questions = asked.value?.items ?? [];
  const items = known.value?.items ?? [];
  return html`<${Heading} title="Workflows" />
    <${Sentence} problem=${known.problem} />
    ${questions.length > 0 &&
    html`<section class="questions" aria-label="Questions">
      <h2>Waiting for an answer</h2>
      ${questions.map(
        (each) => html`<${Answer} key=${each.execution_id + each.token} question=${each} allowed=${isPerson} onDone=${asked.reload}>
          in <${ExecutionLink} id=${each.execution_id} />
        <//>`,
      )}
    </section>`}
    ${known.value &&
    html`<section class="card" aria-labelledby="all-workflows">
      <h2 id="all-workflows">All workflows</h2>
      <${Table}
        caption="Workflows by name"
        rows=${items}
        keyOf=${(each) => each.id}
        columns=${[
          { name: "Name", narrow: true, cell: (each) => html`<a href=${workflowHref(each.id)}>${each.name}</a>` },
          { name: "Title", wide: true, cell: (each) => html`<${Word} text=${each.title} />` },
          { name: "Version", align: "right", cell: (each) => each.version },
          { name: "Under way", align: "right", cell: (each) => each.live },
        ]}
        empty=${html`<${Empty} title="No workflow yet">
          <p>Draw one in any BPMN 2.0 editor and drop it below, or take one from the folder <code>examples</code> of Mainstay:</p>
          <${Command} line="mainstay workflow import PATH/examples/release.bpmn" />
        <//>`}
      />
      ${known.value.next && html`<p class="soft">There are more: <code>mainstay workflow list</code></p>`}
    </section>`}
    ${isPerson && html`<${Import} go=${go} />`}
    ${items.length > 0 &&
    html`<section class="card" aria-labelledby="all-executions">
      <h2 id="all-executions">What was started</h2>
      <${Executions} path="/executions" query=${query} go=${go} base="#/workflows" titles=${items} />
    </section>`}`;
}
