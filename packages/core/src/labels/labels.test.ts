import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { type Statement, statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import {
  anonymiseCustomer,
  CommerceError,
  type Context,
  type Customer,
  createCheckout,
  createCustomer,
  createOrder,
  createProduct,
  deleteCustomer,
  deleteProduct,
  eraseOrder,
  exportText,
  getProductAttributes,
  importFile,
  listCustomers,
  listOrders,
  listProducts,
  type Order,
  type Product,
  updateCustomer,
  updateOrder,
  updateProduct,
} from '../index.ts';
import { maxMetadataFilters } from '../kernel/limits.ts';
import { writing } from '../storage/run.ts';

const values = ['a', 'b', '', 'x'.repeat(100), 'x'.repeat(101), `${'x'.repeat(101)}y`, 'a\nb'];
const keys = ['k', 'erp.id', 'K'];
const metadata = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), { maxKeys: 3 });
const tags = fc.uniqueArray(fc.constantFrom('vip', 'wholesale', 'a'), { maxLength: 3 });
const labels = fc.record({ metadata, tags }, { requiredKeys: [] });

const things = ['product', 'customer', 'order'] as const;
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('create' as const), thing: fc.constantFrom(...things), labels }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      thing: fc.constantFrom(...things),
      which: fc.nat(),
      labels,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delete' as const), thing: fc.constantFrom(...things), which: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('anonymise' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('checkout' as const), labels }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      thing: fc.constantFrom('product' as const, 'customer' as const),
      rows: fc.array(fc.record({ name: fc.constantFrom('one', 'two', 'three', 'four'), metadata }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const filter = fc.record({
  metadata: fc.dictionary(fc.constantFrom(...keys, 'none'), fc.constantFrom(...values), { maxKeys: 2 }),
  tag: fc.constantFrom(undefined, 'vip', 'none'),
  limit: fc.constantFrom(2, 200),
  offset: fc.constantFrom(0, 1),
});

interface Having {
  id: string;
  metadata: Record<string, string>;
  tags?: string[];
}

/** What a scan of all items says about the filters. */
function has(item: Having, wanted: { metadata: Record<string, string>; tag: string | undefined }): boolean {
  const all = Object.entries(wanted.metadata).every(([key, value]) => item.metadata[key] === value);
  return all && (wanted.tag === undefined || item.tags?.includes(wanted.tag) === true);
}

forEachStorage('labels', (database, dialect) => {
  const { openShop, commerce } = useSelling(database);

  async function perform(shop: Context, input: Parameters<typeof createCheckout>[1], ids: Ids, one: Step) {
    const pick = (thing: (typeof things)[number], which: number) =>
      ids[thing][which % Math.max(1, ids[thing].length)] ?? '';
    switch (one.do) {
      case 'create': {
        const { tags: given, ...rest } = one.labels;
        if (one.thing === 'product') ids.product.push((await newProduct(shop, rest)).id);
        else if (one.thing === 'customer') {
          const email = `c${ids.customer.length}@shop.test`;
          ids.customer.push((await createCustomer(shop, { email, ...rest, ...(given && { tags: given }) })).id);
        } else {
          const customerId = ids.customer.at(-1) ?? null;
          const items = input.items as { productId: string; quantity: number }[];
          ids.order.push((await createOrder(shop, { customerId, items, ...one.labels })).id);
        }
        return;
      }
      case 'update': {
        const id = pick(one.thing, one.which);
        if (one.thing === 'product')
          await updateProduct(shop, id, { ...(one.labels.metadata && { metadata: one.labels.metadata }) });
        else if (one.thing === 'customer') await updateCustomer(shop, id, one.labels);
        else await updateOrder(shop, id, one.labels);
        return;
      }
      case 'delete': {
        const id = pick(one.thing, one.which);
        if (one.thing === 'product') await deleteProduct(shop, id);
        else if (one.thing === 'customer') await deleteCustomer(shop, id);
        else await eraseOrder(shop, id);
        return;
      }
      case 'anonymise':
        await anonymiseCustomer(shop, pick('customer', one.which));
        return;
      case 'checkout':
        await createCheckout(shop, { ...input, ...(one.labels.metadata && { metadata: one.labels.metadata }) });
        return;
      case 'import': {
        const rows = one.rows.map(({ name, metadata: given }) =>
          one.thing === 'product'
            ? { slug: name, title: name, price: '1.00', metadata: given }
            : { email: `${name}@shop.test`, metadata: given, tags: ['a'] },
        );
        async function* open() {
          yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
        }
        await importFile(shop, one.thing === 'product' ? 'products' : 'customers', { open });
      }
    }
  }

  type Ids = Record<(typeof things)[number], string[]>;
  type List = (query: object) => Promise<{ items: readonly unknown[]; total: number }>;

  async function expectAnswers(shop: Context, wanted: typeof filter extends fc.Arbitrary<infer T> ? T : never) {
    const lists: [List, boolean][] = [
      [(query) => listProducts(shop, query), false],
      [(query) => listCustomers(shop, query), true],
      [(query) => listOrders(shop, query), true],
    ];
    for (const [list, hasTags] of lists) {
      const { tag, ...rest } = wanted;
      const asked = { ...rest, ...(hasTags && tag !== undefined && { tag }) };
      const all = (await list({ limit: 200 })).items as Having[];
      const matches = all.filter((item) => has(item, { metadata: wanted.metadata, tag: hasTags ? tag : undefined }));
      expect(await list(asked)).toEqual({
        items: matches.slice(wanted.offset, wanted.offset + wanted.limit),
        total: matches.length,
      });
    }
  }

  async function rows() {
    const { db } = commerce().engine.storage;
    return db.selectFrom('labels').selectAll().execute();
  }

  it('are what a scan of the items finds, whatever was written in whatever way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 14 }),
        fc.array(filter, { minLength: 3, maxLength: 3 }),
        async (steps, filters) => {
          const { shop, input } = await openShop();
          const ids: Ids = { product: [], customer: [], order: [] };
          for (const one of steps) {
            await perform(shop, input(), ids, one).catch((error) => {
              // Such as a customer with orders, which cannot be deleted.
              if (!(error instanceof CommerceError)) throw error;
            });
          }
          for (const one of filters) await expectAnswers(shop, one);
          const kept = (await rows()).filter((row) => row.store_id === shop.store.id);
          const items = [
            ...(await listProducts(shop, { limit: 200 })).items,
            ...(await listCustomers(shop, { limit: 200 })).items,
            ...(await listOrders(shop, { limit: 200 })).items,
          ] as Having[];
          const wanted = items.flatMap((item) => [
            ...Object.keys(item.metadata).map((key) => `${item.id} meta.${key}`),
            ...(item.tags ?? []).map((tag) => `${item.id} tag ${tag}`),
          ]);
          const named = kept.map(
            ({ item_id, label, value }) => `${item_id} ${label}${label === 'tag' ? ` ${value}` : ''}`,
          );
          expect(named.sort()).toEqual(wanted.sort());
        },
      ),
      { numRuns: 12 },
    );
  });

  it('combine with every other filter, order and page', async () => {
    const { shop } = await openShop();
    const product = await newProduct(shop, { price: '10' });
    const customers: Customer[] = [];
    const orders: Order[] = [];
    const products: Product[] = [];
    for (let i = 0; i < 24; i++) {
      const own = { metadata: { lot: String(i % 2), 'erp.id': String(i) } };
      customers.push(
        await createCustomer(shop, {
          email: `c${i}@shop.test`,
          name: `N${(i * 7) % 24}`,
          tags: i % 3 ? ['vip'] : [],
          ...own,
        }),
      );
      products.push(
        await newProduct(shop, {
          title: `T${(i * 7) % 24}`,
          status: i % 4 ? 'published' : 'draft',
          attributes: { color: i % 3 ? 'red' : 'blue' },
          ...own,
        }),
      );
      const order = await createOrder(shop, {
        items: [{ productId: product.id, quantity: 1 + ((i * 5) % 24) }],
        tags: i % 3 ? ['rush'] : [],
        customerId: (customers[i % 5] as Customer).id,
        ...own,
      });
      orders.push(i % 4 ? order : await updateOrder(shop, order.id, { status: 'cancelled' }));
    }
    const newest = <T>(all: readonly T[], keep: (one: T, i: number) => boolean) => all.filter(keep).toReversed();
    const odd = (_: unknown, i: number) => i % 2 === 1;
    const lot = { metadata: { lot: '1' } };
    // Products: with attributes, a status, a search, sorts, groups of facets, and a cursor.
    expect(await listProducts(shop, lot)).toEqual({ items: newest(products, odd), total: 12 });
    const red = newest(
      products,
      (one, i) => odd(one, i) && one.attributes.color === 'red' && one.status === 'published',
    );
    expect(await listProducts(shop, { ...lot, attributes: { color: 'red' }, status: 'published' })).toEqual({
      items: red,
      total: red.length,
    });
    expect((await listProducts(shop, { ...lot, search: 'T7' })).items).toEqual(
      newest(products, (one) => one.title === 'T7'),
    );
    const byTitle = newest(products, odd).sort((a, b) => (a.title < b.title ? -1 : 1));
    expect((await listProducts(shop, { ...lot, sort: 'title', limit: 5, offset: 3 })).items).toEqual(
      byTitle.slice(3, 8),
    );
    const after = newest(products, odd)[4] as Product;
    expect((await listProducts(shop, { ...lot, after: after.id, limit: 3 })).items).toEqual(
      newest(products, odd).slice(5, 8),
    );
    const counted = await listProducts(shop, { ...lot, facets: 'color' });
    expect(counted.facets?.attributes).toEqual({
      color: [
        { value: 'red', count: 8 },
        { value: 'blue', count: 4 },
      ],
    });
    // Customers: with a search, an e-mail, sorts and a cursor.
    const vips = (one: Customer, i: number) => i % 2 === 1 && one.tags.includes('vip');
    expect(await listCustomers(shop, { ...lot, tag: 'vip' })).toEqual({ items: newest(customers, vips), total: 8 });
    for (const sort of ['name', '-name', 'oldest', 'spent'] as const) {
      const all = await listCustomers(shop, { limit: 200, sort });
      const found = all.items.filter((one) => one.metadata.lot === '1' && one.tags.includes('vip'));
      expect(await listCustomers(shop, { ...lot, tag: 'vip', sort, limit: 3, offset: 2 })).toEqual({
        items: found.slice(2, 5),
        total: 8,
      });
      const { items } = await listCustomers(shop, { ...lot, tag: 'vip', sort, limit: 3, after: found[1]?.id });
      expect(items).toEqual(found.slice(2, 5));
    }
    expect((await listCustomers(shop, { ...lot, email: 'C1@shop.test' })).items).toEqual([customers[1]]);
    expect((await listCustomers(shop, { ...lot, email: 'c2@shop.test' })).total).toBe(0);
    expect((await listCustomers(shop, { ...lot, search: 'c23@' })).items).toEqual([customers[23]]);
    // Orders: with statuses, a customer, a number, a search, a range of time and sorts.
    const { items: all } = await listOrders(shop, { limit: 200 });
    const lots = all.filter((one) => one.metadata.lot === '1');
    expect(await listOrders(shop, { ...lot, sort: 'newest' })).toEqual({ items: lots, total: 12 });
    expect((await listOrders(shop, { metadata: { lot: '0' }, tag: 'rush', status: 'cancelled' })).items).toEqual(
      all.filter((one) => one.metadata.lot === '0' && one.tags.includes('rush') && one.status === 'cancelled'),
    );
    for (const query of [
      { customerId: customers[1]?.id },
      { orderNumber: orders[3]?.orderNumber },
      { search: orders[5]?.orderNumber },
      { paymentStatus: 'pending' as const },
      { from: '2026-01-01', until: '2026-12-31' },
      { to: '2026-01-01' },
      { toShip: true },
      { toRefund: true },
      { unpaidOffline: true },
      { sort: 'oldest' as const },
      { sort: 'total' as const },
      { sort: '-total' as const, status: 'pending' as const },
    ]) {
      const unlabelled = (await listOrders(shop, { ...query, limit: 200 })).items;
      const found = unlabelled.filter((one) => one.metadata.lot === '1' && one.tags.includes('rush'));
      expect(await listOrders(shop, { ...query, ...lot, tag: 'rush', limit: 4, offset: 1 })).toEqual({
        items: found.slice(1, 5),
        total: found.length,
      });
    }
    // Files have the same orders and customers as the lists.
    for (const [resource, n] of [
      ['orders', 8],
      ['customers', 8],
      ['products', 12],
    ] as const) {
      const tag = resource === 'orders' ? { tag: 'rush' } : resource === 'customers' ? { tag: 'vip' } : {};
      let text = '';
      for await (const part of exportText(shop, resource, { format: 'jsonl', filters: { ...lot, ...tag } }))
        text += part.text;
      expect(text.trim().split('\n')).toHaveLength(n);
    }
  });

  it('are asked for by a few keys at once, with the names of keys, and by secret keys alone', async () => {
    const shop = await newShop(commerce());
    await newProduct(shop, { metadata: { secret: 'a' }, attributes: { color: 'red' } });
    const query = (names: readonly string[]) => Object.fromEntries(names.map((name) => [`metadata.${name}`, 'a']));
    const lists = [listProducts, listCustomers, listOrders] as ((
      ctx: Context,
      query: object,
    ) => Promise<{ total: number }>)[];
    for (const list of lists) {
      const some = Array.from({ length: maxMetadataFilters + 1 }, (_, i) => `k${i}`);
      expect((await list(shop, query(some.slice(1)))).total).toBe(0);
      await expect(list(shop, query(some))).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'metadata', code: 'TOO_MANY', reason: expect.stringContaining(String(maxMetadataFilters)) }],
      });
      for (const name of ['a b', '', 'k'.repeat(41), '__proto__']) {
        const refused = await list(shop, query([name])).catch((error) => error);
        expect(refused).toMatchObject({ kind: 'validation' });
        expect(refused.message).toContain(name === '__proto__' ? name : `metadata.${name}`);
      }
      await expect(list(shop, { 'metadata.k': ['a', 'b'] })).rejects.toMatchObject({ kind: 'validation' });
      await expect(list(shop, { 'metadata.k': 'x'.repeat(501) })).rejects.toMatchObject({ kind: 'validation' });
    }
    const buyer = await commerce().store(shop.store.id, { type: 'apiKey', id: 'x', isPublic: true } as never);
    await expect(listProducts(buyer, query(['secret']) as never)).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: 'metadata', reason: expect.stringContaining('storefront') }],
    });
    for (const seen of [shop, buyer]) {
      expect(await getProductAttributes(seen)).toEqual({ keys: ['color'], values: { color: ['red'] } });
      const { facets } = await listProducts(seen, { facets: 'color,secret,meta.secret' });
      expect(facets?.attributes).toEqual({ color: [{ value: 'red', count: 1 }], secret: [], 'meta.secret': [] });
    }
    expect((await listProducts(shop, { attributes: { secret: 'a' } })).total).toBe(0);
  });

  it('cost nothing for an item without any, and only what changed for one with many', async () => {
    const shop = await newShop(commerce());
    const own = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, String(i)]));
    const touching = async (work: () => Promise<unknown>) =>
      (await statementsOf(work)).filter(({ text }) => /(into|from|update) "?labels/.test(text));
    let plain = '';
    let full = '';
    expect(await touching(async () => (plain = (await newProduct(shop)).id))).toEqual([]);
    expect(await touching(() => updateProduct(shop, plain, { title: 'Other' }))).toEqual([]);
    expect(await touching(async () => (full = (await newProduct(shop, { metadata: own })).id))).toHaveLength(1);
    expect(await touching(() => updateProduct(shop, full, { title: 'Other', metadata: own }))).toEqual([]);
    expect(await touching(() => updateProduct(shop, full, { metadata: { ...own, k1: 'other' } }))).toHaveLength(2);
    expect(await touching(() => deleteProduct(shop, plain))).toEqual([]);
  });

  it('lead to a page of many items in the order of time, without sorting them', async () => {
    const { shop } = await openShop();
    const { db } = shop.engine.storage;
    const { id: productId } = await newProduct(shop);
    const one = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    const customer = await createCustomer(shop, { email: 'a@shop.test' });
    const item = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1' });
    // More than the thread that serves reads.
    const many = 3000;
    const store_id = shop.store.id;
    const idOf = (i: number) => `0190a5c8-0000-7000-8000-${String(i).padStart(12, '0')}`;
    const copies = {
      products: { id: item.id, list: 'products.status', value: 'draft' },
      customers: { id: customer.id, list: 'customers', value: '' },
      orders: { id: one.id, list: 'orders.status', value: 'pending pending' },
    } as const;
    await writing(shop.engine.storage, async (tx) => {
      for (const [name, { id, list, value }] of Object.entries(copies)) {
        // All of them have the columns; the type checker is shown only one of them.
        const table = name as 'orders';
        const row = await tx.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow();
        for (let from = 0; from < many; from += 100) {
          const some = Array.from({ length: 100 }, (_, k) => from + k);
          const copyOf = (i: number) => ({
            ...{ ...row, id: idOf(i), created_at: i },
            ...(name === 'customers' ? { email: `${i}` } : { number: 9999 + i }),
            ...(name === 'products' && { slug: `s-${i}` }),
          });
          await tx.insertInto(table).values(some.map(copyOf)).execute();
          const labelsOf = (i: number) => {
            const label = { store_id, resource: table, made_at: i, item_id: idOf(i) };
            const lot = { ...label, label: 'meta.lot', value: i % 2 ? 'odd' : 'even' };
            return [lot, { ...label, label: 'meta.id', value: String(i) }];
          };
          await tx.insertInto('labels').values(some.flatMap(labelsOf)).execute();
        }
        await shop.engine.storage.counts.add(tx, store_id, [{ list, value, n: many, isDroppedAtZero: false }]);
      }
    });
    const analyses =
      dialect === 'sqlite' ? ['analyze'] : ['labels', ...Object.keys(copies)].map((table) => `analyze ${table}`);
    for (const text of analyses) await writing(shop.engine.storage, (tx) => tx.executeQuery(CompiledQuery.raw(text)));
    const planOf = async ({ text, values: given }: Statement) => {
      const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain';
      const { rows: lines } = await db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...given]));
      return lines
        .map((line) =>
          dialect === 'sqlite' ? (line as { detail: string }).detail : Object.values(line as object).join(' '),
        )
        .join('\n');
    };
    const lists = [listProducts, listCustomers, listOrders] as ((
      ctx: Context,
      query: object,
    ) => Promise<{ total: number; items: unknown[] }>)[];
    for (const list of lists) {
      const asked: Statement[] = [];
      for (const query of [
        { 'metadata.id': '7' },
        { 'metadata.lot': 'odd' },
        { 'metadata.lot': 'odd', offset: 100 },
        { 'metadata.lot': 'odd', 'metadata.id': '7' },
      ]) {
        asked.push(
          ...(await statementsOf(async () => {
            const { total } = await list(shop, query);
            expect(total).toBe('metadata.id' in query ? 1 : many / 2);
          })),
        );
      }
      // Statements of scans run in another thread of SQLite, and are not seen here. Without the alias, the labels lead to the items; up to
      // 20,000 products are all read and remembered.
      const reading = asked.filter(({ text }) => /from "labels"(?! as also)/.test(text));
      expect(reading.length).toBeGreaterThan(3);
      for (const statement of reading) {
        const plan = await planOf(statement);
        expect(plan).toMatch(dialect === 'sqlite' ? /(labels|also) USING (COVERING INDEX|PRIMARY KEY)/ : /labels_pkey/);
        expect(plan).not.toMatch(/SCAN (labels|products|customers|orders)\b|Seq Scan/);
      }
    }
  });
});
