import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  type Customer,
  type CustomerChanges,
  type CustomerInput,
  createCustomer,
  createOrder,
  deleteCustomer,
  getCustomer,
  listCustomers,
  listOrders,
  updateCustomer,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

/** The description of a mistake, its input, and the fields that the error names. */
type Refused = [what: string, wrong: Record<string, unknown>, fields: string[]];

const home = { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y', country: 'GB' };
const ada = {
  email: 'Ada@Example.org',
  name: 'Ada Lovelace',
  phone: '+44 20 7946 0000',
  marketingOptIn: true,
};

forEachStorage('customers', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());
  const now = () => new Date(clock.now()).toISOString();
  const order = async (shop: Context, customer: object) =>
    createOrder(shop, { items: [{ productId: (await newProduct(shop)).id, quantity: 1 }], ...customer });

  describe('fields', () => {
    it('have defaults, except the e-mail', async () => {
      const shop = await openShop();
      const created = await createCustomer(shop, { email: 'ada@example.org' });
      expect(created).toEqual({
        id: created.id,
        storeId: shop.store.id,
        email: 'ada@example.org',
        name: null,
        phone: null,
        vatId: null,
        marketingOptIn: false,
        defaultAddressId: null,
        addresses: [],
        metadata: {},
        tags: [],
        orderCount: 0,
        totalSpent: '0.00',
        lastOrderAt: null,
        createdAt: now(),
        updatedAt: now(),
      });
      expect(await getCustomer(shop, created.id)).toEqual(created);
      expect(await listCustomers(shop)).toEqual({ items: [created], total: 1 });
    });

    const refused: Refused[] = [
      ...[
        '',
        ' ',
        'ada',
        'ada@',
        '@example.org',
        'ada@example',
        'a b@example.org',
        'ada@@example.org',
        'a..b@example.org',
        'ada@example.org, eve@example.org',
        'Ada <ada@example.org>',
      ].map((email) => [`the e-mail ${JSON.stringify(email)}`, { email }, ['email']] as Refused),
      ['no e-mail but null', { email: null }, ['email']],
      ['an e-mail that is a number', { email: 7 }, ['email']],
      ['an e-mail that is too long', { email: `${'x'.repeat(312)}@a.org.uk` }, ['email']],
      ['a NUL in the e-mail', { email: 'a\0da@example.org' }, ['email']],
      ['a name that is too long', { name: 'x'.repeat(256) }, ['name']],
      ['a name that is a number', { name: 7 }, ['name']],
      ['a name with half an emoji', { name: '\ud83d' }, ['name']],
      ['a phone that is too long', { phone: '0'.repeat(65) }, ['phone']],
      ['a phone that is a number', { phone: 30 }, ['phone']],
      ['a consent that is a text', { marketingOptIn: 'true' }, ['marketingOptIn']],
      ['a consent that is null', { marketingOptIn: null }, ['marketingOptIn']],
      ['several of these', { email: 'x', name: 7, marketingOptIn: 1 }, ['email', 'name', 'marketingOptIn']],
    ];
    it.each(refused)('refuse %s, when a customer is created and when one is changed', async (_, wrong, fields) => {
      const shop = await openShop();
      const { id } = await createCustomer(shop, ada);
      const denial = invalid(...fields);
      const good = { email: 'grace@example.org', ...wrong };
      await expectDenied(commerce(), () => createCustomer(shop, good as CustomerInput), denial);
      await expectDenied(commerce(), () => updateCustomer(shop, id, wrong as CustomerChanges), denial);
    });
  });

  describe('changes', () => {
    it('that change nothing of the addresses leave no trace', async () => {
      const shop = await openShop();
      const before = await createCustomer(shop, { ...ada, addresses: [{ ...home, isDefault: true }, home] });
      clock.advance(1000);
      const { addresses, defaultAddressId } = before;
      const ids = addresses.map(({ id }) => ({ id }));
      const types = await emittedBy(shop, async () => {
        for (const changes of [ada, before, { addresses }, { addresses: ids }, { defaultAddressId }]) {
          expect(await updateCustomer(shop, before.id, changes)).toEqual(before);
        }
      });
      expect(types).toEqual([]);
    });
  });

  describe('e-mails', () => {
    it('are trimmed, answered as given, and compared in lower case', async () => {
      const shop = await openShop();
      const created = await createCustomer(shop, { email: '  Ada@Example.ORG\t' });
      expect(created.email).toBe('Ada@Example.ORG');
      for (const email of ['ada@example.org', ' ADA@EXAMPLE.ORG ', 'Ada@Example.ORG']) {
        expect(await listCustomers(shop, { email })).toEqual({ items: [created], total: 1 });
      }
      expect(await listCustomers(shop, { email: 'da@example.org' })).toEqual({ items: [], total: 0 });
      expect(await listCustomers(shop, { email: '%' })).toEqual({ items: [], total: 0 });
    });

    it.each(['ada@example.org', 'ADA@EXAMPLE.ORG', ' Ada@example.org '])(
      'belong to one customer of the store: %j is taken',
      async (email) => {
        const [shop, other] = [await openShop(), await openShop()];
        await createCustomer(shop, ada);
        const { id } = await createCustomer(shop, { email: 'grace@example.org' });
        const denial = {
          kind: 'conflict',
          fields: ['email'],
          message: `email "${email.trim()}" already exists on another customer`,
        } as const;
        await expectDenied(commerce(), () => createCustomer(shop, { email }), denial);
        await expectDenied(commerce(), () => updateCustomer(shop, id, { email, name: 'Eve' }), denial);
        expect(await createCustomer(other, { email })).toMatchObject({ email: email.trim() });
      },
    );

    it('may be respelt by their own customer', async () => {
      const shop = await openShop();
      const before = await createCustomer(shop, ada);
      expect(await updateCustomer(shop, before.id, { email: 'ada@example.org' })).toMatchObject({
        email: 'ada@example.org',
      });
      expect((await listCustomers(shop, { email: 'ADA@example.org' })).total).toBe(1);
    });

    it('are free again after a change and after a deletion', async () => {
      const shop = await openShop();
      const first = await createCustomer(shop, ada);
      await updateCustomer(shop, first.id, { email: 'king@example.org' });
      const second = await createCustomer(shop, ada);
      await deleteCustomer(shop, second.id);
      expect(await createCustomer(shop, ada)).toMatchObject({ email: ada.email });
    });
  });

  describe('deletion', () => {
    it('removes a customer from every list for good', async () => {
      const shop = await openShop();
      const { id } = await createCustomer(shop, { ...ada, addresses: [home] });
      await deleteCustomer(shop, id);
      for (const query of [{}, { email: ada.email }, { search: 'ada' }]) {
        expect(await listCustomers(shop, query)).toEqual({ items: [], total: 0 });
      }
    });

    it.each([
      ['order', 1, /has 1 order and cannot be deleted.*anonymise/],
      ['orders', 2, /has 2 orders and cannot be deleted/],
    ])('is refused while there is an %s', async (_, count, message) => {
      const shop = await openShop();
      const { id } = await createCustomer(shop, ada);
      for (let i = 0; i < count; i++) await order(shop, { customerId: id });
      await expectDenied(commerce(), () => deleteCustomer(shop, id), { kind: 'conflict', message });
    });

    it('is not prevented by the orders of others', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const { id } = await createCustomer(shop, ada);
      await order(shop, { customer: { email: 'grace@example.org' } });
      await order(shop, {});
      await order(other, { customer: { email: ada.email } });
      await deleteCustomer(shop, id);
      expect((await listCustomers(shop)).total).toBe(1);
    });

    it('never leaves an order without its customer, when one is created at the same time', async () => {
      const shop = await openShop();
      const { id: productId } = await newProduct(shop);
      const items = [{ productId, quantity: 1 }];
      const seen = { refused: 0, deleted: 0 };
      for (let round = 0; round < 25; round++) {
        const email = `ada-${round}@example.org`;
        const { id } = await createCustomer(shop, { email });
        const [created, found, deleted] = await Promise.allSettled([
          createOrder(shop, { items, customerId: id }),
          createOrder(shop, { items, customer: { email } }),
          // First in some runs, last in others.
          ...(round % 2 ? [deleteCustomer(shop, id)] : [Promise.resolve().then(() => deleteCustomer(shop, id))]),
        ]);
        if (created?.status === 'rejected') {
          expect(created.reason).toMatchObject({ kind: 'validation', details: [{ field: 'customerId' }] });
        }
        expect(found?.status).toBe('fulfilled');
        if (deleted?.status === 'rejected') {
          expect(deleted.reason).toMatchObject({ kind: 'conflict' });
          seen.refused++;
        } else seen.deleted++;
      }
      const { items: orders, total } = await listOrders(shop, { limit: 200 });
      expect(total).toBe(orders.length);
      for (const { customerId } of orders) expect(await getCustomer(shop, customerId ?? '')).toBeDefined();
      expect(seen.refused + seen.deleted).toBe(25);
      const customers = await listCustomers(shop, { limit: 200 });
      expect(customers.total).toBe(customers.items.length);
    });
  });

  describe('orders', () => {
    it('created at once create one customer for one e-mail', async () => {
      const shop = await openShop();
      const { id: productId } = await newProduct(shop);
      const orders = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          createOrder(shop, {
            items: [{ productId, quantity: 1 }],
            customer: { email: i % 2 ? 'ADA@example.org' : 'ada@example.org' },
          }),
        ),
      );
      expect(new Set(orders.map(({ customerId }) => customerId)).size).toBe(1);
      expect((await listCustomers(shop)).total).toBe(1);
    });

    it("are refused with another store's customer, and with a deleted one", async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const foreign = await createCustomer(other, ada);
      const gone = await createCustomer(shop, ada);
      await deleteCustomer(shop, gone.id);
      const { id: productId } = await newProduct(shop);
      for (const customerId of [foreign.id, gone.id, 'ada', productId]) {
        const create = () => createOrder(shop, { items: [{ productId, quantity: 1 }], customerId });
        await expectDenied(commerce(), create, invalid('customerId'));
      }
    });
  });

  describe('lists', () => {
    it('answer every combination of filters and windows with exactly the matching customers, newest first', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const created: Customer[] = [];
      const people = [
        { email: 'Ada@Example.org', name: 'Ada Lovelace' },
        { email: 'grace@example.org', name: 'Grace Hopper', phone: '+1 ADA 5' },
        { email: 'ada.b@example.org' },
        { email: 'alan@example.org', name: 'Alan 100% Turing', phone: '555' },
        { email: 'eve_l@example.org', name: 'Ève "O\'Neil" \\' },
      ];
      for (const [i, person] of people.entries()) {
        if (i % 2 === 0) clock.advance(1);
        created.unshift(await createCustomer(shop, person));
        await createCustomer(other, person);
      }
      const gone = await createCustomer(shop, { email: 'ada.gone@example.org' });
      await deleteCustomer(shop, gone.id);
      const terms = ['ada', 'ADA', '555', 'E', '@example', '%', '_', '"', "'", '\\', 'ève', '👕', ''];
      for (const email of [undefined, 'ada@example.org', 'ALAN@example.org', 'nobody@example.org', '']) {
        for (const search of [undefined, ...terms, 'x'.repeat(200)]) {
          for (const [limit, offset] of [
            [50, 0],
            [1, 1],
            [2, 9],
          ] as const) {
            const matching = created.filter(
              (one) =>
                (!email || one.email.toLowerCase() === email.toLowerCase()) &&
                (!search ||
                  [one.email, one.name, one.phone].some((text) => text?.toLowerCase().includes(search.toLowerCase()))),
            );
            const query = { email, search, limit, offset };
            const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
            expect({ query, answer: await listCustomers(shop, query) }).toEqual({ query, answer: expected });
          }
        }
      }
    });

    it.each([
      [{ email: 'x'.repeat(321) }, 'email'],
      [{ email: ['a'] }, 'email'],
      [{ email: '\0' }, 'email'],
      [{ search: '\ud83d' }, 'search'],
      [{ search: 'x'.repeat(201) }, 'search'],
    ])('refuse %j, naming the field', async (query, field) => {
      const list = listCustomers(await openShop(), query as never);
      await expect(list).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
    });
  });
});
