// What one node of a diagram is, under the diagram where it was chosen.

import { html } from "../lib.js";
import { Word } from "../parts/word.js";

const LEFT_OUT = new Set(["id", "name", "kind", "position", "title", "description"]);

/** @param {{node: any, close: () => void, children?: any}} props */
export function NodeTold({ node, close, children }) {
  const more = Object.entries(node).filter(([field]) => !LEFT_OUT.has(field));
  return html`<section class="node" aria-label="Chosen node">
    <h2><${Word} text=${node.name || node.id} /> <span class="soft small"><code>${node.id}</code> ${node.kind.replaceAll("_", " ")}</span>
      <button type="button" class="quiet small" aria-label="Close" onClick=${close}>✕</button></h2>
    ${node.title && html`<p><${Word} text=${node.title} max=${500} /></p>`}
    ${node.description && html`<p class="soft told"><${Word} text=${node.description} max=${2000} /></p>`}
    ${more.length > 0 &&
    html`<dl class="facts">${more.map(
      ([field, value]) => html`<div key=${field}><dt>${field.replaceAll("_", " ")}</dt><dd><${Word} text=${typeof value === "string" ? value : JSON.stringify(value)} max=${500} /></dd></div>`,
    )}</dl>`}
    ${children}
  </section>`;
}
