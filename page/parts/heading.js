// The heading of a page, with its actions at the other end of the line.

import { html } from "../lib.js";

/** @param {{title: any, children?: any}} props */
export function Heading({ title, children }) {
  return html`<header class="heading"><h1 tabindex="-1">${title}</h1>${children && html`<div class="actions">${children}</div>`}</header>`;
}
