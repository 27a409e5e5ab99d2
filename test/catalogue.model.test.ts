import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Category,
  createCategory,
  createCustomer,
  createMedia,
  createProduct,
  getCategory,
  getCustomer,
  getMedia,
  getProduct,
  getProductAttributes,
  type List,
  listCategories,
  listCustomers,
  listMedia,
  listProducts,
  listProductsByAttributes,
  listVariantGroup,
  openMediaFolder,
  type Product,
  updateStore,
} from '@commerce/core';
import { eventTypesOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import {
  CatalogueModel,
  type ModelCategory,
  type ModelCustomer,
  type ModelProduct,
} from '@commerce/test-support/suites/catalogue-model';
import { first, Pair, run, step, upload } from '@commerce/test-support/suites/catalogue-steps';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { foldText, searchWords, strippedCode } from '../packages/core/src/kernel/fold.ts';

/** The list equals the model in order and total; its pages are its parts; each item has the same answer by its id. */
async function expectList<Item extends { id: string }, Of>(
  wanted: readonly Of[],
  list: (window: { limit: number; offset?: number }) => Promise<List<Item>>,
  get: ((id: string) => Promise<Item>) | undefined,
  expected: (of: Of) => object,
): Promise<void> {
  const { items, total } = await list({ limit: 200 });
  expect(items).toMatchObject(wanted.map(expected));
  expect([items.length, total]).toEqual([wanted.length, wanted.length]);
  const page = await list({ limit: 2, offset: 1 });
  expect(page).toEqual({ items: items.slice(1, 3), total });
  if (get) expect(await Promise.all(items.map(({ id }) => get(id)))).toEqual(items);
}

/** The specified search: each word is in one of the texts, or in a code without blanks and dashes. */
function contains({ title, description, sku, attributes }: ModelProduct, search: string): boolean {
  const texts = [title, description, sku, ...Object.values(attributes)].map((text) => foldText(text ?? ''));
  const code = strippedCode(sku ?? '');
  return searchWords(search).every((word) => {
    const stripped = strippedCode(word);
    return texts.some((text) => text.includes(word)) || (stripped !== '' && code.includes(stripped));
  });
}

async function expectSame(pair: Pair): Promise<void> {
  const { shop, model } = pair;
  const product = ({ token, everPublished, ...rest }: ModelProduct) => ({
    id: pair.id(token),
    publishedAt: everPublished ? expect.any(String) : null,
    ...pair.realProduct(rest),
    primaryMediaId: rest.primaryMediaId && pair.id(rest.primaryMediaId),
  });
  const products = (
    wanted: (product: ModelProduct) => boolean,
    list: (window: { limit: number; offset?: number }) => Promise<List<Product>>,
    get?: (id: string) => Promise<Product>,
  ) => expectList(model.products.filter(wanted), list, get, product);

  await products(
    () => true,
    (window) => listProducts(shop, window),
    (id) => getProduct(shop, id),
  );
  for (const status of ['draft', 'published', 'archived'] as const) {
    await products(
      (one) => one.status === status,
      (window) => listProducts(shop, { status, ...window }),
    );
  }
  for (const search of ['mug', 'UG', 'οδος', '% _', '"x"', '.', 'g\u001fb']) {
    await products(
      (one) => contains(one, search),
      (window) => listProducts(shop, { search, ...window }),
    );
  }
  for (const variantGroupId of ['g', 'h']) {
    await products(
      (one) => one.variantGroupId === variantGroupId,
      (window) => listVariantGroup(shop, { variantGroupId, ...window }),
    );
  }
  const categories = Array.from({ length: pair.made.category }, (_, i) => `category-${i}`);
  for (const token of [...categories, 'category-foreign']) {
    const categoryId = pair.id(token);
    const below = model.categories.filter(({ parentId }) => parentId === token).map((one) => one.token);
    const isWithin = (one: ModelProduct) => [token, ...below].some((id) => one.categoryIds.includes(id));
    await products(isWithin, (window) => listProducts(shop, { categoryId, ...window }));
    await products(
      (one) => isWithin(one) && one.status === 'draft' && contains(one, 'mug'),
      (window) => listProducts(shop, { categoryId, status: 'draft', search: 'mug', ...window }),
    );
  }
  const values: Record<string, Set<string>> = {};
  for (const { attributes } of model.products) {
    for (const [key, value] of Object.entries(attributes)) {
      values[key] ??= new Set();
      values[key].add(value);
    }
  }
  expect(await getProductAttributes(shop)).toEqual({
    keys: Object.keys(values).sort(),
    values: Object.fromEntries(Object.entries(values).map(([key, some]) => [key, [...some].sort()])),
  });
  for (const attributes of [{ color: 'red' }, { size: 'M' }, { color: 'blue', size: 'S' }, { color: 'S' }] as Record<
    string,
    string
  >[]) {
    const fits = (one: ModelProduct) =>
      Object.entries(attributes).every(([key, value]) => one.attributes[key] === value);
    await products(fits, (window) => listProductsByAttributes(shop, { attributes, ...window }));
    await products(
      (one) => fits(one) && one.status === 'published',
      (window) => listProductsByAttributes(shop, { attributes, status: 'published', ...window }),
    );
  }

  const category = ({ token, everPublished, parentId, ...rest }: ModelCategory) => ({
    id: pair.id(token),
    ...rest,
    publishedAt: everPublished ? expect.any(String) : null,
    parentId: parentId && pair.id(parentId),
  });
  const listed = (
    wanted: (category: ModelCategory) => boolean,
    query: object,
    get?: (id: string) => Promise<Category>,
  ) =>
    expectList(
      model.categories.filter(wanted),
      (window) => listCategories(shop, { ...query, ...window }),
      get,
      category,
    );
  await listed(
    () => true,
    {},
    (id) => getCategory(shop, id),
  );
  await listed((one) => one.status === 'published', { status: 'published' });
  await listed((one) => one.parentId === null, { parentId: 'null' });
  await listed((one) => one.name === 'Cups', { search: 'CUP' });
  for (const token of categories) await listed((one) => one.parentId === token, { parentId: pair.id(token) });

  const customer = ({ token, email, name, addresses, defaultAddressId }: ModelCustomer) => ({
    id: pair.id(token),
    email,
    name,
    defaultAddressId: defaultAddressId && pair.id(defaultAddressId),
    addresses: addresses.map((address) => ({
      id: pair.id(address.token),
      city: address.city,
      isDefault: address.token === defaultAddressId,
    })),
  });
  await expectList(
    model.customers,
    (window) => listCustomers(shop, window),
    (id) => getCustomer(shop, id),
    customer,
  );
  await expectList(
    model.customers.filter(({ email }) => email.toLowerCase() === 'a@x.example'),
    (window) => listCustomers(shop, { email: ' a@X.EXAMPLE', ...window }),
    undefined,
    customer,
  );
  await expectList(
    model.customers.filter(({ name, email }) => /bo/i.test(name ?? '') || /bo/i.test(email)),
    (window) => listCustomers(shop, { search: 'bO', ...window }),
    undefined,
    customer,
  );
  await expectList(
    model.media,
    (window) => listMedia(shop, { mimeType: 'image/', ...window }),
    (id) => getMedia(shop, id),
    ({ token, altText }) => ({ id: pair.id(token), altText }),
  );
}

forEachStorage('a store beside a model of it', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'commerce-model-'));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const commerce = useCommerce(database, { media: { files: openMediaFolder({ directory }), url: '/media' } });

  it('says and holds the same, whatever is done in whatever order', async () => {
    const other = await newShop(commerce());
    const foreign = {
      product: (await createProduct(other, { title: 'Mug', slug: 'a', price: '1' })).id,
      category: (await createCategory(other, { name: 'Mugs', slug: 'a' })).id,
      customer: (await createCustomer(other, { email: 'a@x.example' })).id,
      media: (await createMedia(other, upload()))[0]?.id ?? '',
    };
    const untouched = await eventTypesOf(other);
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 20, maxLength: 60 }), async (strict, steps) => {
        const shop = await newShop(commerce());
        await updateStore(shop, { strictCategoryDepth: strict });
        const pair = new Pair(await commerce().store(shop.store.id), new CatalogueModel(strict), foreign);
        for (const one of [...first, ...steps]) await run(pair, one);
        await expectSame(pair);
      }),
      { numRuns: repeats({ suite: 12, nightly: 500 }) },
    );
    expect(await eventTypesOf(other)).toEqual(untouched);
  }, 180_000);
});
