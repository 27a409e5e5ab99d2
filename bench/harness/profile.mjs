import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The functions of a processor profile with the longest self time, without their callees.
 * @param folder the output folder of Node's `--cpu-prof`; the largest profile in it is read
 */
export function topFunctions(folder, count = 40) {
  return selfTimes(folder, place).slice(0, count);
}

/** Self time summed by origin: each package, Node itself, the garbage collector. */
export function byOrigin(folder) {
  return selfTimes(folder, origin);
}

/** Self time summed by the name of a function's place, longest first. */
function selfTimes(folder, nameOf) {
  const profile = newest(folder, '.cpuprofile');
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const sums = new Map();
  let total = 0;
  profile.samples.forEach((id, i) => {
    const { callFrame } = byId.get(id);
    const time = profile.timeDeltas[i] ?? 0;
    // Waiting does not count as work.
    if (callFrame.functionName === '(idle)') return;
    total += time;
    const name = nameOf(callFrame);
    sums.set(name, (sums.get(name) ?? 0) + time);
  });
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .map(([name, time]) => ({ name, share: time / total, milliseconds: time / 1000 }));
}

/** The places that allocated most of the retained memory, from Node's `--heap-prof`. */
export function topAllocations(folder, count = 25) {
  const { head } = newest(folder, '.heapprofile');
  const sizes = new Map();
  const visit = (node) => {
    const bytes = node.selfSize;
    if (bytes > 0) sizes.set(place(node.callFrame), (sizes.get(place(node.callFrame)) ?? 0) + bytes);
    node.children.forEach(visit);
  };
  visit(head);
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, bytes]) => ({ name, megabytes: bytes / 1024 / 1024 }));
}

function newest(folder, ending) {
  const files = readdirSync(folder).filter((name) => name.endsWith(ending));
  const last = files.at(-1);
  if (last === undefined) throw new Error(`node wrote no ${ending} into ${folder}`);
  return JSON.parse(readFileSync(join(folder, last), 'utf8'));
}

function place(frame) {
  const { file, line } = source(frame);
  return `${frame.functionName || '(anonymous)'}${file ? `  ${file.replace(/^.*\/(node_modules|packages)\//, '')}:${line}` : ''}`;
}

function origin(frame) {
  const { file } = source(frame);
  if (file.startsWith('node:')) return 'node';
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (dependency) return dependency;
  const [, own] = /packages\/([^/]+)\//.exec(file) ?? [];
  if (own) return `packages/${own}`;
  return frame.functionName.startsWith('(') ? frame.functionName : 'native code called by node';
}

const maps = new Map();

/** The place of a function in the sources. The program is built into a few files, with maps next to them. */
function source({ url, lineNumber, columnNumber }) {
  if (!url.startsWith('file:') && !isAbsolute(url)) return { file: url, line: lineNumber + 1 };
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (!maps.has(file)) {
    const map = `${file}.map`;
    maps.set(file, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined);
  }
  const entry = maps.get(file)?.findEntry(lineNumber, columnNumber);
  return entry?.originalSource
    ? { file: resolve(dirname(file), entry.originalSource), line: entry.originalLine + 1 }
    : { file, line: lineNumber + 1 };
}
