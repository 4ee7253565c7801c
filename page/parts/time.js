// Times as people say them. They tick while the connection is live and stand still while it is lost,
// because what is shown is true as of then.

import { html, useState, useEffect } from "../lib.js";
import { heard } from "../live.js";

/** @type {Set<(n: any) => void>} */
const ticking = new Set();
setInterval(() => ticking.forEach((each) => each((n) => n + 1)), 1000);

function useTick() {
  const [, again] = useState(0);
  useEffect(() => {
    ticking.add(again);
    return () => void ticking.delete(again);
  }, []);
  return heard();
}

/** The whole time in UTC. @param {string|number|Date} at */
export function full(at) {
  return new Date(at).toISOString().replace("T", " ").replace(/\.\d+Z/, " UTC");
}

/** The time of day here, with the day when it is not today. @param {string|number|Date} at */
export function clock(at) {
  const when = new Date(at);
  const time = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  if (when.toDateString() === new Date().toDateString()) return time;
  const day = [when.getFullYear(), when.getMonth() + 1, when.getDate()];
  return `${day.map((part) => String(part).padStart(2, "0")).join("-")} ${time}`;
}

/** A length of time in its two greatest units. @param {number} ms */
export function span(ms) {
  if (ms < 1000) return ms <= 0 ? "0 s" : `${Math.round(ms)} ms`;
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  let left = Math.floor(ms / 1000);
  const said = [];
  for (const [name, seconds] of /** @type {[string, number][]} */ (units)) {
    const n = Math.floor(left / seconds);
    left -= n * seconds;
    if (n > 0) said.push(`${n} ${name}`);
    if (said.length === 2 || (said.length === 1 && n === 0)) break;
  }
  return said.join(" ");
}

/** @param {number} ms */
function rough(ms) {
  return span(ms < 60000 ? ms : Math.floor(ms / 60000) * 60000);
}

/** How long ago. @param {{at: string|null|undefined}} props */
export function Ago({ at }) {
  const now = useTick();
  if (!at) return null;
  const ms = now - Date.parse(at);
  const text = ms < 2000 ? "now" : `${rough(ms)} ago`;
  return html`<time datetime=${at} title=${full(at)}>${text}</time>`;
}

/** How long is left. @param {{until: string|null|undefined}} props */
export function Left({ until }) {
  const now = useTick();
  if (!until) return null;
  const ms = Date.parse(until) - now;
  const text = ms <= 0 ? `over since ${rough(Math.max(-ms, 1000))}` : `${span(Math.max(ms, 1000))} left`;
  return html`<time datetime=${until} title=${full(until)} class=${ms <= 0 ? "late" : ""}>${text}</time>`;
}

/** How long something took. @param {{ms: number|null|undefined}} props */
export function Took({ ms }) {
  if (ms === null || ms === undefined) return null;
  return html`<span title="${ms} ms">${span(ms)}</span>`;
}
