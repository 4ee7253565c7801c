// Addresses inside the page, in one place.

import { html } from "../lib.js";

/** @param {string} id @param {string} [tab] */
export const taskHref = (id, tab) => `#/tasks/${encodeURIComponent(id)}${tab ? `?tab=${tab}` : ""}`;
/** @param {string} id */
export const terminalHref = (id) => `#/terminals?at=${encodeURIComponent(id)}`;
/** @param {string} id */
export const executionHref = (id) => `#/executions/${encodeURIComponent(id)}`;
/** @param {string} id */
export const workflowHref = (id) => `#/workflows/${encodeURIComponent(id)}`;

/** @param {{id: string|null|undefined, children?: any}} props */
export function TaskLink({ id, children }) {
  return id ? html`<a class="id" href=${taskHref(id)}>${children ?? id}</a>` : null;
}

/** @param {{id: string|null|undefined, children?: any}} props */
export function TerminalLink({ id, children }) {
  return id ? html`<a class="id" href=${terminalHref(id)}><bdi>${children ?? id}</bdi></a>` : null; // people name terminals
}

/** @param {{id: string|null|undefined, children?: any}} props */
export function ExecutionLink({ id, children }) {
  return id ? html`<a class="id" href=${executionHref(id)}>${children ?? id}</a>` : null;
}
