// A table that scrolls sideways inside itself, so that a narrow window never scrolls as a whole; on a phone each row is
// a small sheet with a line for each column, so that nothing is out of sight. Elements that are laid out in another way
// than as a table are none any more to readers of screens, unless it is said.

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
    <table role="table">
      <caption class="hidden">${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">${columns.map((column) => html`<th key=${column.name} role="columnheader" scope="col" class=${classOf(column)}>${column.name}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) => html`<tr key=${keyOf(row)} role="row">
            ${columns.map((column) => html`<td key=${column.name} role="cell" data-name=${column.name} class=${classOf(column)}>${column.cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
