import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createProduct,
  exportText,
  getProduct,
  importFile,
  listProducts,
  updateProduct,
  updateSettings,
} from '../index.ts';

const rates = (...rows: [country: string, taxClass: string][]) => ({
  country: 'DE',
  taxes: {
    scope: 'destination' as const,
    rates: rows.map(([country, name]) => ({ country, class: name, rate: '0.07' })),
  },
});

const load = (shop: Context, content: string) =>
  importFile(
    shop,
    'products',
    {
      open: () =>
        (async function* () {
          yield Buffer.from(content);
        })(),
    },
    { onError: 'skip' },
  );

forEachStorage('the tax class of a product', (database) => {
  const commerce = useCommerce(database);

  it('can be any without taxes in the settings', async () => {
    const shop = await newShop(commerce());
    expect(await newProduct(shop, { taxClass: 'books' })).toMatchObject({ taxClass: 'books' });
    expect(await newProduct(shop)).toMatchObject({ taxClass: 'standard' });
  });

  it('needs a rate in the country of the store if it is new', async () => {
    const shop = await newShop(commerce());
    const old = await newProduct(shop, { taxClass: 'books' });
    const plain = await newProduct(shop);
    await updateSettings(shop, rates(['DE', 'reduced'], ['FR', 'books']));
    const unknown = invalid('taxClass');
    const limits = { values: ['standard', 'reduced'] };
    const input = { title: 'Atlas', slug: 'atlas', price: '10' };
    await expectDenied(commerce(), () => createProduct(shop, { ...input, taxClass: 'books' }), unknown);
    await expectDenied(commerce(), () => updateProduct(shop, plain.id, { taxClass: 'books' }), unknown);
    await expect(updateProduct(shop, plain.id, { taxClass: 'books' })).rejects.toMatchObject({
      details: [{ code: 'NOT_OFFERED', limits }],
    });
    expect(await updateProduct(shop, plain.id, { taxClass: 'reduced' })).toMatchObject({ taxClass: 'reduced' });
    expect(await createProduct(shop, { ...input, taxClass: 'reduced' })).toMatchObject({ taxClass: 'reduced' });
    expect(await createProduct(shop, { ...input, slug: 'other', taxClass: 'standard' })).toBeDefined();
    // The rate of a class can be taken away later.
    expect(await updateProduct(shop, old.id, { taxClass: 'books', title: 'Old' })).toMatchObject({ taxClass: 'books' });
    await updateSettings(shop, rates(['DE', 'standard']));
    expect(await updateProduct(shop, plain.id, { title: 'Plain' })).toMatchObject({ taxClass: 'reduced' });
    await updateProduct(shop, plain.id, { taxClass: 'standard' });
    await expectDenied(commerce(), () => updateProduct(shop, plain.id, { taxClass: 'reduced' }), invalid('taxClass'));
  });

  it('that is not known becomes the standard one in an import, with a warning', async () => {
    const shop = await newShop(commerce());
    const old = await newProduct(shop, { slug: 'old', taxClass: 'books' });
    await updateSettings(shop, rates(['DE', 'reduced']));
    const done = await load(
      shop,
      'slug,title,price,taxClass,weight,requiresShipping\n' +
        'old,Old,1.00,books,10,yes\nnew,New,1.00,books,,no\nfood,Food,1.00,reduced,250,yes\nlong,Long,1.00,Two words,1,yes\n',
    );
    expect(done).toMatchObject({ created: 2, updated: 1, refused: 1, warnings: 1 });
    expect(done.warningsShown).toEqual([
      {
        line: 3,
        column: 'taxClass',
        value: 'books',
        reason:
          'has no rate in DE, the country of the store; classes that have one: standard, reduced; it is imported as "standard"',
      },
    ]);
    expect(done.problems).toMatchObject([{ line: 5, column: 'taxClass' }]);
    const { items } = await listProducts(shop);
    const facts = items.map(({ slug, taxClass, weight, requiresShipping }) => [
      slug,
      taxClass,
      weight,
      requiresShipping,
    ]);
    expect(facts.toSorted()).toEqual([
      ['food', 'reduced', 250, true],
      ['new', 'standard', null, false],
      ['old', 'books', 10, true],
    ]);
    expect(await getProduct(shop, old.id)).toMatchObject({ taxClass: 'books' });
  });

  it.each(['csv', 'jsonl'] as const)('survives an export and an import, as the weight does: %s', async (format) => {
    const shop = await newShop(commerce());
    await newProduct(shop, { slug: 'atlas', taxClass: 'books', weight: 1200 });
    await newProduct(shop, { slug: 'file', weight: 0, requiresShipping: false });
    let file = '';
    for await (const { text } of exportText(shop, 'products', { format })) file += text;
    const other = await newShop(commerce());
    expect(await load(other, file)).toMatchObject({ created: 2, refused: 0, warnings: 0 });
    const { items } = await listProducts(other);
    expect(
      items
        .map(({ slug, taxClass, weight, requiresShipping }) => [slug, taxClass, weight, requiresShipping])
        .toSorted(),
    ).toEqual([
      ['atlas', 'books', 1200, true],
      ['file', 'standard', 0, false],
    ]);
    expect(await load(other, file)).toMatchObject({ unchanged: 2 });
  });
});
