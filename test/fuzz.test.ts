import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openApiDocument } from '@commerce/server';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { requestsOf } from '@commerce/test-support/suites/fuzz-requests';
import { useFuzzedService } from '@commerce/test-support/suites/fuzz-service';
import fc from 'fast-check';
import { expect, it } from 'vitest';

// `npm run fuzz -- --requests 1000000 --seed 1` sends more requests.
const { FUZZ_REQUESTS, FUZZ_SEED, FUZZ_STORAGE } = process.env;
/** The same seed in each test run, so that failures come only from the change; as a script, a new one each time. */
const usualSeed = FUZZ_REQUESTS === undefined ? 20_261_120 : Math.floor(Math.random() * 2 ** 31);
const seed = FUZZ_SEED === undefined ? usualSeed : Number(FUZZ_SEED);
const counts = {
  sqlite: repeats({ suite: 6000, nightly: 100_000 }),
  postgres: repeats({ suite: 2000, nightly: 20_000 }),
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

forEachStorage('any request', (database, dialect) => {
  const isChosen = FUZZ_STORAGE === undefined || FUZZ_STORAGE === dialect;
  const count = FUZZ_REQUESTS === undefined ? counts[dialect] : isChosen ? Number(FUZZ_REQUESTS) : 0;
  const service = useFuzzedService(database);

  it.skipIf(count === 0)(
    `is answered as the document says, and never with a fault of ours (${count} of them, seed ${seed})`,
    { timeout: 120_000 + count * 20 },
    async () => {
      const { driver } = service();
      const { record } = driver;
      let heapAtFirst = 0;
      const draw = requestsOf(await openApiDocument());
      const property = fc.asyncProperty(fc.gen(), async (value) => {
        if (record.sent === Math.ceil(count / 4)) heapAtFirst = heapUsed();
        await driver.send(draw(value));
      });
      const start = performance.now();
      await fc.assert(property, { seed, numRuns: count, endOnFailure: true });
      const seconds = (performance.now() - start) / 1000;
      const grown = (heapUsed() - heapAtFirst) / 1e6;
      if (FUZZ_REQUESTS !== undefined) {
        const speed = `${Math.round(record.sent / seconds)}/s, heap grew by ${grown.toFixed(1)} MB`;
        console.log([`${dialect}: ${record.sent} requests, seed ${seed}, ${speed}`, ...record.report()].join('\n'));
      }
      expect(record.faults, `seed ${seed}`).toBe('');
      for (const status of [200, 201, 202, 204, 400, 404, 409])
        expect([status, record.times(status) > count / 400]).toEqual([status, true]);
      // Refusals prove little. So at least half of the requests must succeed on every route with enough requests.
      const shares = record.shares();
      if (count >= 4000) expect(shares.length).toBeGreaterThan(60);
      // The providers of the fuzzed shop have no address to connect, or cannot be reached. No request has the link to an order, or the
      // token of a feed. Without a socket, the service does not know its own address.
      const neverDone =
        /\/payment-providers\/\{provider\}\/(?:dis)?connect$|\/orders\/by-token(?:\/|$)|^\S+ \/(?:feeds|\.well-known)\//;
      expect(shares.filter(({ route, share }) => share < 0.5 && !neverDone.test(route))).toEqual([]);
      // Caches are bounded, and answered requests are forgotten.
      expect(grown).toBeLessThan(50);
    },
  );

  it.skipIf(count === 0)('leaves a store whose lists are what their totals say', { timeout: 600_000 }, async () => {
    const lists = [
      ...['/products', '/categories', '/customers', '/pages', '/orders', '/media', '/webhooks', '/api-keys'],
      '/audit-logs',
    ];
    let found = 0;
    for (const path of lists) {
      const items = await everyItem(path);
      found += items.length;
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      for (const item of items.slice(0, 200)) {
        expect(await service().read(`${path}/${item.id}`)).toEqual({ item });
      }
      const statuses = new Set(items.flatMap(({ status }) => (status === undefined ? [] : [status])));
      for (const status of statuses) {
        const { total } = await service().read(`${path}?limit=1&status=${status}`);
        expect([path, status, total]).toEqual([path, status, items.filter((item) => item.status === status).length]);
      }
    }
    expect(found).toBeGreaterThan(count / 50);
  });

  async function everyItem(path: string) {
    const items: { id: string; status?: string }[] = [];
    for (let total = 1; items.length < total; ) {
      const page = await service().read(`${path}?limit=200&offset=${items.length}`);
      if (page.items.length === 0) expect([path, items.length]).toEqual([path, page.total]);
      items.push(...page.items);
      total = page.total;
    }
    return items;
  }
});
