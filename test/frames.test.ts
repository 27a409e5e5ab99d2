import { createHook, executionAsyncId } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type CommerceServer, createServer } from '@commerce/server';
import { sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, webhookSecret } from '@commerce/test-support/fixtures/stripe';
import { root } from '@commerce/test-support/harness/processes';
import { newKey } from '@commerce/test-support/harness/requests';
import { openStorage, type TestDatabase } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A frame is a function of ours that was entered for a request and has not returned when the first statement runs. It is on the stack, or
// it waits for a function that called the stack. Helpers that have returned by then do not count.
//
// The stack ends where a promise is awaited. So each promise is recorded with the stack that created it and the stack that ran then. When a
// statement runs after an `await`, the stack of that `await` is put below its own, and so on down to the socket. An async function is on
// both stacks and counts once. Statements that begin or end a transaction do not count as the first: which one opens a snapshot depends on
// the other reads at that moment.

interface Frame {
  /** Relative to `packages/`. */
  file: string;
  /** Empty for an anonymous function. */
  name: string;
  /** Distinguishes functions of one file. */
  key: string;
}

/** A call site with the properties that V8 has and Node's types lack. */
interface Site extends NodeJS.CallSite {
  getEnclosingLineNumber(): number;
  getEnclosingColumnNumber(): number;
  isAsync(): boolean;
}

const ours = /\/packages\/((?:core|server)\/src\/.*)$/;

/** Our functions on the present stack, the innermost first. */
function presentFrames(): Frame[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error('for its stack').stack as unknown as Site[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return sites.flatMap((site) => {
    const url = site.getFileName() ?? '';
    const [, file] = ours.exec(url.startsWith('file:') ? fileURLToPath(url) : url) ?? [];
    // V8 adds some of the waiting functions, but not a function that returned its promise instead of awaiting it.
    if (file === undefined || site.isAsync()) return [];
    const name = site.getFunctionName() ?? '';
    const position = `${site.getEnclosingLineNumber()}:${site.getEnclosingColumnNumber()}`;
    return [{ file: file.replace('/src/', '/'), name, key: `${file} ${position}` }];
  });
}

/** Our functions from the socket to the first statement of the work. */
async function framesToFirstStatement(work: () => Promise<unknown>): Promise<Frame[]> {
  const made = new Map<number, { frames: Frame[]; by: number }>();
  let found: Frame[] | undefined;
  const hook = createHook({
    init: (id, type) => type === 'PROMISE' && made.set(id, { frames: presentFrames(), by: executionAsyncId() }),
  });
  const memory = new Database(':memory:');
  const statement = Object.getPrototypeOf(memory.prepare('select 1'));
  memory.close();
  const { run, all } = statement;
  const noting = (real: (...args: unknown[]) => unknown) =>
    function (this: Database.Statement, ...args: unknown[]) {
      if (!found && !/^(begin|commit|savepoint|release)/.test(this.source)) {
        found = presentFrames();
        for (let at = made.get(executionAsyncId()); at; at = made.get(at.by)) found.push(...at.frames);
      }
      return real.apply(this, args);
    };
  Object.assign(statement, { run: noting(run), all: noting(all) });
  hook.enable();
  try {
    await work();
  } finally {
    hook.disable();
    Object.assign(statement, { run, all });
  }
  const distinct = new Map(found?.map((frame) => [frame.key, frame]));
  return [...distinct.values()].reverse();
}

function row(request: string, max: number, frames: Frame[]): string {
  const path = frames.map(({ file, name }) => `${name === '' ? 'a function' : `\`${name}\``} of ${file}`).join(' → ');
  return `| ${request} | ${frames.length} of at most ${max} | ${path} |`;
}

const bounds = { 'GET product': 6, 'POST product': 8, 'Stripe notification': 10 } as const;

describe('Between socket and first statement', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-frames-'));
  const database: TestDatabase = {
    address: join(folder, 'commerce.db'),
    open: () => openStorage(join(folder, 'commerce.db')),
  };
  // A key in use is cached for a second, which this clock does not reach.
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let server: CommerceServer;
  let url: string;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    shop = await newShop(commerce());
    key = await newKey(shop);
    await configureStripe(shop);
    server = createServer(commerce());
    ({ url } = await server.listen({ port: 0 }));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/stores/${shop.store.id}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.status;
  };

  it('lie as few functions of ours as CONTRIBUTING.md says (`--update` prints them anew)', async () => {
    const { id } = await newProduct(shop);
    // From here on the key is cached, like a key in use.
    expect(await send('GET', `/products/${id}`)).toBe(200);
    const frames = {
      'GET product': await framesToFirstStatement(() => send('GET', `/products/${id}`)),
      'POST product': await framesToFirstStatement(() =>
        send('POST', '/products', { title: 'Mug', slug: randomUUID(), price: '5' }),
      ),
      'Stripe notification': await framesToFirstStatement(() =>
        sendStripe(
          url,
          { id: 'evt_1', type: 'payment_intent.created', data: { object: {} } },
          {
            secret: webhookSecret,
            timestamp: Math.floor(clock.now() / 1000),
            path: `/api/webhooks/stripe/${shop.store.id}`,
          },
        ),
      ),
    };
    const requests = Object.keys(bounds) as (keyof typeof bounds)[];
    for (const request of requests) {
      const names = frames[request].map(({ file, name }) => `${file} ${name}`);
      expect(names[0]).toBe('server/edge/listener.ts listener');
      expect(names.length, names.join('\n')).toBeLessThanOrEqual(bounds[request]);
    }
    const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const table = requests.map((request) => row(request, bounds[request], frames[request])).join('\n');
    const printed = page.replace(
      /(?<=\| Request \| Functions \| Path \|\n\| - \| - \| - \|\n)(?:\|.*\n)*/,
      `${table}\n`,
    );
    expect(printed).toContain(table);
    await expect(printed).toMatchFileSnapshot('../CONTRIBUTING.md');
  });

  it('are counted across awaits, and only while they have not returned', async () => {
    const frames = await framesToFirstStatement(() =>
      send('POST', '/products', { title: 'Mug', slug: randomUUID(), price: '5' }),
    );
    const files = frames.map(({ file }) => file);
    // The listener returned to Node long before the body arrived; the reader of the body has returned.
    expect(files).toContain('server/edge/listener.ts');
    expect(files).not.toContain('server/bodies/input.ts');
    expect(files).not.toContain('server/request/body.ts');
  });
});
