import { type Customer, createOrder } from '@commerce/core';
import { emittedBy, newProduct, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectRefused } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { itemOf, testCrudRoutes, useApp } from '@commerce/test-support/suites/crud-routes';
import { describe, expect, it } from 'vitest';

let made = 0;
const body = () => ({ email: `Person-${++made}@Example.org`, name: 'Ada', marketingOptIn: true });
const home = { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y', country: 'GB' };

forEachStorage('customers over HTTP', (database) => {
  const commerce = useCommerce(database);
  testCrudRoutes(
    {
      path: '/customers',
      noun: 'customer',
      body,
      change: { name: 'Grace', phone: '+1 555', marketingOptIn: false },
      required: ['email'],
      wrong: [
        [{ name: 7, phone: 7 }, ['name', 'phone']],
        [
          { addresses: [home, {}] },
          ['address1', 'city', 'postalCode', 'country'].map((field) => `addresses.1.${field}`),
        ],
      ],
      taken: [{ email: 'taken@example.org' }, 'email'],
      wrongQueries: [['email=%00', 'email']],
    },
    commerce,
  );

  describe('people', () => {
    const { shop, send } = useApp(commerce);
    const add = async (more: object = {}) =>
      itemOf<Customer>(await send('POST /customers', { body: { ...body(), ...more } }));

    it('are found by their e-mail in any case, and by a part of e-mail, name or phone', async () => {
      const ada = await add({ email: 'Ada+1@Example.org', phone: '0163 555' });
      await add({ name: 'Grace' });
      for (const query of [
        'email=ada%2B1@example.ORG',
        'email=%20Ada%2B1@Example.org',
        'search=163+5',
        'search=ADA%2B',
      ]) {
        expect(await send(`GET /customers?${query}`)).toMatchObject({ json: { items: [ada], total: 1 } });
      }
    });

    it('keep their addresses by sending all of them, and one default', async () => {
      const ada = await add({ addresses: [home, { ...home, city: 'Bath', isDefault: true }] });
      const [london, bath] = ada.addresses;
      expect(ada.defaultAddressId).toBe(bath?.id);
      const moved = await send(`PUT /customers/${ada.id}`, { body: { defaultAddressId: london?.id } });
      expect(itemOf<Customer>(moved).addresses.map((address) => address.isDefault)).toEqual([true, false]);
      const replaced = await send(`PUT /customers/${ada.id}`, {
        body: {
          addresses: [
            { id: bath?.id, phone: '1' },
            { ...home, city: 'York' },
          ],
        },
      });
      expect(replaced).toMatchObject({
        status: 200,
        json: {
          item: { defaultAddressId: null, addresses: [{ id: bath?.id, city: 'Bath', phone: '1' }, { city: 'York' }] },
        },
      });
      const gone = () => send(`PUT /customers/${ada.id}`, { body: { addresses: [{ id: london?.id }] } });
      await expectRefused(commerce(), gone, { status: 400, code: 'VALIDATION_ERROR', fields: ['addresses'] });
    });

    it('stay while they have orders', async () => {
      const ada = await add();
      const types = await emittedBy(shop(), async () => {
        const { id } = await newProduct(shop());
        await createOrder(shop(), { items: [{ productId: id, quantity: 1 }], customerId: ada.id });
      });
      expect(types).toEqual(['product.created']);
      const refusal = { status: 409, code: 'CONFLICT', message: /has 1 order/ };
      await expectRefused(commerce(), () => send(`DELETE /customers/${ada.id}`), refusal);
    });
  });
});
