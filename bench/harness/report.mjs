import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const pages = ['benchmarks', 'benchmarks-method'].map((name) =>
  fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)),
);

/** Processes that ran or waited in the minute before this run. */
const [loadBefore = 0] = loadavg();

const whole = (value) => Math.round(value).toLocaleString('en-US');

/** The share of a processor that a limit must use at least; below it, the load generator was the bottleneck. */
const saturated = 0.85;

/** Not a number if the system does not report it. */
const micros = (value) => (Number.isNaN(value) ? '?' : value.toFixed(0));

/** The results of the workloads and of the two figures about the process, as markdown. */
export function tables(works, figures) {
  // Writes are compared with the time that a bare server takes to answer a GET in the same run.
  const bare = works.find(({ work }) => work.name === 'get')?.limitCost;
  const inBare = (cost) => (bare === undefined ? '' : ` (${(cost / bare).toFixed(0)} bare answers)`);
  const rows = works.map(({ work, limit, measured, ratio, limitBusy, limitCost, cost, p50, p99 }) => [
    work.title,
    `${whole(limit)} (${work.limit})`,
    whole(measured),
    ratio.toFixed(2),
    `${work.least.toFixed(2)} ${ratio < work.least ? '✗' : limitBusy < saturated ? '?' : '✓'}`,
    limitCost === undefined ? `${micros(cost)}${inBare(cost)}` : `${micros(limitCost)} → ${micros(cost)}`,
    `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
  ]);
  const more = figures.map(({ title, unit, limit, limitTitle, measured, most }) => [
    title,
    `${whole(limit)} ${unit} (${limitTitle})`,
    `${whole(measured)} ${unit}`,
    `+${whole(measured - limit)} ${unit}`,
    `at most +${most} ${unit} ${measured - limit <= most ? '✓' : '✗'}`,
  ]);
  return [
    ...(rows.length > 0
      ? [
          table(
            [
              'work',
              'limit, per second',
              'measured, per second',
              'ratio',
              'at least',
              'processor time for one, µs',
              'p50 / p99 ms',
            ],
            rows,
          ),
        ]
      : []),
    ...(more.length > 0 ? [table(['process', 'limit', 'measured', 'above it', 'allowed'], more)] : []),
  ].join('\n\n');
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * Puts tables between the markers of the page that has them, with the data needed to compare them.
 * @param section the name of the markers
 */
export function writePage(section, text, command) {
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`];
  const day = new Date().toISOString().slice(0, 10);
  const others = loadBefore < 0.5 ? '' : `, with other load (${loadBefore.toFixed(1)} before the run)`;
  const place = `Node.js ${process.versions.node} on ${cpus().length} processors${others}`;
  const measured = `${begin}\n\nMeasured on ${day} with ${place}: \`${command}\`\n\n${text}\n\n${end}`;
  const page = pages.find((one) => readFileSync(one, 'utf8').includes(begin));
  if (page === undefined) throw new Error(`no page of the benchmarks has the marker ${begin}`);
  const before = readFileSync(page, 'utf8');
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  if (to < from) throw new Error(`${page} has lost the marker ${end}`);
  writeFileSync(page, before.slice(0, from) + measured + before.slice(to + end.length));
}
