// How something stands, told by a word, a shape and a colour, so that no one of them is needed.

import { html } from "../lib.js";

/** The family of each status: its colour in style.css, and its mark. */
const FAMILIES = {
  good: ["COMPLETED", "DONE", "DELIVERED", "COMPLETED_SUCCESS", "MET", "ACCEPTED", "ENABLED"],
  bad: ["FAILED", "CRASHED", "GONE", "COMPLETED_FAILURE", "INCIDENT", "MISSED"],
  warn: ["WAITING_FOR_PERSON", "PAUSED", "BLOCKED", "UNKNOWN", "DECLINED"],
  busy: ["IN_PROGRESS", "ASSIGNED", "BUSY", "RUNNING", "ACTIVE", "DELIVERING", "STARTING", "PLANNING", "HELD", "GIVEN"],
  ready: ["READY", "STARTED", "OPEN"],
  idle: ["PENDING", "TODO", "CANCELLED", "SKIPPED", "ENDED", "DISABLED", "REPORTED", "WAITING"],
};

const MARKS = { good: "\u2713", bad: "\u2715", warn: "\u25b2", busy: "\u25cf", ready: "\u25cb", idle: "\u2013" };

/** @type {Map<string, keyof typeof MARKS>} */
const FAMILY_OF = new Map();
for (const [family, words] of Object.entries(FAMILIES)) {
  for (const word of words) FAMILY_OF.set(word, /** @type {keyof typeof MARKS} */ (family));
}

/** good, bad, warn, busy, ready or idle. @param {string} status */
export function familyOf(status) {
  return FAMILY_OF.get(String(status).toUpperCase()) ?? "idle";
}

/** The word people read. @param {string} status */
export function wordOf(status) {
  return String(status).toLowerCase().replaceAll("_", " ");
}

/**
 * How a task stands for a person: PENDING is "ready" when nothing keeps it, else "waiting".
 * @param {{status: string, unmet_dependencies?: number, open_children?: number, delayed_until?: string|null, over_budget?: boolean}} task
 */
export function standingOf(task) {
  if (task.status !== "PENDING") return task.status;
  const kept = task.unmet_dependencies || task.open_children || task.over_budget;
  const later = task.delayed_until && Date.parse(task.delayed_until) > Date.now();
  return kept || later ? "WAITING" : "READY";
}

/** @param {{of: string}} props */
export function Status({ of }) {
  if (!of) return null;
  const family = familyOf(of);
  return html`<span class="status ${family}"><span class="mark" aria-hidden="true">${MARKS[family]}</span>${wordOf(of)}</span>`;
}
