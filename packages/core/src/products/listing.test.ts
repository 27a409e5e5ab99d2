import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  changeProducts,
  createProduct,
  deleteProduct,
  getProduct,
  getShop,
  type ProductChanges,
  type ProductInput,
  updateProduct,
  updateSettings,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { importProducts } from './products.ts';

const hour = 3_600_000;
const day = 24 * hour;

forEachStorage('what a listing says of a product', (database) => {
  const clock = fakeClock('2027-01-01T00:00:00Z');
  const commerce = useCommerce(database, { clock });
  let made = 0;
  const product = (shop: Context, more: Partial<ProductInput> = {}) =>
    createProduct(shop, { title: 'Tea', slug: `tea-${++made}`, price: '10', status: 'published', ...more });

  /** Every way of changing a price. */
  const ways: [
    string,
    (shop: Context, id: string, price: string, compareAtPrice: string | null) => Promise<unknown>,
  ][] = [
    ['a form', (shop, id, price, compareAtPrice) => updateProduct(shop, id, { price, compareAtPrice })],
    [
      'a bulk change',
      (shop, id, price, compareAtPrice) => changeProducts(shop, { ids: [id], changes: { price, compareAtPrice } }),
    ],
    [
      'an import',
      async (shop, id, price, compareAtPrice) => {
        const rows = [{ input: { price, compareAtPrice }, kept: { id } }];
        await importProducts(shop, rows, { match: 'id', events: false, dryRun: false, stopAtRefusal: true });
      },
    ],
  ];
  it.each(ways)('has the prior price of a reduction by %s', async (_, change) => {
    const shop = await newShop(commerce());
    const { id } = await product(shop);
    const priorPrice = async () => (await getProduct(shop, id)).priorPrice;
    clock.advance(31 * day);
    await change(shop, id, '8', '10');
    expect(await priorPrice()).toBe('10.00');
    clock.advance(day);
    await change(shop, id, '7', '10');
    expect(await priorPrice()).toBe('10.00');
    clock.advance(day);
    await change(shop, id, '9', '10');
    await change(shop, id, '8.5', '10');
    expect(await priorPrice()).toBe('7.00');
    await change(shop, id, '8.5', null);
    expect(await priorPrice()).toBeNull();
  });

  it('has the prior price of a reduction by a percentage, for storefront keys, too', async () => {
    const shop = await newShop(commerce());
    const { id } = await product(shop);
    clock.advance(31 * day);
    await changeProducts(shop, { ids: [id], changes: { pricePercent: '-10', comparePreviousPrice: true } });
    const seen: Context = { ...shop, actor: { type: 'apiKey', id: 'storefront', isPublic: true } };
    expect(await getProduct(seen, id)).toMatchObject({ price: '9.00', compareAtPrice: '10.00', priorPrice: '10.00' });
    const draft = await product(shop, { status: 'draft' });
    clock.advance(31 * day);
    await updateProduct(shop, draft.id, { status: 'published', price: '8', compareAtPrice: '10' });
    expect((await getProduct(shop, draft.id)).priorPrice).toBeNull();
  });

  it('does not count a price that a later row of the same batch replaces, because it was never offered', async () => {
    const shop = await newShop(commerce());
    const { id } = await product(shop);
    clock.advance(day);
    const rows = ['5', '10'].map((price) => ({ input: { price, title: `Tea for ${price}` }, kept: { id } }));
    await importProducts(shop, rows, { match: 'id', events: false, dryRun: false, stopAtRefusal: true });
    clock.advance(30 * day - hour);
    await updateProduct(shop, id, { price: '8', compareAtPrice: '10' });
    expect((await getProduct(shop, id)).priorPrice).toBe('10.00');
  });

  it('has the price of a unit, which follows the price', async () => {
    const shop = await newShop(commerce());
    const { id, unitPricing } = await product(shop, { price: '5.99', unitPricing: { measure: '0,75 L', base: '1 l' } });
    expect(unitPricing).toEqual({ measure: '0.75 l', base: '1 l', price: '7.99' });
    const after = await updateProduct(shop, id, { price: '6' });
    expect(after.unitPricing?.price).toBe('8.00');
    // An answer that is sent back changes nothing.
    expect(await updateProduct(shop, id, after as ProductChanges)).toEqual(after);
    for (const [given, field] of [
      [{ measure: '750', base: '1 l' }, 'unitPricing.measure'],
      [{ measure: '750 ml', base: '1 kg' }, 'unitPricing.base'],
      [{ measure: '750 ml' }, 'unitPricing.base'],
    ] as const) {
      await expectDenied(commerce(), () => updateProduct(shop, id, { unitPricing: given as never }), invalid(field));
    }
    expect((await updateProduct(shop, id, { unitPricing: null })).unitPricing).toBeNull();
  });

  it('has the GTIN of its barcode', async () => {
    const shop = await newShop(commerce());
    const { id, gtin } = await product(shop, { barcode: '4006381333931' });
    expect(gtin).toBe('4006381333931');
    expect((await updateProduct(shop, id, { barcode: 'SHELF-7' })).gtin).toBeNull();
  });

  it('names parties of the settings, which are kept as long as it does', async () => {
    const shop = await newShop(commerce());
    const maker = { id: 'maker', name: 'Cups GmbH', address: 'Teichweg 1\nBerlin', email: 'safety@cups.example' };
    const { parties } = await updateSettings(shop, { parties: [maker, { ...maker, id: undefined, name: 'Agent' }] });
    const [, agent] = parties;
    const facts = { brand: 'Cups', manufacturerId: 'maker', responsiblePersonId: agent?.id, safetyNotes: 'Hot!' };
    const { id } = await product(shop, facts);
    const both = await product(shop, { manufacturerId: agent?.id, responsiblePersonId: agent?.id });
    expect(await getProduct(shop, id)).toMatchObject(facts);
    expect((await getShop(await commerce().store(shop.store.id))).parties).toEqual(parties);
    await expectDenied(
      commerce(),
      () => updateProduct(shop, id, { manufacturerId: 'nobody' }),
      invalid('manufacturerId'),
    );
    await expect(updateSettings(shop, { parties: [maker] })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('2 products name it'),
    });
    await deleteProduct(shop, both.id);
    await deleteProduct(shop, id);
    expect((await updateSettings(shop, { parties: [] })).parties).toEqual([]);
    const lacking = { ...maker, email: undefined };
    await expectDenied(commerce(), () => updateSettings(shop, { parties: [lacking] }), invalid('parties.0.email'));
    await expect(updateSettings(shop, { parties: [lacking] })).rejects.toMatchObject({
      message: expect.stringContaining('unless url is given'),
      details: [{ code: 'REQUIRED' }],
    });
  });

  it('never names a party that the settings leave out at the same time', async () => {
    const shop = await newShop(commerce());
    const maker = { id: 'maker', name: 'Cups GmbH', address: 'Teichweg 1\nBerlin', email: 'safety@cups.example' };
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const create = (on: Context) => product(on, { manufacturerId: 'maker' });
    const drop = (on: Context) => updateSettings(on, { parties: [] });
    for (const [first, second] of [
      [create, drop],
      [drop, create],
    ] as const) {
      await updateSettings(shop, { parties: [maker] });
      const open = commerce().transaction(shop, async (tx) => {
        const done = await first(tx);
        await wait(150);
        return done;
      });
      await wait(50);
      const [one, other] = await Promise.allSettled([open, second(shop)]);
      expect([one.status, other.status]).toEqual(['fulfilled', 'rejected']);
      expect(other).toMatchObject({ reason: { kind: second === drop ? 'conflict' : 'validation' } });
      if (first === create && one.status === 'fulfilled') await deleteProduct(shop, (one.value as { id: string }).id);
    }
  });
});
