import { rmSync } from 'node:fs';
import { ask, startServer, stop } from '../harness/children.mjs';
import { byOrigin, topAllocations, topFunctions } from '../harness/profile.mjs';
import { copyOf, dataFile, seededFile } from '../harness/seed.mjs';
import { describe } from '../harness/statistics.ts';
import { runWorkload } from './first-table.mjs';
import { workloadsOn } from './workloads.mjs';

/** Runs one workload of the first table with Node's profilers and prints where the time was spent. */
export async function profile(name, seconds) {
  const seeded = await seededFile();
  const file = copyOf(seeded, 'work.db');
  const works = workloadsOn(seeded);
  const folder = dataFile('profile');
  rmSync(folder, { recursive: true, force: true });
  const server = await startServer(file, [`--${name === 'memory' ? 'heap' : 'cpu'}-prof`, '--diagnostic-dir', folder]);
  for (const work of works.filter((one) => one.name === name || name === 'memory')) {
    await runWorkload(work, server, 1, 4000);
    const done = await runWorkload(work, server, seconds, 12_000);
    console.log(`${work.name}: ${describe(done)}, under the profiler`);
  }
  await stop(server.child);
  if (name === 'memory') {
    console.log('\nheld at the end, by where it was allocated (live objects of JavaScript only):');
    for (const { name, megabytes } of topAllocations(folder))
      console.log(`${megabytes.toFixed(1).padStart(7)} MB  ${name}`);
    const first = works[0].sample?.();
    if (first) await profileStart(file, first, folder);
  } else {
    printProcessorProfile(folder);
  }
}

async function profileStart(file, { path, headers }, folder) {
  rmSync(folder, { recursive: true, force: true });
  const server = await startServer(file, ['--cpu-prof', '--diagnostic-dir', folder]);
  await ask(server.url + path, headers);
  await stop(server.child);
  console.log('\nfrom spawn to the first answer, and the stop after it:');
  printProcessorProfile(folder);
}

function printProcessorProfile(folder) {
  console.log('\nby origin:');
  for (const { name, share } of byOrigin(folder)) console.log(`${percent(share)}  ${name}`);
  console.log('\nby function, without what it called:');
  for (const { name, share, milliseconds } of topFunctions(folder)) {
    console.log(`${percent(share)}  ${milliseconds.toFixed(0).padStart(6)} ms  ${name}`);
  }
}

function percent(share) {
  return `${(share * 100).toFixed(1).padStart(5)} %`;
}
