// A terminal's screen, drawn by xterm.js in the terminal's own size and made to fit where it is shown.

import "./styles.js";
import { sheet } from "../parts/sheet.js";
import { Terminal } from "../lib/xterm.js";
import { colour, onTheme } from "../parts/theme.js";

const COLUMNS_SHOWN_MIN = 80;
const COLUMNS_STEP = 20; // the font does not change with each letter
const ROWS_SHOWN_MIN = 6;
const FONT_PX_MIN = 8; // what does not fit then is scrolled to
const FONT_PX_MAX = 15;
const MARGIN_PX = 32; // the place's own and the scroll bar
const CELL_WIDTH = 0.602; // of the font's size, in every monospaced font to be expected

/** A screen is dark in both themes, as programs expect it; its ground follows the page a little. */
function colours() {
  return {
    background: "#101319",
    foreground: "#dfe3ea",
    cursor: colour("--accent"),
    cursorAccent: "#101319",
    selectionBackground: "#3b4a6b",
    black: "#2b303b", red: "#ff7b72", green: "#5fd08a", yellow: "#e3b341",
    blue: "#79b8ff", magenta: "#d2a8ff", cyan: "#56d4dd", white: "#d0d5de",
    brightBlack: "#8b93a1", brightRed: "#ffa198", brightGreen: "#7ee7a5", brightYellow: "#f2cc60",
    brightBlue: "#a5d6ff", brightMagenta: "#e2c5ff", brightCyan: "#8be9f0", brightWhite: "#ffffff",
  };
}

/** @param {HTMLElement} place @param {number} columns */
function fontFor(place, columns) {
  const fits = Math.floor(((place.clientWidth - MARGIN_PX) / columns / CELL_WIDTH) * 4) / 4;
  return Math.max(FONT_PX_MIN, Math.min(FONT_PX_MAX, fits));
}

/** How many columns and rows of the screen, from its first, have something in them. */
function used(terminal) {
  const buffer = terminal.buffer.active;
  let columns = 0;
  let rows = buffer.cursorY + 1;
  for (let row = 0; row < terminal.rows; row++) {
    const { length } = buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "";
    columns = Math.max(columns, length);
    if (length > 0) rows = Math.max(rows, row + 1);
  }
  const wide = Math.max(COLUMNS_SHOWN_MIN, Math.ceil(columns / COLUMNS_STEP) * COLUMNS_STEP);
  return { columns: Math.min(terminal.cols, wide), rows: Math.min(terminal.rows, Math.max(ROWS_SHOWN_MIN, rows)) };
}

await sheet("/page/lib/xterm.css");

/**
 * Draws a screen into a place; nothing typed there goes anywhere.
 * @param {HTMLElement} place @param {{columns: number, rows: number}} size
 */
export function openTerminal(place, size) {
  const terminal = new Terminal({
    cols: size.columns,
    rows: size.rows,
    fontSize: fontFor(place, size.columns),
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, "Liberation Mono", monospace',
    scrollback: 1000,
    disableStdin: true,
    cursorInactiveStyle: "outline",
    theme: colours(),
  });
  terminal.open(place);
  if (terminal.textarea) terminal.textarea.disabled = true; // it is looked at; typing has a field of its own
  /** Shows what is used of the screen, as large as its place allows; a large screen is mostly empty. */
  const settle = () => {
    const { columns, rows } = used(terminal);
    terminal.options.fontSize = fontFor(place, columns);
    const screen = place.querySelector(".xterm-screen");
    if (!screen) return;
    const cell = { width: screen.clientWidth / terminal.cols, height: screen.clientHeight / terminal.rows };
    place.style.height = rows < terminal.rows ? `${Math.ceil(rows * cell.height) + MARGIN_PX / 2}px` : "";
    place.style.overflowY = rows < terminal.rows ? "hidden" : "";
    place.style.overflowX = columns < terminal.cols && columns * cell.width <= place.clientWidth ? "hidden" : "";
  };
  let settling = 0;
  const settleSoon = () => {
    cancelAnimationFrame(settling);
    settling = requestAnimationFrame(settle);
  };
  const fit = new ResizeObserver(settleSoon);
  fit.observe(place);
  const written = terminal.onRender(settleSoon);
  const endTheme = onTheme(() => (terminal.options.theme = colours()));
  return {
    /** @param {string} text */
    write: (text) => terminal.write(text),
    /** Everything anew. @param {{text: string, columns: number, rows: number, column: number, row: number}} screen */
    show(screen) {
      terminal.reset();
      terminal.resize(screen.columns, screen.rows);
      terminal.write(`${screen.text}\x1b[${screen.row + 1};${screen.column + 1}H`);
    },
    close() {
      fit.disconnect();
      written.dispose();
      cancelAnimationFrame(settling);
      endTheme();
      terminal.dispose();
    },
  };
}
