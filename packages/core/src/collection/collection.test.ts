import { auditOf, emittedBy, eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createCustomer,
  createDiscount,
  createPage,
  createProduct,
  createWebhook,
  deleteCategory,
  deleteCustomer,
  deleteDiscount,
  deletePage,
  deleteProduct,
  deleteWebhook,
  getCategory,
  getCustomer,
  getDiscount,
  getPage,
  getProduct,
  getWebhook,
  type List,
  listCategories,
  listCustomers,
  listDiscounts,
  listPages,
  listProducts,
  listWebhooks,
  updateCategory,
  updateCustomer,
  updateDiscount,
  updatePage,
  updateProduct,
  updateWebhook,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

// The rules of every resource; those of one resource are in its folder.

interface Item {
  id: string;
  storeId: string;
  createdAt: string;
  updatedAt: string;
}

/** The operations of a resource, and what to call them with. Inputs are `never` so that any operation fits. */
interface Resource {
  create(shop: Context, input: never): Promise<Item>;
  update(shop: Context, id: string, changes: never): Promise<Item>;
  remove(shop: Context, id: string): Promise<void>;
  get(shop: Context, id: string): Promise<Item>;
  list(shop: Context, query?: never): Promise<List<Item>>;
  /** An input, another one for each number. */
  input(n: number): object;
  changes: object;
  /** Unknown fields are refused, because ignoring one could cost money. */
  isStrict?: true;
  /** What its last event states, beside what it was; undefined if it has no events. */
  last?: object;
}

const text = { seoTitle: 'Tea', seoDescription: 'About tea', status: 'published' };
const resources: Record<string, Resource> = {
  product: {
    ...{ create: createProduct, update: updateProduct, remove: deleteProduct, get: getProduct, list: listProducts },
    input: (n) => ({ ...text, title: 'Mug', slug: `mug-${n}`, price: '10.00', attributes: { a: '1' }, stock: 7 }),
    changes: { title: 'Cup', attributes: { b: '2' } },
    last: { status: 'deleted' },
  },
  category: {
    ...{ create: createCategory, update: updateCategory, remove: deleteCategory },
    ...{ get: getCategory, list: listCategories },
    input: (n) => ({ ...text, name: 'Tea', slug: `tea-${n}`, description: 'Green' }),
    changes: { name: 'Cups', description: null },
    last: { status: 'deleted' },
  },
  page: {
    ...{ create: createPage, update: updatePage, remove: deletePage, get: getPage, list: listPages },
    input: (n) => ({ ...text, title: 'Imprint', slug: `imprint-${n}`, content: '<p>' }),
    changes: { title: 'About', content: null },
    last: { status: 'deleted' },
  },
  customer: {
    ...{ create: createCustomer, update: updateCustomer, remove: deleteCustomer },
    ...{ get: getCustomer, list: listCustomers },
    input: (n) => ({ email: `Ada-${n}@example.org`, name: 'Ada', phone: '+44 1', marketingOptIn: true }),
    changes: { name: null, marketingOptIn: false },
    last: {},
  },
  discount: {
    ...{ create: createDiscount, update: updateDiscount, remove: deleteDiscount },
    ...{ get: getDiscount, list: listDiscounts },
    input: (n) => ({ code: `CODE${n}`, type: 'percent', value: '10', usageLimit: 3 }),
    changes: { value: '15', usageLimit: null },
    isStrict: true,
  },
  webhook: {
    ...{ create: createWebhook, update: updateWebhook, remove: deleteWebhook, get: getWebhook, list: listWebhooks },
    input: (n) => ({ url: `https://example.com/${n}`, events: ['order.paid'] }),
    changes: { events: ['page.created'], isActive: false },
  },
};

forEachStorage('each resource', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const now = () => new Date(clock.now()).toISOString();

  describe.each(Object.entries(resources))(
    '%s',
    (noun, { create, update, remove, get, list, input, changes, last, isStrict }) => {
      const make = (shop: Context, n = 1) => create(shop, input(n) as never);
      const emitted = (name: string) => (last ? [`${noun}.${name}`] : []);
      const entryOf = async (shop: Context) => (await auditOf(shop)).at(-1);

      it('is made as given, and answered by its id and in the list; with one event and one entry', async () => {
        const shop = await newShop(commerce());
        const made = await make(shop);
        expect(made).toMatchObject({ ...input(1), storeId: shop.store.id, createdAt: now(), updatedAt: now() });
        expect(await get(shop, made.id)).toEqual(made);
        expect(await list(shop)).toEqual({ items: [made], total: 1 });
        expect((await eventsOf(shop)).map(({ id: _, ...event }) => event)).toEqual(
          last ? [{ type: `${noun}.created`, resourceId: made.id, data: made }] : [],
        );
        const entry = { action: `${noun}.created`, resource_type: noun, resource_id: made.id, actor_type: 'embedder' };
        expect((await auditOf(shop)).slice(1)).toMatchObject([entry]);
      });

      it('is changed as given, and keeps what is absent; the entry has both values', async () => {
        const shop = await newShop(commerce());
        const before = await make(shop);
        clock.advance(1000);
        const types = await emittedBy(shop, async () => {
          const after = await update(shop, before.id, changes as never);
          expect(after).toEqual({ ...before, ...changes, updatedAt: now() });
          expect(await get(shop, before.id)).toEqual(after);
          if (last) expect((await eventsOf(shop)).at(-1)).toMatchObject({ resourceId: before.id, data: after });
        });
        expect(types).toEqual(emitted('updated'));
        const entry = await entryOf(shop);
        expect(entry).toMatchObject({ action: `${noun}.updated`, resource_type: noun, resource_id: before.id });
        expect(JSON.parse(entry?.changes ?? '')).toEqual(
          Object.fromEntries(
            Object.entries(changes).map(([field, to]) => [field, { from: before[field as keyof Item], to }]),
          ),
        );
      });

      it('is not touched by a change that changes nothing: no event, no entry, the old time', async () => {
        const shop = await newShop(commerce());
        const before = await make(shop);
        const entries = (await auditOf(shop)).length;
        clock.advance(1000);
        const [field = ''] = Object.keys(changes);
        const types = await emittedBy(shop, async () => {
          for (const same of [{}, input(1), before, { [field]: undefined }, ...(isStrict ? [] : [{ unknown: 1 }])]) {
            expect(await update(shop, before.id, same as never)).toEqual(before);
          }
        });
        expect(types).toEqual([]);
        expect(await auditOf(shop)).toHaveLength(entries);
        expect(await get(shop, before.id)).toEqual(before);
      });

      it('ignores fields that the server owns and fields that no client knows', async () => {
        const shop = await newShop(commerce());
        const forged = {
          id: '0190a5c8-0000-7000-8000-000000000001',
          storeId: '0190a5c8-0000-7000-8000-000000000002',
          createdAt: '1999-01-01T00:00:00.000Z',
          updatedAt: '1999-01-01T00:00:00.000Z',
          ...(!isStrict && { publishedAt: '1999-01-01T00:00:00.000Z', used: 7, color: 'blue' }),
          __proto__: { admin: true },
        };
        const made = await create(shop, { ...input(1), ...forged } as never);
        expect(made).toMatchObject({ storeId: shop.store.id, createdAt: now(), updatedAt: now() });
        for (const value of [forged.id, forged.storeId, forged.createdAt]) {
          expect(JSON.stringify(made)).not.toContain(value);
        }
        expect(made).not.toHaveProperty('color');
        expect(await update(shop, made.id, forged as never)).toEqual(made);
        if (!isStrict) return;
        const unknown = { color: 'blue' };
        for (const work of [
          () => create(shop, { ...input(2), ...unknown } as never),
          () => update(shop, made.id, unknown as never),
        ]) {
          await expectDenied(commerce(), work, invalid('color'));
        }
      });

      it.each([[undefined], [null], ['x'], [7], [[]]])('is not read from %j', async (wrong) => {
        const shop = await newShop(commerce());
        const { id } = await make(shop);
        await expectDenied(commerce(), () => create(shop, wrong as never), invalid('body'));
        await expectDenied(commerce(), () => update(shop, id, wrong as never), invalid('body'));
      });

      it('is in no answer when it is deleted; the event carries the last state', async () => {
        const shop = await newShop(commerce());
        const before = await make(shop);
        clock.advance(1000);
        expect(await emittedBy(shop, () => remove(shop, before.id))).toEqual(emitted('deleted'));
        const state = { ...before, ...last, ...(last && 'status' in last && { updatedAt: now() }) };
        if (last) expect((await eventsOf(shop)).at(-1)).toMatchObject({ resourceId: before.id, data: state });
        expect(await entryOf(shop)).toMatchObject({ action: `${noun}.deleted`, resource_id: before.id });
        expect(await list(shop)).toEqual({ items: [], total: 0 });
      });

      it('is found by no id but its own, in its own store, and nothing is done to it', async () => {
        const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
        const gone = await make(shop);
        await remove(shop, gone.id);
        const { id } = await make(shop, 2);
        const wrongIds: [Context, string][] = [
          ...['', ' ', '\0', 'x', '../x', "' or '1'='1", '0190a5c8-0000-7000-8000-000000000000', 'x'.repeat(100_000)],
          ...[gone.id, id.toUpperCase(), id.replaceAll('-', ''), ` ${id}`],
        ].map((wrong) => [shop, wrong]);
        for (const [ctx, wrong] of [...wrongIds, [other, id] as const]) {
          await expectDenied(commerce(), () => get(ctx, wrong), { kind: 'notFound' });
          await expectDenied(commerce(), () => update(ctx, wrong, changes as never), { kind: 'notFound' });
          await expectDenied(commerce(), () => update(ctx, wrong, {} as never), { kind: 'notFound' });
          await expectDenied(commerce(), () => remove(ctx, wrong), { kind: 'notFound' });
        }
      });

      it('is listed newest first, in windows, with an exact total', async () => {
        const shop = await newShop(commerce());
        const made: Item[] = [];
        for (let n = 0; n < 5; n++) made.unshift(await make(shop, n));
        for (const [limit, offset] of [
          [200, 0],
          [2, 1],
          [1, 4],
          [1, Number.MAX_SAFE_INTEGER],
        ] as const) {
          const answer = { items: made.slice(offset, offset + limit), total: 5 };
          expect(await list(shop, { limit, offset } as never)).toEqual(answer);
        }
        for (const [field, wrong] of [
          ...[0, 201, '1.5', '', null, '1e2'].map((limit) => ['limit', limit] as const),
          ...[-1, '99999999999999999999'].map((offset) => ['offset', offset] as const),
        ]) {
          const refusal = { kind: 'validation', details: [{ field }] };
          await expect(list(shop, { [field]: wrong } as never)).rejects.toMatchObject(refusal);
        }
      });
    },
  );
});
