// One figure: drawn by uPlot in the page's colours, and the same as a table for whoever does not see it.

import { html, useEffect, useRef } from "../lib.js";
import { colour, onTheme } from "../parts/theme.js";
import { sheet } from "../parts/sheet.js";

const HEIGHT_REM = 15;
const AXIS_REM = 4;
const FONT_REM = 0.75;

/** Letters on a canvas do not grow with the page by themselves. @param {number} rem */
const px = (rem) => Math.round(rem * parseFloat(getComputedStyle(document.documentElement).fontSize));

/**
 * A row of figures: what it is called, its colour in style.css, its values (null where there is none).
 * @typedef {{name: string, colour: string, values: (number|null)[], bars?: boolean, dash?: number[]}} Series
 */

/** @type {Promise<any>|null} */
let library = null;
const load = () =>
  (library ??= Promise.all([import("../lib/uplot.js"), sheet("/page/lib/uplot.css")]).then(([found]) => found.default));

function axis(more) {
  const line = { stroke: colour("--line"), width: 1 };
  return { stroke: colour("--ink-soft"), grid: line, ticks: line, font: `${px(FONT_REM)}px system-ui, sans-serif`, ...more };
}

function seriesOf(uPlot, each) {
  const stroke = colour(each.colour);
  if (each.bars) return { label: each.name, stroke, fill: stroke, width: 0, paths: uPlot.paths.bars({ size: [0.7, 40] }), points: { show: false } };
  return { label: each.name, stroke, width: 2, dash: each.dash, points: { size: 6, fill: stroke, stroke }, spanGaps: true };
}

/** Bars that stand on each other are drawn from the top down, each over the whole below it. */
function stacked(series) {
  const sums = series.map((_, at) => series[0].values.map((_, x) => series.slice(at).reduce((sum, each) => sum + (each.values[x] ?? 0), 0)));
  return series.map((each, at) => ({ ...each, values: sums[at] }));
}

function optionsOf(uPlot, { width, series, time, nameOfX, unit }) {
  const aside = time ? 1800 : 0.5; // half a bar has room at each end
  return {
    width,
    height: px(HEIGHT_REM),
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time, range: (_plot, min, max) => [min - aside, max + aside] }, y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      axis(time ? { values: (_plot, ticks) => ticks.map(hourOrDay), space: px(AXIS_REM) } : { values: (_plot, ticks) => ticks.map((tick) => nameOfX(tick)), incrs: [1, 2, 5, 10, 20, 50, 100, 1000] }),
      axis({ size: px(AXIS_REM), values: (_plot, ticks) => ticks.map((tick) => (Number.isInteger(tick) || unit ? short(tick) + (unit ?? "") : "")) }),
    ],
    series: [{}, ...series.map((each) => seriesOf(uPlot, each))],
  };
}

/** The hour, or the day where one begins. @param {number} seconds */
function hourOrDay(seconds) {
  const at = new Date(seconds * 1000);
  const two = (n) => String(n).padStart(2, "0");
  return at.getHours() === 0 ? `${two(at.getMonth() + 1)}-${two(at.getDate())}` : `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** @param {number} n */
export function short(n) {
  return new Intl.NumberFormat("en", { notation: n >= 10000 ? "compact" : "standard", maximumFractionDigits: 1 }).format(n);
}

/**
 * @param {{label: string, xs: number[], series: Series[], time?: boolean, stack?: boolean, nameOfX?: (x: number) => string, unit?: string}} props
 * xs are seconds when time is true.
 */
export function Plot({ label, xs, series, time = false, stack = false, nameOfX = String, unit }) {
  const place = useRef(/** @type {HTMLElement|null} */ (null));
  const key = JSON.stringify([xs, series]);
  useEffect(() => {
    let plot = null;
    let over = false;
    const draw = async () => {
      const uPlot = await load();
      if (over || !place.current) return;
      plot?.destroy();
      const drawn = stack ? stacked(series) : series;
      const width = Math.max(200, place.current.clientWidth);
      plot = new uPlot(optionsOf(uPlot, { width, series: drawn, time, nameOfX, unit }), [xs, ...drawn.map((each) => each.values)], place.current);
    };
    draw();
    const fit = new ResizeObserver(() => plot?.setSize({ width: Math.max(200, place.current?.clientWidth ?? 0), height: px(HEIGHT_REM) }));
    if (place.current) fit.observe(place.current);
    const endTheme = onTheme(draw);
    return () => {
      over = true;
      fit.disconnect();
      endTheme();
      plot?.destroy();
    };
  }, [key]);
  return html`<ul class="legend">
      ${series.map((each) => html`<li key=${each.name}><${Swatch} colour=${each.colour} dashed=${Boolean(each.dash)} />${each.name}</li>`)}
    </ul>
    <div class="plot" ref=${place} role="img" aria-label="${label}. The figures are in the table below."></div>`;
}

function Swatch({ colour: name, dashed }) {
  return html`<span class="swatch ${dashed ? "dashed" : ""}" aria-hidden="true" style=${{ color: `var(${name})` }}></span>`;
}
