// The command that does the same on the command line, to learn it and to copy it.

import { html, useState } from "../lib.js";

/** @param {{line: string}} props */
export function Command({ line }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(line);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<span class="command">
    <code>${line}</code>
    <button type="button" class="quiet small" onClick=${copy} aria-label="Copy the command ${line}">
      ${copied ? "Copied" : "Copy"}
    </button>
  </span>`;
}
