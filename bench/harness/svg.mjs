// Draws lines over two axes as an SVG of a few kilobytes. It contains only text, in the reader's fonts, light or dark like the reader's
// page.

const width = 720;
const height = 400;
const left = 88;
const right = 190;
const top = 52;
const bottom = 68;
const farRight = width - right;
const below = height - bottom;

const light = ['#0969da', '#cf222e', '#1a7f37', '#8250df', '#9a6700', '#bf3989'];
const dark = ['#58a6ff', '#ff7b72', '#3fb950', '#bc8cff', '#d29922', '#f778ba'];

/** Colours by classes instead of variables, which some SVG programs do not support. */
const colours = (paper, ink, faint, grid, lines) =>
  [
    `.paper { fill: ${paper} }`,
    `text { fill: ${ink} }`,
    `.faint { fill: ${faint} }`,
    `.grid { stroke: ${grid} }`,
    `.axis { stroke: ${faint} }`,
    ...lines.map((colour, i) => `.line-${i} { stroke: ${colour} } .name-${i} { fill: ${colour} }`),
  ].join('\n');

const style = `text { font: 13px system-ui, sans-serif }
.title { font-size: 16px; font-weight: 600 }
.faint { font-size: 11px }
.line { fill: none; stroke-width: 2 }
${colours('#ffffff', '#1f2328', '#656d76', '#d8dee4', light)}
@media (prefers-color-scheme: dark) {
${colours('#0d1117', '#e6edf3', '#9198a1', '#30363d', dark)}
}`;

/** Further lines would have no colour of their own. */
const maxLines = light.length;

/**
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.x name of the axis
 * @param {string} options.y
 * @param {boolean} options.isLog whether each step to the right multiplies
 * @param {boolean} [options.isLogY] whether each step up multiplies
 * @param {string} options.note circumstances of the measurement
 * @param {import('./results.mjs').Series[]} options.lines
 */
export function plot({ title, x, y, isLog, isLogY = false, note, lines }) {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0 || lines.length > maxLines)
    throw new Error(`${title}: ${lines.length} lines of ${points.length} points`);
  const xs = [...new Set(points.map(([at]) => at))].sort((a, b) => a - b);
  const values = points.map(([, value]) => value);
  const steps = isLogY ? powersAround(values) : stepsUpTo(Math.max(...values));
  const scale = isLog ? Math.log : (value) => value;
  const scaleY = isLogY ? Math.log : (value) => value;
  const [from, to] = [scale(xs[0]), scale(xs[xs.length - 1])];
  const placeX = (value) => left + (to === from ? 0.5 : (scale(value) - from) / (to - from)) * (farRight - left);
  const [lowest, highest] = [scaleY(steps[0]), scaleY(steps[steps.length - 1])];
  const placeY = (value) => below - ((scaleY(value) - lowest) / (highest - lowest)) * (below - top);
  const parts = [
    text(left, 24, title, { class: 'title' }),
    text(left, 42, note, { class: 'faint' }),
    ...steps.flatMap((step) => [
      line([left, placeY(step)], [farRight, placeY(step)], step === steps[0] ? 'axis' : 'grid'),
      text(left - 8, placeY(step) + 4, shown(step), { 'text-anchor': 'end' }),
    ]),
    ...xs.flatMap((at) => [
      line([placeX(at), below], [placeX(at), below + 5], 'axis'),
      text(placeX(at), below + 20, shown(at), { 'text-anchor': 'middle' }),
    ]),
    text((left + farRight) / 2, height - 22, x, { 'text-anchor': 'middle' }),
    text(18, (top + below) / 2, y, { 'text-anchor': 'middle', transform: `rotate(-90 18 ${(top + below) / 2})` }),
    ...lines.flatMap((one, i) => drawnLine(one, i, placeX, placeY)),
    ...legend(lines, placeY),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${title}: ${y} by ${x}`)}">`,
    `<style>${style}\n</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function drawnLine({ title, points }, i, placeX, placeY) {
  const at = [...points].sort(([a], [b]) => a - b).map(([x, y]) => [placeX(x), placeY(y)]);
  return [
    `<polyline class="line line-${i}" points="${at.map((place) => place.map(round).join(',')).join(' ')}"/>`,
    ...at.map(
      ([x, y], n) =>
        `<circle cx="${round(x)}" cy="${round(y)}" r="3" class="name-${i}"><title>${escaped(`${title}: ${shown(points[n][1])}`)}</title></circle>`,
    ),
  ];
}

/** The names of the lines, each next to its end, and moved apart if they would overlap. */
function legend(lines, placeY) {
  const apart = 18;
  const ends = lines
    .map(({ title, points }, i) => ({ title, i, y: placeY(points[points.length - 1][1]) }))
    .sort((a, b) => a.y - b.y);
  for (const [n, end] of ends.entries()) if (n > 0) end.y = Math.max(end.y, ends[n - 1].y + apart);
  const over = Math.max(0, ends[ends.length - 1].y - below);
  return ends.flatMap(({ title, i, y }) => [text(farRight + 10, y - over + 4, title, { class: `name-${i}` })]);
}

/** About five round numbers from 0 to at least `max`. */
function stepsUpTo(max) {
  const rough = max / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const count = Math.ceil(max / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

/** The powers of ten that enclose all values, with 2 and 5 times each. */
function powersAround(values) {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  const all = Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const between = all.flatMap((power) => [power, 2 * power, 5 * power]);
  const first = between.filter((step) => step <= Math.min(...values)).at(-1) ?? all[0];
  const last = between.find((step) => step >= Math.max(...values)) ?? all[all.length - 1];
  return between.filter((step) => step >= first && step <= Math.max(last, 2 * first));
}

function text(x, y, content, attributes = {}) {
  const more = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<text x="${round(x)}" y="${round(y)}"${more.join('')}>${escaped(content)}</text>`;
}

function line([x1, y1], [x2, y2], kind) {
  return `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

const round = (value) => Math.round(value * 10) / 10;

function shown(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 });
}

function escaped(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
