import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Commerce,
  type Context,
  createOrder,
  createWebhook,
  deliveryBacklog,
  openCommerce,
  openMediaFolder,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, sendBare } from '@commerce/test-support/fixtures/stripe';
import { beyondOneStore, connectTo } from '@commerce/test-support/harness/shards';
import { type Statement, statementsOf } from '@commerce/test-support/harness/statements';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { statementsOfRoutes } from '@commerce/test-support/suites/route-statements';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { finishRemovals } from '../packages/core/src/categories/removals.ts';
import { forgetOldDeliveries } from '../packages/core/src/deliveries/retention.ts';
import { forgetAnswers } from '../packages/core/src/idempotency/once.ts';
import { closeDuePages } from '../packages/core/src/sales/checkout/expire.ts';
import { expirePendingOrders } from '../packages/core/src/sales/moves/expire.ts';
import { endReservations } from '../packages/core/src/sales/moves/reservations.ts';
import { forgetOldPayloads } from '../packages/core/src/sales/notifications/retention.ts';
import { continueImports } from '../packages/core/src/transfer/background.ts';
import { forgetReplacedSecrets } from '../packages/core/src/webhooks/sealed-secrets.ts';

const day = 24 * 60 * 60_000;

async function withCommerce(
  work: (commerce: Commerce, client: pg.Client, advance: (ms: number) => void) => Promise<void>,
) {
  await withDatabase('postgres', async (database) => {
    const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
    const media = { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' };
    const clock = fakeClock();
    const commerce = await openCommerce({
      ...{ storage: database.open(), clock, media, upkeep: false },
      ...{ allowInsecureWebhooks: true, random: () => 0.5 },
    });
    const client = await connectTo(database.address);
    try {
      await work(commerce, client, (ms) => clock.advance(ms));
    } finally {
      await client.end();
      await commerce.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

/** The reads and writes of statements beyond one store, once for each text. */
async function faultsOf(client: pg.Client, statements: readonly Statement[], stores: ReadonlySet<string>) {
  const seen = new Map<string, Statement>();
  for (const statement of statements) seen.set(statement.text, statement);
  const faults: { text: string; beyond: string }[] = [];
  for (const statement of seen.values()) {
    const beyond = await beyondOneStore(client, statement, stores);
    if (beyond.length > 0) faults.push({ text: statement.text, beyond: beyond.join(', ') });
  }
  return faults;
}

it('no request touches rows of more than one store: each of its statements names it', async () => {
  await withCommerce(async (commerce, client) => {
    const recorded = await statementsOfRoutes(commerce);
    const found: string[] = [];
    for (const { line, storeId, statements } of recorded) {
      expect([line, statements.length > 0]).toEqual([line, true]);
      for (const { text, beyond } of await faultsOf(client, statements, new Set([storeId]))) {
        found.push(`${line}: ${beyond}: ${text}`);
      }
    }
    expect(found).toEqual([]);
    expect(new Set(recorded.flatMap(({ statements }) => statements.map(({ text }) => text))).size).toBeGreaterThan(250);
  });
});

it('a statement that leaves its store is told from one that does not', async () => {
  await withCommerce(async (commerce, client) => {
    const [one, two] = [(await newShop(commerce)).store.id, (await newShop(commerce)).store.id];
    const told = (text: string, ...values: unknown[]) => beyondOneStore(client, { text, values }, new Set([one]));
    expect(await told('select from stores')).toEqual([]);
    expect(await told('select from products where store_id = $1', one)).toEqual([]);
    expect(await told('select from orders o join customers c using (store_id) where o.store_id = $1', one)).toEqual([]);
    expect(await told('delete from pages where store_id = $1 and id = $2', one, 'x')).toEqual([]);
    expect(await told('select from products where id = $1', 'x')).toEqual(['products of any store']);
    expect(await told('select from products where store_id = $1', two)).toEqual([`products of the store ${two}`]);
    expect(await told('select from products where store_id in ($1, $2)', one, two)).toEqual(['products of any store']);
    expect(await told('update pages set slug = id where id = $1', 'x')).toEqual(['pages of any store']);
    expect(
      await told('select from orders o join customers c on c.id = o.customer_id where o.store_id = $1', one),
    ).toEqual(['customers of any store']);
    const insert = 'insert into sequences (name, store_id, last) values ($1, $2, 1), ($1, $3, 1)';
    expect(await told(insert, 'x', one, one)).toEqual([]);
    expect(await told(insert, 'x', one, two)).toEqual([`sequences gets rows of ${two}`]);
    expect(
      await told('insert into sequences (name, store_id, last) select $1, $2::text, 1 from stores', 'x', two),
    ).toEqual([`sequences gets rows of ${two}`]);
  });
});

interface Exception {
  /** The caller, as the documentation names it. */
  who: string;
  /** The request to all stores, as the documentation describes it. */
  instead: string;
  /** Beginnings of its statements that name no store, or several; all other statements of the work name one. */
  statements: readonly RegExp[];
  work(commerce: Commerce): Promise<unknown>;
}

/** All requests for rows of more than one store: the documentation has the same lines. */
const exceptions: readonly Exception[] = [
  {
    who: 'Payment notification without a store in its address',
    instead: 'asks which stores have the provider, then whose order or payment it is; written only in that store',
    statements: [
      /^select .* from "payment_providers"/,
      /^select "store_id" from "orders"/,
      /^select .* from "payment_refs"/,
      /^select distinct "store_id" from "payment_notifications"/,
    ],
    work: async (commerce) => {
      const shops = [await newShop(commerce), await newShop(commerce), await newShop(commerce)];
      for (const shop of shops) await configureStripe(shop);
      const { id } = await newProduct(shops[1] as Context, { price: '10' });
      const order = await createOrder(shops[1] as Context, { items: [{ productId: id, quantity: 1 }] });
      await sendBare(commerce, payment(order.id, 1000).chargeSucceeded());
      await sendBare(commerce, payment(null, 1000).chargeSucceeded());
    },
  },
  {
    who: 'Deliverer, every second',
    instead:
      'one index look-up for each subscription finds the queues that are due; claimed, sent and recorded store by store',
    statements: [/^select "webhooks"."store_id" as "storeId"/, /^select "stores"."id" as "storeId"/],
    work: (commerce) => commerce.deliverDue(),
  },
  {
    who: 'Reservations that end, every 5 seconds',
    instead:
      'the index of reservations says which stores have some that are over, at most 100 at a time; ended store by store',
    statements: [/^select distinct "store_id" \|\| '' as "store_id" from "orders"/],
    work: ({ engine }) => endReservations(engine),
  },
  {
    who: 'Pages to pay at that end, every 5 seconds',
    instead:
      'the index of open pages says which stores have some that are over, at most 100 at a time; closed store by store',
    statements: [/^select distinct "store_id" \|\| '' as "store_id" from "checkouts"/],
    work: ({ engine }) => closeDuePages(engine),
  },
  {
    who: 'Kept answers to repeated requests, every minute',
    instead: 'the index of their end finds 200 at a time; deleted store by store',
    statements: [/^select .* from "idempotent_requests" where "expires_at"/],
    work: ({ engine }) => forgetAnswers(engine),
  },
  {
    who: 'Categories that are being removed, every minute',
    instead: 'reads at most 100 removals under way; finished store by store',
    statements: [/^select .* from "category_removals" limit/],
    work: ({ engine }) => finishRemovals(engine),
  },
  {
    who: 'Imports that a process has left, every 10 seconds',
    instead: 'the index of imports that run finds them; continued store by store',
    statements: [/^select .* from "imports" where "status"/],
    work: ({ engine }) => continueImports(engine),
  },
  {
    who: 'Counts that a process has left, every minute',
    instead: 'asks which stores have changes that are not folded, at most 1,000; folded store by store',
    statements: [/^select distinct store_id from list_count_changes/],
    work: async ({ engine }) => engine.storage.counts.foldAll?.(),
  },
  {
    who: 'Orders that expire, replaced secrets, old events, deliveries and notifications',
    instead: 'nothing: they go from store to store',
    statements: [],
    work: async ({ engine }) => {
      await expirePendingOrders(engine, day);
      await forgetReplacedSecrets(engine);
      await forgetOldDeliveries(engine);
      await forgetOldPayloads(engine);
    },
  },
  {
    who: 'Metrics, when they are asked for',
    instead: 'counts the index of waiting deliveries, and asks each server for its size',
    statements: [/^select count\(\*\) as "waiting"/],
    work: ({ engine }) => deliveryBacklog(engine),
  },
];

describe('what asks for rows of more than one store', () => {
  it('is this and nothing else; all that it writes is written in one store', async () => {
    await withCommerce(async (commerce, client, advance) => {
      const stores = new Set((await statementsOfRoutes(commerce)).map(({ storeId }) => storeId));
      const shop = await newShop(commerce);
      await createWebhook(shop, { url: 'http://127.0.0.1:9/', events: ['product.*'] });
      await newProduct(shop);
      for (const [i, { who, statements, work }] of exceptions.entries()) {
        if (i === 2) advance(400 * day);
        const made = await statementsOf(() => work(commerce));
        for (const { id } of await commerce.engine.storage.reads.selectFrom('stores').select('id').execute())
          stores.add(id);
        const faults = (await faultsOf(client, made, stores)).map(({ text }) => text);
        const others = faults.filter((text) => !statements.some((one) => one.test(text)));
        expect([who, others]).toEqual([who, []]);
        expect([who, statements.filter((one) => !made.some(({ text }) => one.test(text)))]).toEqual([who, []]);
        expect(faults.filter((text) => !text.startsWith('select'))).toEqual([]);
      }
    });
  });

  it('is in the documentation, line by line', () => {
    const documented = readFileSync(new URL('../docs/sharding.md', import.meta.url), 'utf8');
    const lines = documented.split('\n').filter((line) => line.startsWith('| '));
    for (const { who, instead } of exceptions) expect(lines).toContain(`| ${who} | ${instead} |`);
  });
});
