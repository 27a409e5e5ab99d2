import { newProduct, newShop, useCommerce, useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import { examine } from '../doctor/doctor.ts';
import {
  anonymiseCustomer,
  type Context,
  type CustomerQueryInput,
  createCustomer,
  createOrder,
  eraseOrder,
  getCustomer,
  listCustomers,
  type Order,
  refundOrder,
  updateCustomer,
  updateOrder,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('the figures of customers', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const twoProcesses = useTwoProcesses(database, { clock });

  async function openShop(currency = 'EUR') {
    const shop = await newShop(commerce(), currency);
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '50' });
    const order = (customer: object, quantity = 1) =>
      createOrder(shop, { items: [{ productId: product.id, quantity }], ...customer });
    return { shop, order };
  }

  const pay = (shop: Context, { id, total, currency }: Order) =>
    send(shop, payment(id, Number(total.replace('.', '')), currency).chargeSucceeded());

  async function figures(shop: Context, id: string) {
    const { orderCount, totalSpent, lastOrderAt } = await getCustomer(shop, id);
    return [orderCount, totalSpent, lastOrderAt && Date.parse(lastOrderAt)];
  }

  const wrong = async () =>
    (await examine(commerce().engine)).filter(({ check, status }) => check === 'customers' && status !== 'ok');

  it('follow payments, refunds, cancellations and erasures', async () => {
    const { shop, order } = await openShop();
    const { id, updatedAt } = await createCustomer(shop, { email: 'ada@example.org' });
    const first = await order({ customerId: id });
    expect(await figures(shop, id)).toEqual([0, '0.00', null]);
    clock.advance(1000);
    const at = clock.now();
    await pay(shop, first);
    expect(await figures(shop, id)).toEqual([1, '50.00', at]);
    expect((await getCustomer(shop, id)).updatedAt).toBe(updatedAt);
    clock.advance(1000);
    const second = await order({ customer: { email: 'Ada@Example.org' } }, 2);
    await pay(shop, second);
    expect(await figures(shop, id)).toEqual([2, '150.00', at + 1000]);
    await refundOrder(shop, second.id, { amount: '30.50' });
    expect(await figures(shop, id)).toEqual([2, '119.50', at + 1000]);
    await updateOrder(shop, second.id, { status: 'cancelled' });
    expect(await figures(shop, id)).toEqual([2, '119.50', at + 1000]);
    await refundOrder(shop, second.id, { amount: '69.50' });
    expect(await figures(shop, id)).toEqual([2, '50.00', at + 1000]);
    expect(await wrong()).toEqual([]);
    await eraseOrder(shop, second.id);
    expect(await figures(shop, id)).toEqual([1, '50.00', at]);
    await updateCustomer(shop, id, { name: 'Ada', totalSpent: '1000.00' } as object);
    await anonymiseCustomer(shop, id);
    expect(await figures(shop, id)).toEqual([1, '50.00', at]);
    expect(await wrong()).toEqual([]);
    await eraseOrder(shop, first.id);
    expect(await figures(shop, id)).toEqual([0, '0.00', null]);
  });

  it('count an order that costs nothing, and no order of a guest', async () => {
    const { shop, order } = await openShop('JPY');
    const { id } = await createCustomer(shop, { email: 'ada@example.org' });
    const free = await createOrder(shop, {
      items: [{ productId: (await newProduct(shop, { price: '0' })).id, quantity: 1 }],
      customerId: id,
    });
    expect(free.status).toBe('paid');
    await pay(shop, await order({}));
    expect(await figures(shop, id)).toEqual([1, '0', clock.now()]);
    expect(await wrong()).toEqual([]);
  });

  it('add up in one transaction of several operations', async () => {
    const { shop } = await openShop();
    const { id } = await createCustomer(shop, { email: 'ada@example.org' });
    const productId = (await newProduct(shop, { price: '0' })).id;
    const input = { items: [{ productId, quantity: 1 }], customerId: id };
    await commerce().transaction(shop, async (inside) => {
      await createOrder(inside, input);
      await updateCustomer(inside, id, { name: 'Ada' });
      const gone = await createOrder(inside, input);
      await eraseOrder(inside, gone.id);
      await createOrder(inside, input);
    });
    expect(await figures(shop, id)).toEqual([2, '0.00', clock.now()]);
    expect((await getCustomer(shop, id)).name).toBe('Ada');
    expect(await wrong()).toEqual([]);
  });

  it('are exact when the orders of a customer are paid at the same time in two processes', async () => {
    const { shop, order } = await openShop();
    const { id } = await createCustomer(shop, { email: 'ada@example.org' });
    const orders = await Promise.all(Array.from({ length: 12 }, () => order({ customerId: id })));
    const productId = (await newProduct(shop, { price: '0' })).id;
    const next = await twoProcesses(shop);
    await Promise.all([
      ...orders.map((made) => pay(next(), made)),
      ...Array.from({ length: 6 }, (_, i) => updateCustomer(next(), id, { phone: String(i) })),
      ...Array.from({ length: 6 }, () =>
        createOrder(next(), { items: [{ productId, quantity: 1 }], customer: { email: 'ada@example.org' } }),
      ),
    ]);
    expect((await figures(shop, id)).slice(0, 2)).toEqual([18, '600.00']);
    expect(await wrong()).toEqual([]);
  });

  it('are compared and corrected by the doctor', async () => {
    const { shop, order } = await openShop();
    const { id } = await createCustomer(shop, { email: 'ada@example.org' });
    await pay(shop, await order({ customerId: id }));
    const right = await getCustomer(shop, id);
    await writing(shop.engine.storage, (db) =>
      db
        .updateTable('customers')
        .set({ json: JSON.stringify({ ...right, orderCount: 7 }), total_spent: 3 })
        .where('store_id', '=', shop.store.id)
        .where('id', '=', id)
        .execute(),
    );
    expect(await wrong()).toMatchObject([{ status: 'problem' }]);
    const [repaired] = (await examine(commerce().engine, { repair: true })).filter(
      ({ check }) => check === 'customers',
    );
    expect(repaired).toMatchObject({ status: 'repaired' });
    expect(await wrong()).toEqual([]);
    expect(await getCustomer(shop, id)).toEqual(right);
  });

  describe('sort the list', () => {
    it('each in its order, page by page', async () => {
      const { shop, order } = await openShop();
      const people = [
        { email: 'z@example.org', name: 'ada', orders: 2 },
        { email: 'bob@example.org', name: null, orders: 1 },
        { email: 'c@example.org', name: 'Zoë', orders: 1 },
        { email: 'd@example.org', name: 'Ömer', orders: 0 },
      ];
      for (const { email, name, orders } of people) {
        clock.advance(1000);
        await createCustomer(shop, { email, name });
        for (let i = 0; i < orders; i++)
          await pay(shop, await order({ customer: { email } }, email[0] === 'c' ? 9 : 1));
      }
      const walk = async (query: CustomerQueryInput) => {
        const all: string[] = [];
        for (let after: string | undefined; ; ) {
          const { items, total } = await listCustomers(shop, { ...query, limit: 1, ...(after && { after }) });
          expect(total).toBe(4);
          after = items[0]?.id;
          if (after === undefined) break;
          all.push(items[0]?.email[0] ?? '');
        }
        const whole = await listCustomers(shop, query);
        expect(whole.items.map(({ email }) => email[0])).toEqual(all);
        return all.join('');
      };
      expect(await walk({})).toBe('dcbz');
      expect(await walk({ sort: 'oldest' })).toBe('zbcd');
      expect(await walk({ sort: 'name' })).toBe('zbdc');
      expect(await walk({ sort: '-name' })).toBe('cdbz');
      expect(await walk({ sort: '-spent', search: 'EXAMPLE' })).toBe('czbd');
      expect(await walk({ sort: 'spent' })).toBe('dbzc');
      expect(await walk({ sort: '-orders' })).toBe('zcbd');
      expect(await walk({ sort: 'orders' })).toBe('dbcz');
      const found = await listCustomers(shop, { sort: '-spent', email: 'bob@example.org' });
      expect(found).toMatchObject({ total: 1, items: [{ totalSpent: '50.00' }] });
    });

    it('and refuse other orders and places', async () => {
      const { shop } = await openShop();
      const { id } = await createCustomer((await openShop()).shop, { email: 'ada@example.org' });
      const refused = (query: object, field: string) =>
        expectDenied(commerce(), () => listCustomers(shop, query), invalid(field));
      await refused({ sort: 'phone' }, 'sort');
      for (const after of [id, 'x\0']) await refused({ after }, 'after');
    });
  });
});
