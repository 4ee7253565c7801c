// Stored text, whatever it is: as text, in its own direction, broken where it must be, and whole on demand.

import { html } from "../lib.js";

const TITLE_CHARS_MAX = 2000;

/** @param {{text: any, max?: number}} props */
export function Word({ text, max = 200 }) {
  const whole = text === null || text === undefined ? "" : String(text);
  if (whole.length <= max) return html`<bdi class="word">${whole}</bdi>`;
  // Half of a pair would be shown as a box.
  const cut = whole.slice(0, max).replace(/[\ud800-\udbff]$/, "");
  return html`<bdi class="word" title=${whole.slice(0, TITLE_CHARS_MAX)}>${cut}\u2026</bdi>`;
}
