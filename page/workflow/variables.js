// Variables as rows of name and value, read by the rule of the command line: a number, true or false,
// a JSON list, object or quoted text, else plain text.

import { html } from "../lib.js";
import { quote } from "../parts/shell.js";

/** fixed says that the workflow itself speaks of it. @typedef {{name: string, value: string, fixed?: boolean}} Row */

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const JSON_TEXT = /^(\[.*|\{.*|".*")$/s;

/** @param {Row} row */
function valueOf({ name, value }) {
  if (value === "true" || value === "false") return value === "true";
  if (!NUMBER.test(value) && !JSON_TEXT.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(`the variable ${name} begins as JSON does and is none; for plain text, write it in quotes`);
  }
}

/** @param {Row[]} rows */
const named = (rows) => rows.filter((row) => row.name !== "" && row.value !== "");

/** What the rows say. @param {Row[]} rows @returns {Record<string, any>} */
export function valuesOf(rows) {
  return Object.fromEntries(named(rows).map((row) => [row.name, valueOf(row)]));
}

/** The same as options of a command. @param {Row[]} rows */
export function varOptions(rows) {
  return named(rows)
    .map((row) => ` --var ${quote(`${row.name}=${row.value}`)}`)
    .join("");
}

/** Names that a workflow's texts speak of and that no node of it gives. @param {any[]} nodes @returns {Row[]} */
export function wanted(nodes) {
  const given = new Set(
    nodes.flatMap((node) => [node.result, node.item, node.results, node.loop?.item, node.loop?.results, `${node.id.replaceAll("-", "_")}_result`]),
  );
  const names = new Set();
  for (const node of nodes) {
    for (const text of [node.title, node.description]) {
      for (const [, name] of String(text ?? "").matchAll(/\{\{\s*([A-Za-z_]\w*)/g)) names.add(name);
    }
    const list = node.collection ?? node.loop?.collection;
    if (list) names.add(list);
  }
  return [...names].filter((name) => !given.has(name)).map((name) => ({ name, value: "", fixed: true }));
}

/** @param {{rows: Row[], set: (rows: Row[]) => void, legend?: string}} props */
export function Variables({ rows, set, legend = "Variables" }) {
  const change = (at, field) => (event) =>
    set(rows.map((row, i) => (i === at ? { ...row, [field]: event.target.value } : row)));
  return html`<fieldset class="variables">
    <legend>${legend}</legend>
    ${rows.map(
      (row, at) => row.fixed
        ? html`<div class="row" key=${at}><label>${row.name}<input value=${row.value} onInput=${change(at, "value")} /></label></div>`
        : html`<div class="row" key=${at}>
        <input aria-label="Name of variable ${at + 1}" placeholder="name" value=${row.name} onInput=${change(at, "name")} />
        <input aria-label="Value of ${row.name || `variable ${at + 1}`}" placeholder="value" value=${row.value} onInput=${change(at, "value")} />
        <button type="button" class="quiet small" aria-label="Leave out variable ${at + 1}" onClick=${() => set(rows.filter((_, i) => i !== at))}>✕</button>
      </div>`,
    )}
    <button type="button" class="quiet small" onClick=${() => set([...rows, { name: "", value: "" }])}>Add a variable</button>
    ${rows.length > 0 && html`<p class="soft small">Numbers, true, false and JSON are taken as such, all else as text.</p>`}
  </fieldset>`;
}
