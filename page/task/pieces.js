// Small pieces that every part of the task page is made of.
import { html, useState } from "../lib.js";
import { Ago } from "../parts/time.js";

/** The address of a task, or of something below it. */
export const of = (id, below = "") => `/tasks/${encodeURIComponent(id)}${below}`;

/**
 * A part of the dossier with its heading, how many things are in it, and what can be done there.
 * @param {{name: string, count?: string | number, side?: any, wide?: boolean, children?: any}} props
 */
export function Block({ name, count, side, wide, children }) {
  const id = `b-${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return html`
    <section class=${`card t-block${wide ? " t-wide" : ""}`} aria-labelledby=${id}>
      <header class="t-head">
        <h2 id=${id}>${name}</h2>
        ${count !== undefined && html`<span class="t-count">${count}</span>`}
        ${side && html`<div class="t-side">${side}</div>`}
      </header>
      ${children}
    </section>`;
}

/**
 * Stored text, whole, as it was written. It is isolated, so that no mark in it turns what stands around it.
 * @param {{text: unknown, code?: boolean}} props
 */
export function Said({ text, code }) {
  return html`<bdi dir="auto" class=${code ? "t-said t-code" : "t-said"}>${String(text ?? "")}</bdi>`;
}

/** So much of a long text is shown at first. */
const SHORT_CHARS_MAX = 600;

/**
 * Stored text that may be long: its beginning, and the rest for whoever wants it.
 * @param {{text: unknown, code?: boolean}} props
 */
export function Long({ text, code }) {
  const [whole, setWhole] = useState(false);
  const all = String(text ?? "");
  if (all.length <= SHORT_CHARS_MAX) return html`<${Said} text=${all} code=${code} />`;
  // Half of a pair of surrogates is no character.
  const short = all.slice(0, SHORT_CHARS_MAX).replace(/[\ud800-\udbff]$/, "");
  return html`
    <${Said} text=${whole ? all : short} code=${code} />${whole ? "" : "…"}
    ${" "}<button type="button" class="t-more" aria-expanded=${whole} onClick=${() => setWhole(!whole)}>
      ${whole ? "Show less" : `Show all ${all.length.toLocaleString("en")} characters`}</button>`;
}

/**
 * Who said it, through which door, when.
 * @param {{who?: string | null, at?: string | null, source?: string | null}} props
 */
export function By({ who, at, source }) {
  if (!who) return null;
  const colon = who.indexOf(":");
  const kind = colon < 0 ? "agent" : who.slice(0, colon);
  const name = who.slice(colon + 1);
  return html`
    <span class=${`t-by t-by-${kind}`}>
      <span class="t-kind">${kind}</span> <${Said} text=${name} />
      ${source && html`<span class="t-via"> via <${Said} text=${source} /></span>`}
      ${at && html` <${Ago} at=${at} />`}
    </span>`;
}

/** A quiet word where nothing is. */
export const None = ({ children }) => html`<p class="t-none">${children}</p>`;

/** A word with a shape before it, so that its meaning is not in its colour alone. */
export const Mark = ({ kind, children }) => html`<span class=${`t-mark t-mark-${kind}`}>${children}</span>`;

/** The name of a button that stands in a row: short for the eye, and whole for whoever hears it alone. */
export const Named = ({ name, of: what }) => html`${name}<span class="hidden"> ${what}</span>`;

/** 1536 as 1.5 KiB. */
export function bytes(size) {
  if (size === null || size === undefined) return "";
  if (size < 1024) return `${size} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = size / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
