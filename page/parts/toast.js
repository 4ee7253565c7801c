// Short news at the edge of the page: what was done. It is read out, and goes away by itself.

import { html, useState, useEffect } from "../lib.js";

const SHOWN_MS = 5000;
const SHOWN_MAX = 4;

/** @type {Set<(text: string) => void>} */
const hearers = new Set();

/** @param {string} text */
export function toast(text) {
  hearers.forEach((each) => each(text));
}

export function Toasts() {
  const [shown, setShown] = useState(/** @type {{id: number, text: string}[]} */ ([]));
  useEffect(() => {
    let id = 0;
    const hear = (text) => {
      const mine = ++id;
      setShown((before) => [...before, { id: mine, text }].slice(-SHOWN_MAX));
      setTimeout(() => setShown((before) => before.filter((each) => each.id !== mine)), SHOWN_MS);
    };
    hearers.add(hear);
    return () => void hearers.delete(hear);
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${shown.map((each) => html`<p key=${each.id} class="toast">${each.text}</p>`)}
  </div>`;
}
