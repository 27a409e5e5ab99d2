import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readResults } from './results.mjs';
import { plot } from './svg.mjs';

const folder = fileURLToPath(new URL('../../docs/plots/', import.meta.url));

/** Titles and axes of the plots by their names, which are also the names of their files. */
const plots = {
  'sizes-reads': {
    title: 'What buyers look at, SQLite',
    x: 'products of the store',
    y: 'answers a second',
    isLog: true,
    isLogY: true,
  },
  'sizes-writes': {
    title: 'What changes the store, SQLite',
    x: 'products of the store',
    y: 'changes a second',
    isLog: true,
    isLogY: true,
  },
  'scale-sqlite': { title: 'One client, SQLite', x: 'products of the store', y: 'p50, ms', isLog: true },
  'scale-postgresql': { title: 'One client, PostgreSQL', x: 'products of the store', y: 'p50, ms', isLog: true },
  'connections-get': { title: 'GET of a product', x: 'connections', y: 'answers a second', isLog: true },
  'connections-post': { title: 'POST of a product', x: 'connections', y: 'answers a second', isLog: true },
  workers: { title: 'Processes that read', x: 'processes', y: 'answers a second', isLog: false },
  fsync: {
    title: 'Products created, by how much longer a sync takes',
    x: 'writers at once',
    y: 'products a second',
    isLog: true,
  },
};

/**
 * Draws what the last run of each workload has measured into docs/plots/.
 * @returns {string[]} the files
 */
export function drawPlots() {
  mkdirSync(folder, { recursive: true });
  const drawn = [];
  for (const { day, node, processors, series } of Object.values(readResults())) {
    for (const [name, lines] of Object.entries(series)) {
      const look = plots[name];
      if (!look) throw new Error(`nobody has said how the plot ${name} is to look`);
      const note = `measured on ${day} with Node.js ${node} on ${processors} processors`;
      const file = `${folder}${name}.svg`;
      writeFileSync(file, plot({ ...look, note, lines }));
      drawn.push(file);
    }
  }
  if (drawn.length === 0) throw new Error('nothing was measured yet: run `npm run bench` first');
  return drawn;
}
