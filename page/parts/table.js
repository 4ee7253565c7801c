// A table that scrolls sideways inside itself, so that a narrow window never scrolls as a whole.

import { html } from "../lib.js";

/**
 * @template R
 * @param {{caption: string, columns: {name: string, cell: (row: R) => any, align?: "right", narrow?: boolean, wide?: boolean}[],
 *   rows: R[], keyOf: (row: R) => any, empty?: any}} props
 * narrow columns keep to one line, wide ones take the room that is left.
 */
export function Table({ caption, columns, rows, keyOf, empty }) {
  if (rows.length === 0 && empty) return empty;
  const classOf = (column) => [column.align, column.narrow && "narrow", column.wide && "wide"].filter(Boolean).join(" ");
  return html`<div class="table" role="region" aria-label=${caption} tabindex="0">
    <table>
      <caption class="hidden">${caption}</caption>
      <thead>
        <tr>${columns.map((column) => html`<th key=${column.name} scope="col" class=${classOf(column)}>${column.name}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr key=${keyOf(row)}>
            ${columns.map((column) => html`<td key=${column.name} class=${classOf(column)}>${column.cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
