import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Context,
  createCustomer,
  createOrder,
  eraseOrder,
  listOrders,
  type Order,
  type OrderQueryInput,
  recordPayment,
  updateCustomer,
  updateOrder,
  updateSettings,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { fakeClock } from '../testing/index.ts';
import type { OrderSort } from './inputs.ts';
import { orderSearchText, orderSearchWords } from './search.ts';

forEachStorage('the search for orders', (database, dialect) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;

  const order = (input: Partial<Parameters<typeof createOrder>[1]>, where = shop) =>
    createOrder(where, { items: [{ sku: 'MUG', quantity: 1 }], ...input });
  const numbers = async (query: OrderQueryInput, where = shop) => {
    const { items, total } = await listOrders(where, query);
    return [total, ...items.map(({ orderNumber }) => Number(orderNumber.slice(4)))];
  };

  beforeAll(async () => {
    shop = await newShop(commerce());
    await newProduct(shop, { sku: 'MUG', price: '10' });
    const ada = await createCustomer(shop, { email: 'Ada@Example.org', name: 'Ada  Lovelace' });
    clock.advance(Date.parse('2026-11-01T23:30:00Z') - clock.now());
    await order({ customerId: ada.id });
    clock.advance(60 * 60_000);
    await order({
      customer: { email: 'grace@navy.mil', name: 'Grace Hopper' },
      shippingAddress: { lastName: 'Ørsted' },
    });
    clock.advance(24 * 60 * 60_000);
    await order({ billingAddress: { firstName: 'Ada', lastName: 'Byron' } });
  });

  it.each<[string, number[]]>([
    ['ORD-1001', [1, 1001]],
    ['1002', [1, 1002]],
    ['ord-100', [3, 1003, 1002, 1001]],
    ['003', [1, 1003]],
    ['10', [3, 1003, 1002, 1001]],
    ['o', [3, 1003, 1002, 1001]],
    ['02', [0]],
    ['ada@example', [1, 1001]],
    ['EXAMPLE.ORG', [1, 1001]],
    ['lovelace', [1, 1001]],
    [' ada  love ', [1, 1001]],
    ['velac', [1, 1001]],
    ['ada', [2, 1003, 1001]],
    ['ad', [2, 1003, 1001]],
    ['lo', [1, 1001]],
    ['ve', [0]],
    ['øRS', [1, 1002]],
    ['øy', [0]],
    ['love ada', [1, 1001]],
    ['"love ada"', [0]],
    ['by', [1, 1003]],
    ['hopper@', [0]],
    // No term reaches from one part into the next, whatever it contains.
    ['1001ada', [0]],
    ['1001\u001f\u001fada', [0]],
    ['%', [0]],
    ['1_01', [0]],
    ['"', [0]],
    ['aaaaaaaa', [0]],
  ])('finds %j: %j (the total first)', async (search, expected) => {
    expect(await numbers({ search })).toEqual(expected);
  });

  it('finds everything where nothing is searched for', async () => {
    expect(await numbers({ search: '' })).toEqual([3, 1003, 1002, 1001]);
    expect(await numbers({ search: '  ' })).toEqual([3, 1003, 1002, 1001]);
  });

  it.each<[OrderQueryInput, number[]]>([
    [{ from: '2026-11-02' }, [2, 1003, 1002]],
    [{ to: '2026-11-02' }, [1, 1001]],
    [{ from: '2026-11-02', to: '2026-11-03' }, [1, 1002]],
    [{ until: '2026-11-01' }, [1, 1001]],
    [{ until: '2026-11-02' }, [2, 1002, 1001]],
    [{ from: '2026-11-02', until: '2026-11-02' }, [1, 1002]],
    [{ until: '2026-11-02T00:30:00Z' }, [2, 1002, 1001]],
    [{ until: '2026-11-02T00:29:59.999Z', sort: '-total' }, [1, 1001]],
    [{ sort: 'oldest', limit: 2 }, [3, 1001, 1002]],
    [{ sort: 'oldest', search: 'ada' }, [2, 1001, 1003]],
    [{ from: '2026-11-01T23:30:00Z', to: '2026-11-02T00:30:00Z' }, [1, 1001]],
    [{ from: '2026-11-02T01:30:00+01:00', search: 'ada' }, [1, 1003]],
    [{ from: '2026-11-02', status: 'pending', paymentStatus: 'pending', limit: 1 }, [2, 1003]],
    [{ from: '2026-11-02', status: 'paid' }, [0]],
    [{ search: 'ada', status: 'pending' }, [2, 1003, 1001]],
    [{ search: 'ada', status: 'paid' }, [0]],
    [{ search: 'ada', paymentStatus: 'pending', offset: 1 }, [2, 1001]],
    [{ search: 'ada', orderNumber: 'ORD-1003' }, [1, 1003]],
    [{ search: 'grace', orderNumber: 'ORD-1003' }, [0]],
  ])('combines %j with the other filters: %j', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
  });

  it('counts the days of the settings, also with a context from before they changed', async () => {
    await updateSettings(shop, { timeZone: 'Europe/Berlin' });
    expect(await numbers({ from: '2026-11-02', to: '2026-11-03' })).toEqual([2, 1002, 1001]);
    expect(await numbers({ from: '2026-11-02', until: '2026-11-02' })).toEqual([2, 1002, 1001]);
    expect(await numbers({ until: '2026-11-01' })).toEqual([0]);
    await updateSettings(shop, { timeZone: 'UTC' });
  });

  it.each<[OrderQueryInput, string]>([
    [{ from: 'yesterday' }, 'from: must be a date such as "2026-11-01" or a time'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'to: must be later than from'],
    [{ from: '2026-11-02', until: '2026-11-01' }, 'until: must be later than from'],
    [{ to: '2026-11-02', until: '2026-11-01' }, 'until: must be omitted if to is given'],
    [{ sort: 'number' as never }, 'sort: must be one of newest, oldest, total, -total, not "number"'],
    [{ search: 'x'.repeat(201) }, 'search: must be a text of at most 200 characters'],
  ])('refuses %j', async (query, message) => {
    await expect(listOrders(shop, query)).rejects.toThrow(message);
  });

  it('finds the orders of its store alone', async () => {
    const other = await newShop(commerce());
    await newProduct(other, { sku: 'MUG' });
    await order({ customer: { email: 'ada@other.example' } }, other);
    expect(await numbers({ search: 'ada' }, other)).toEqual([1, 1001]);
    expect(await numbers({ search: 'other.example' })).toEqual([0]);
  });

  it('finds an order by the name that its buyer had then, until they are anonymised', async () => {
    const mine = await newShop(commerce());
    await newProduct(mine, { sku: 'MUG' });
    const made = await order(
      { customer: { email: 'zuse@z3.example', name: 'Konrad Zuse' }, shippingAddress: { lastName: 'Жщъ' } },
      mine,
    );
    const customerId = made.customerId ?? '';
    await updateCustomer(mine, customerId, { email: 'k@z4.example', name: 'K' });
    expect(await numbers({ search: 'zuse' }, mine)).toEqual([1, 1001]);
    // The index can store common parts of words only once; these letters are stored as they are.
    expect(await isKept('щъ')).toBe(true);
    await anonymiseCustomer(mine, customerId);
    expect(await numbers({ search: 'zuse' }, mine)).toEqual([0]);
    expect(await numbers({ search: 'konrad', customerId }, mine)).toEqual([0]);
    expect(await numbers({ search: '1001' }, mine)).toEqual([1, 1001]);
    expect(await isKept('щъ')).toBe(false);
    expect(await order({ customerId }, mine)).toMatchObject({ customerId });
    expect(await numbers({ search: 'zuse' }, mine)).toEqual([0]);
  });

  it('finds an order by its postal codes, companies, lines and tracking number', async () => {
    const mine = await newShop(commerce());
    await updateSettings(mine, { manualPayments: true });
    const own = await commerce().store(mine.store.id);
    await newProduct(own, { sku: 'TEA-7', title: 'Blue  Teapot', price: '10' });
    const { id, total } = await createOrder(own, {
      items: [{ sku: 'TEA-7', quantity: 1 }],
      shippingAddress: { postalCode: 'SW1Y 4JH' },
      billingAddress: { postalCode: '10117', company: 'Zuse KG' },
    });
    await recordPayment(own, id, { method: 'cash', amount: total });
    for (const search of ['sw1y 4', 'SW1Y4JH', '10117', '0117', 'zuse kg', 'tea-7', 'blue tea', 'pot', 'bl', 'zu']) {
      expect([search, ...(await numbers({ search }, own))]).toEqual([search, 1, 1001]);
    }
    // Only the beginning of a title is found by two characters.
    expect(await numbers({ search: 'po' }, own)).toEqual([0]);
    const track = (number: string | null) =>
      updateOrder(own, id, { status: 'fulfilled', tracking: number === null ? null : { number } });
    await track('00 34 0434');
    for (const search of ['0434', '00340', '00']) expect(await numbers({ search }, own)).toEqual([1, 1001]);
    await track('JD01');
    expect(await numbers({ search: '00340' }, own)).toEqual([0]);
    expect(await numbers({ search: 'jd01' }, own)).toEqual([1, 1001]);
    await track(null);
    expect(await numbers({ search: 'jd01' }, own)).toEqual([0]);
    expect(await numbers({ search: 'tea-7' }, own)).toEqual([1, 1001]);
  });

  it('has a text of limited length, whatever the lines', () => {
    const line = (i: number) => ({ skuSnapshot: `SKU-${i}`, titleSnapshot: `${i} ${'x'.repeat(250)}` });
    const items = Array.from({ length: 500 }, (_, i) => line(i)) as Order['items'];
    const tracking = { carrier: null, number: 'JD01', url: null };
    const shippedAt = '2026-11-21T09:00:00.000Z';
    const fulfilments = [{ id: '', lines: [], tracking, shippedAt, deliveredAt: null }];
    const text = orderSearchText(
      { orderNumber: 'ORD-1001', shippingAddress: null, billingAddress: null, items, fulfilments },
      { email: 'ada@example.org', name: 'Ada' },
    );
    expect(text.length).toBeLessThan(2100);
    for (const part of ['1001', 'ada@example.org', 'sku-0', 'sku-1', 'jd01']) expect(text).toContain(part);
  });

  it('forgets an order that is erased', async () => {
    const mine = await newShop(commerce());
    await newProduct(mine, { sku: 'MUG' });
    const { id } = await order(
      { customer: { email: 'hedy@lamarr.example' }, shippingAddress: { lastName: 'Бщэ' } },
      mine,
    );
    expect(await isKept('щэ')).toBe(true);
    await eraseOrder(mine, id);
    expect(await numbers({ search: 'lamarr' }, mine)).toEqual([0]);
    expect(await isKept('щэ')).toBe(false);
  });

  /** Whether the engine's index data contain the letters, deleted or not. */
  async function isKept(letters: string): Promise<boolean> {
    const { db } = commerce().engine.storage;
    const tables = dialect === 'sqlite' ? ['order_search_content', 'order_search_data'] : ['order_search'];
    for (const table of tables) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
      const values = rows.flatMap((row) => Object.values(row));
      if (values.some((value) => Buffer.from(value instanceof Buffer ? value : String(value)).includes(letters)))
        return true;
    }
    return false;
  }

  describe('among more orders than are looked at one by one', () => {
    let many: Context;
    let model: { number: number; status: string; search: string; createdAt: number; total: number }[];

    beforeAll(async () => {
      many = await newShop(commerce());
      await updateSettings(many, { manualPayments: true });
      many = await commerce().store(many.store.id);
      await newProduct(many, { sku: 'MUG' });
      const made: Order[] = [];
      for (let i = 0; i < 3; i++) made.push(await order({ customer: { email: 'template@shop.example' } }, many));
      await updateOrder(many, made[0]?.id ?? '', { status: 'cancelled' });
      await recordPayment(many, made[1]?.id ?? '', { method: 'cash', amount: '10' });
      const { storage } = many.engine;
      const base = clock.now();
      const people = ['ada@common.example', 'grace@common.example', 'rare@seldom.example'];
      await writing(storage, async (db) => {
        const rows = await db
          .selectFrom('orders')
          .selectAll()
          .where('store_id', '=', many.store.id)
          .orderBy('number')
          .execute();
        await db.deleteFrom('orders').where('store_id', '=', many.store.id).execute();
        model = [];
        const copies = Array.from({ length: 2400 }, (_, i) => {
          const like = rows[i % 3] as (typeof rows)[number];
          const number = 5001 + i;
          const email = people[i % 400 === 0 ? 2 : i % 2] ?? '';
          const search = orderSearchText(
            { orderNumber: `ORD-${number}`, shippingAddress: null, billingAddress: null, items: [], fulfilments: [] },
            { email, name: null },
          );
          const created_at = base + i * 60_000;
          const id = `0190a5c8-0000-7000-8000-${String(i).padStart(12, '0')}`;
          const json = JSON.stringify({ ...JSON.parse(like.json), id, orderNumber: `ORD-${number}` });
          const total = (i * 37) % 1000;
          model.push({ number, status: like.status, search, createdAt: created_at, total });
          return { ...like, id, number, search, created_at, json, total };
        });
        for (let i = 0; i < copies.length; i += 200) {
          await db
            .insertInto('orders')
            .values(copies.slice(i, i + 200))
            .execute();
        }
        const texts = model.map(({ number, search }) => ({ number, texts: [search] }));
        await storage.orderSearch.putNew(db, many.store, texts);
        const counts = [...rows.map(({ status, payment_status }) => `${status} ${payment_status}`)].map((value) => ({
          list: 'orders.status',
          value,
          n: 799,
          isDroppedAtZero: false,
        }));
        await storage.counts.add(db, many.store.id, counts);
      });
      clock.advance(2400 * 60_000);
    });

    const at = (minutes: number) => new Date((model[0]?.createdAt ?? 0) + minutes * 60_000).toISOString();

    it.each<[string, Omit<OrderQueryInput, 'from' | 'to'>, ([number, number] | [number])?]>([
      ['a common word', { search: 'common' }],
      ['a rare word', { search: 'seldom' }],
      ['a rare word, the second page', { search: 'seldom', limit: 2, offset: 2 }],
      ['a word far down', { search: 'common', limit: 3, offset: 2000 }],
      ['a word beyond the end', { search: 'common', offset: 5000 }],
      ['no order', { search: 'nobody' }],
      ['a beginning of two characters', { search: 'gr', limit: 5 }],
      ['a number', { search: '5123' }],
      ['a common word and a status', { search: 'ada@', status: 'paid', limit: 7 }],
      ['a rare word and a status', { search: 'rare', status: 'cancelled' }],
      ['a common word and both statuses', { search: 'common', status: 'paid', paymentStatus: 'succeeded', limit: 4 }],
      ['statuses that exclude each other', { search: 'common', status: 'pending', paymentStatus: 'succeeded' }],
      ['a common word in a time', { search: 'grace', limit: 9 }, [100, 2000]],
      ['a rare word in a time', { search: 'rare' }, [300, 1000]],
      ['a common word in a short time', { search: 'common' }, [2390]],
      ['a time alone', { limit: 3 }, [100, 2000]],
      ['a time and a status', { status: 'paid', limit: 3, offset: 100 }, [100]],
      ['a short time and a status', { status: 'paid' }, [100, 130]],
    ])('finds %s', async (_, query, span) => {
      const [from, to] = [span?.[0], span?.[1]];
      const times = { ...(from !== undefined && { from: at(from) }), ...(to !== undefined && { to: at(to) }) };
      const words = orderSearchWords(query.search);
      const expected = model
        .filter(({ search }) => words.every((word) => search.includes(word)))
        .filter(({ status }) => query.status === undefined || status === query.status)
        .filter(
          ({ status }) =>
            query.paymentStatus === undefined || (query.paymentStatus === 'succeeded') === (status === 'paid'),
        )
        .filter(({ createdAt }) => from === undefined || createdAt >= Date.parse(at(from)))
        .filter(({ createdAt }) => to === undefined || createdAt < Date.parse(at(to)))
        .reverse();
      const { limit = 50, offset = 0 } = query as { limit?: number; offset?: number };
      const orders = {
        newest: expected,
        oldest: expected.toReversed(),
        total: expected.toSorted((a, b) => a.total - b.total || a.number - b.number),
        '-total': expected.toSorted((a, b) => b.total - a.total || b.number - a.number),
      };
      for (const [sort, sorted] of Object.entries(orders)) {
        expect([sort, ...(await numbers({ ...query, ...times, sort: sort as OrderSort }, many))]).toEqual([
          sort,
          sorted.length,
          ...sorted.slice(offset, offset + limit).map(({ number }) => number),
        ]);
      }
    });
  });
});
