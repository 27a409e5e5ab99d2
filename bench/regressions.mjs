// npm run bench:regressions: compares the processor time of a request with the last release, in at most five minutes, and prints a table. It
// only informs: times depend on the machine, so neither a slower request nor a failed comparison makes it exit with an error.

import { lastRelease } from './harness/releases.ts';
import { table } from './harness/report.mjs';
import { measureAgainst } from './workloads/against.mjs';

const works = ['get', 'list', 'notification', 'create'];
const minutes = 5;

// npm runs scripts in the root of the checkout.
const here = process.cwd();
const release = lastRelease(here);
if (release === undefined) {
  console.log('no tag of an earlier release (v1.2.3) is in this clone: nothing to compare with');
} else {
  try {
    const until = performance.now() + minutes * 60_000;
    const { head, rows } = measureAgainst(release, { rounds: 3, seconds: 2, here, works, until, isSmall: true });
    console.log(`\n${table(head, rows)}`);
    const slower = rows.filter(([, , , change]) => change.endsWith('slower')).map(([name]) => name);
    console.log(
      slower.length > 0 ? `slower than ${release}: ${slower.join(', ')}` : `nothing is slower than ${release}`,
    );
  } catch (error) {
    console.log(`the comparison with ${release} did not finish: ${error instanceof Error ? error.stack : error}`);
  }
}
