import { setTimeout as wait } from 'node:timers/promises';
import { type Context, createApiKey } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { startServer } from '@commerce/test-support/harness/processes';
import { isNightly, repeats } from '@commerce/test-support/harness/repeats';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage, forOneStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Random writes, after each of which a service that keeps answers is asked the same as one that keeps none, with a secret key and with a
// storefront key. Each address is asked twice, so that the second answer is a kept one. They must be equal, byte for byte.

/** The test suite runs the same sequences each time; a nightly run uses others. */
const seed = isNightly ? {} : { seed: 20_261_128 };

const statuses = fc.constantFrom('published', 'published', 'draft', 'archived');
const which = fc.nat(3);
const colors = fc.constantFrom('red', 'blue');
const kind = <T extends string>(what: T) => fc.constant(what);
const product = { price: fc.constantFrom('5', '7.50'), status: statuses, stock: fc.nat(3), color: colors };
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: kind('change'), which, ...product }) },
  { weight: 1, arbitrary: fc.record({ do: kind('create'), ...product }) },
  { weight: 1, arbitrary: fc.record({ do: kind('delete'), which }) },
  { weight: 2, arbitrary: fc.record({ do: kind('category'), which, status: statuses }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: kind('page'), status: statuses, slug: fc.constantFrom('terms', 'conditions') }),
  },
  { weight: 2, arbitrary: fc.record({ do: kind('settings'), country: fc.constantFrom('DE', 'AT', null) }) },
  { weight: 1, arbitrary: fc.record({ do: kind('rename'), name: fc.constantFrom('Shop', 'Other shop') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('hold'),
      which,
      quantity: fc.integer({ min: 1, max: 3 }),
      minutes: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: kind('wait'), seconds: fc.constantFrom(1, 59, 60, 61, 120) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Send = (method: string, path: string, key: string, body?: unknown) => Promise<{ status: number; text: string }>;

/** A shop that the two services share. */
interface Shared {
  shop: Context;
  key: string;
  publicKey: string;
  kept: Send;
  plain: Send;
  advance(milliseconds: number): void;
  /** Milliseconds after which a process knows the settings that another one has changed. */
  patience: number;
}

const sending =
  (app: App): Send =>
  (method, path, key, body) =>
    ask(app, `${method} ${path}`, { key, ...(body !== undefined && { body }) });

async function play(
  { shop, key, publicKey, kept, plain, advance, patience }: Shared,
  steps: readonly Step[],
): Promise<void> {
  const base = `/stores/${shop.store.id}`;
  let turn = 0;
  // The services write in turn.
  const write = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await (turn++ % 2 === 0 ? plain : kept)(method, base + path, key, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text).item;
  };
  let made = 0;
  const input = ({ price, status, stock, color }: Omit<Extract<Step, { do: 'create' }>, 'do'>) => ({
    price,
    status,
    stock,
    trackStock: true,
    attributes: { color },
    variantGroupId: 'mugs',
  });
  const create = async (fields: Omit<Extract<Step, { do: 'create' }>, 'do'>) => {
    const number = made++;
    const names = { title: `Mug ${number}`, slug: `mug-${number}`, sku: `M${number}`, categoryIds: categories };
    return (await write('POST', '/products', { ...names, ...input(fields) })).id as string;
  };
  const categories: string[] = [];
  for (const slug of ['mugs', 'cups']) {
    categories.push((await write('POST', '/categories', { name: slug, slug, status: 'published' })).id);
  }
  const { id: page } = await write('POST', '/pages', {
    title: 'Terms',
    slug: 'terms',
    content: 'x',
    status: 'published',
  });
  await write('PUT', '/settings', { pages: { terms: page } });
  const products: string[] = [];
  for (let n = 0; n < 3; n++) {
    products.push(await create({ price: '5', status: 'published', stock: 2, color: n === 0 ? 'blue' : 'red' }));
  }
  const known = [...products];
  const some = (n: number) => products[n % products.length] as string;
  for (const step of steps) {
    switch (step.do) {
      case 'change':
        await write('PUT', `/products/${some(step.which)}`, input(step));
        break;
      case 'create':
        products.push(await create(step));
        known.push(products.at(-1) as string);
        break;
      case 'delete':
        if (products.length > 1)
          await write('DELETE', `/products/${products.splice(step.which % products.length, 1)[0]}`);
        break;
      case 'category':
        await write('PUT', `/categories/${categories[step.which % 2]}`, { status: step.status });
        break;
      case 'page':
        await write('PUT', `/pages/${page}`, { status: step.status, slug: step.slug });
        break;
      case 'settings':
        await write('PUT', '/settings', { country: step.country });
        break;
      case 'rename':
        await write('PUT', '/settings', { seller: { name: step.name, address: 'Lane 1', email: 'shop@example.com' } });
        break;
      case 'hold': {
        const row = {
          store_id: shop.store.id,
          order_id: `order ${turn++}`,
          product_id: some(step.which),
          quantity: step.quantity,
          expires_at: shop.engine.clock.now() + step.minutes * 60_000,
        };
        await shop.engine.storage.db.transaction().execute((tx) => tx.insertInto('reservations').values(row).execute());
        break;
      }
      case 'wait':
        advance(step.seconds * 1000);
        break;
    }
    const paths = [
      ...['', 'limit=1', 'status=published', 'inStock=true', 'facets=color,inStock,price&inStock=true', 'search=mug'],
      ...['group=variants&include=variants', `categoryId=${categories[0]}`, 'sort=price', 'sort=bestselling'],
    ].map((query) => `/products?${query}`);
    paths.push(
      '/products/attributes',
      '/products/by-attributes?color=red',
      '/products/by-variant-group?variantGroupId=mugs',
    );
    paths.push('/categories', '/pages', `/pages/${page}`, '/pages?slug=terms', '/shop');
    paths.push(...categories.map((id) => `/categories/${id}`), ...known.map((id) => `/products/${id}`));
    for (const by of [key, publicKey]) {
      for (const path of paths) {
        const deadline = performance.now() + patience;
        for (let time = 1; time <= 2; ) {
          const { status, text } = await plain('GET', base + path, by);
          const answer = await kept('GET', base + path, by);
          const isRight = answer.status === status && (status >= 300 || answer.text === text);
          if (isRight) time++;
          else if (performance.now() > deadline)
            expect([path, answer.status, answer.text]).toEqual([path, status, text]);
          else await wait(20);
        }
      }
    }
  }
}

const limits = { reads: 999_999, writes: 999_999 };

forEachStorage('answers that are kept, by an application', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let keeping: App;
  let plain: App;
  beforeAll(() => {
    keeping = createApp(commerce(), { storefrontLimits: limits });
    plain = createApp(commerce(), { storefrontLimits: limits, keptAnswers: 0 });
  });

  it('are those that would be made', { timeout: repeats({ suite: 300_000, nightly: 7_200_000 }) }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const shop = await newShop(commerce());
        const key = await newKey(shop);
        const { key: publicKey } = await createApiKey(shop, { kind: 'storefront', name: 'Page' });
        const services = { kept: sending(keeping), plain: sending(plain) };
        await play({ shop, key, publicKey, ...services, advance: (time) => clock.advance(time), patience: 0 }, steps);
      }),
      { ...seed, numRuns: repeats({ suite: database.address.startsWith('postgres') ? 2 : 20, nightly: 500 }) },
    );
  });
});

forOneStorage('answers that another process keeps', 'sqlite', (database) => {
  const commerce = useCommerce(database);
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer(database.address, ['--storefront-limits', '999999,999999']);
  });
  afterAll(async () => {
    expect(await server?.stop()).toBe(0);
  });

  it('are those that this one makes', { timeout: repeats({ suite: 300_000, nightly: 7_200_000 }) }, async () => {
    const app = createApp(commerce(), { storefrontLimits: limits, keptAnswers: 0 });
    const kept: Send = async (method, path, key, body) => {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const shop = await newShop(commerce());
        const key = await newKey(shop);
        const { key: publicKey } = await createApiKey(shop, { kind: 'storefront', name: 'Page' });
        // Its clock is the machine's.
        const lasting = steps.filter((one) => one.do !== 'wait');
        await play({ shop, key, publicKey, kept, plain: sending(app), advance: () => {}, patience: 1500 }, lasting);
      }),
      { ...seed, numRuns: repeats({ suite: 8, nightly: 200 }) },
    );
  });
});
