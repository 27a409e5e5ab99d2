import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import * as core from './index.ts';

forEachStorage('a closed instance', (database) => {
  it('refuses all work, and says that it is closed', async () => {
    const commerce = await core.openCommerce({ storage: database.open() });
    const shop = await newShop(commerce);
    const { id } = await newProduct(shop);
    await commerce.close();
    await commerce.close();
    const closed = {
      name: 'CommerceError',
      kind: 'unavailable',
      message: 'the database was closed by commerce.close(): open it again with openCommerce()',
    };
    const refused = (work: () => Promise<unknown>) => expect(work()).rejects.toMatchObject(closed);
    await refused(() => core.listProducts(shop));
    await refused(() => core.listProducts(shop, { search: 'mug' }));
    await refused(() => core.getProduct(shop, id));
    await refused(() => core.getProductJson(shop, id));
    await refused(() => core.createProduct(shop, { title: 'Mug', slug: 'mug', price: '1' }));
    await refused(() => core.updateProduct(shop, id, { title: 'Cup' }));
    await refused(() => core.deleteProduct(shop, id));
    await refused(() => core.listOrders(shop));
    await refused(() => core.listAuditLogs(shop));
    await refused(() => commerce.transaction(shop, (ctx) => core.getProduct(ctx, id)));
    await refused(() => commerce.store(shop.store.id));
    await refused(() => commerce.createStore({ name: 'Mugs', currency: 'EUR' }));
    await refused(() => commerce.on('order.paid', () => {}));
    await refused(() => commerce.forgetSubscriber('mirror'));
    await refused(() => commerce.deliverDue());
    await refused(() => commerce.sendDueMails());
    await refused(() => commerce.migrationStatus());
    await refused(() => commerce.identities.authenticate(`ck_live_${'a'.repeat(43)}`));
    for (const start of ['startDelivery', 'startImports'] as const) {
      expect(() => commerce[start]()).toThrow(closed.message);
    }
    expect(() => commerce.startExpiry({ pendingFor: 1000 })).toThrow(closed.message);
  });

  it('reports nothing but that from any function that is exported', async () => {
    const commerce = await core.openCommerce({ storage: database.open() });
    const shop = await newShop(commerce);
    await commerce.close();
    const id = shop.store.id;
    const asked = Object.entries(core).filter(([name]) =>
      /^(list|get|create|update|delete|issue|apply)[A-Z]/.test(name),
    );
    expect(asked.length).toBeGreaterThan(60);
    const others: string[] = [];
    for (const [name, work] of asked) {
      const call = work as (...args: unknown[]) => unknown;
      const given =
        name === 'listStores' || name === 'createFirstStore' || /WithoutKey$/.test(name) ? commerce.engine : shop;
      const error = await Promise.resolve()
        .then(() => call(given, id, {}))
        .catch((thrown: unknown) => thrown);
      if (error instanceof Error && !(error instanceof core.CommerceError)) others.push(`${name}: ${error.message}`);
    }
    expect(others).toEqual([]);
  });
});
