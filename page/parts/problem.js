// The server's sentence, where the person looks.

import { html } from "../lib.js";

/** @param {{problem: Error|null|undefined}} props */
export function Sentence({ problem }) {
  if (!problem) return null;
  const text = problem.message || String(problem);
  return html`<p class="sentence" role="alert">${text.charAt(0).toUpperCase() + text.slice(1)}</p>`;
}
