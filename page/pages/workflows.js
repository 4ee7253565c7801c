// Workflows: all of them, one of them with its diagram, or one execution as it runs.

import { html } from "../lib.js";
import { Execution } from "../workflow/execution.js";
import { Workflows } from "../workflow/list.js";
import { Workflow } from "../workflow/one.js";

export const title = "Workflows";

/** @param {{params: string[], query: URLSearchParams, go: (hash: string) => void}} props */
export default function Page({ params, query, go }) {
  const [id] = params;
  if (!id) return html`<${Workflows} query=${query} go=${go} />`;
  return location.hash.startsWith("#/executions/")
    ? html`<${Execution} id=${id} />`
    : html`<${Workflow} id=${id} query=${query} go=${go} />`;
}
