import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anonymiseCustomer,
  type Category,
  CommerceError,
  type Context,
  type Customer,
  createCategory,
  createCustomer,
  createMedia,
  createOrder,
  createProduct,
  deleteCategory,
  deleteCustomer,
  deleteMedia,
  deleteProduct,
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
  type Media,
  openMediaFolder,
  type Product,
  updateCategory,
  updateCustomer,
  updateMedia,
  updateProduct,
  updateStore,
} from '@commerce/core';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import {
  CatalogueModel,
  type CategoryChange,
  type CustomerChange,
  type Expected,
  type ModelCategory,
  type ModelCustomer,
  type ModelProduct,
  type ProductChange,
} from './support/catalogue-model.ts';
import { eventTypesOf, newShop, useCommerce } from './support/shop.ts';
import { forEachStorage } from './support/storages.ts';

/** Names a thing that an earlier step made, the other store's, or none. Which one is known when the step is run. */
interface Ref {
  to: 'own' | 'foreign' | 'none';
  pick: number;
}

const ref: fc.Arbitrary<Ref> = fc.record({
  to: fc.oneof(
    { weight: 20, arbitrary: fc.constant('own' as const) },
    fc.constant('foreign' as const),
    fc.constant('none' as const),
  ),
  pick: fc.nat(20),
});
const status = fc.constantFrom('draft' as const, 'published' as const, 'archived' as const);
const optional = { requiredKeys: [] };
/** Mostly one of the good values; a bad one now and then. */
const mostly = (good: string[], bad: string) =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...good) }, fc.constant(bad));

const productFields = fc.record(
  {
    title: fc.constantFrom('Mug', 'Cup', 'ΟΔΟΣ mug', '100% _"x"'),
    slug: fc.constantFrom(...'abcdefghijkl'),
    status,
    price: mostly(['1', '2.50'], 'bad'),
    sku: fc.constantFrom('A', 'B', 'mug', null, null, null),
    description: fc.constantFrom('blue mug', null),
    variantGroupId: fc.constantFrom('g', 'h', null),
    attributes: fc.record({ color: fc.constantFrom('red', 'blue'), size: fc.constantFrom('S', 'M') }, optional),
    categoryIds: fc.array(ref, { maxLength: 3 }),
    mediaIds: fc.array(ref, { maxLength: 2 }),
    primaryMediaId: fc.option(ref),
  },
  optional,
);
const categoryFields = fc.record(
  {
    name: fc.constantFrom('Mugs', 'Cups'),
    slug: fc.constantFrom(...'abcdefgh'),
    status,
    parentId: fc.option(ref),
  },
  optional,
);
const customerFields = fc.record(
  {
    email: mostly(['a@x.example', 'A@X.example ', 'b@x.example', 'c@x.example', 'd@x.example'], 'bad'),
    name: fc.constantFrom('Ann', 'Bob', null),
    addresses: fc.array(
      fc.record(
        {
          address: fc.option(fc.nat(3)),
          city: fc.constantFrom('Rome', 'Bonn'),
          isDefault: fc.boolean(),
        },
        { requiredKeys: ['address', 'city'] },
      ),
      { maxLength: 3 },
    ),
    defaultAddress: fc.option(fc.nat(4)),
  },
  optional,
);
const altText = fc.constantFrom('a mug', null);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('createProduct' as const), fields: productFields }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('updateProduct' as const), ref, fields: productFields }) },
  fc.record({ do: fc.constant('deleteProduct' as const), ref }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('createCategory' as const), fields: categoryFields }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('updateCategory' as const), ref, fields: categoryFields }) },
  fc.record({ do: fc.constant('deleteCategory' as const), ref }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('createCustomer' as const), fields: customerFields }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('updateCustomer' as const), ref, fields: customerFields }) },
  fc.record({ do: fc.constant('deleteCustomer' as const), ref }),
  fc.record({ do: fc.constant('anonymiseCustomer' as const), ref }),
  fc.record({ do: fc.constant('createOrder' as const), ref, product: ref }),
  fc.record({ do: fc.constant('createMedia' as const) }),
  fc.record({ do: fc.constant('updateMedia' as const), ref, altText }),
  fc.record({ do: fc.constant('deleteMedia' as const), ref }),
);
/** Something to work on, so that few steps meet an empty store. */
const first: Step[] = [
  ...[...'abcd'].map((slug) => ({ do: 'createProduct' as const, fields: { slug } })),
  ...[...'abc'].map((slug) => ({ do: 'createCategory' as const, fields: { slug } })),
  ...[...'abc'].map((name) => ({ do: 'createCustomer' as const, fields: { email: `${name}@x.example` } })),
  { do: 'createMedia' },
  { do: 'createMedia' },
];
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Fields<T> = T extends fc.Arbitrary<infer F> ? F : never;

// The least GIF there is: one pixel.
const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const upload = () => [
  {
    fileName: 'pixel.gif',
    mimeType: 'image/gif',
    content: (async function* () {
      yield pixel;
    })(),
  },
];

/** A store beside its model: runs each step in both and holds one against the other. */
class Pair {
  readonly #ids = new Map<string, string>();
  readonly #made = { product: 0, category: 0, customer: 0, media: 0 };

  constructor(
    readonly shop: Context,
    readonly model: CatalogueModel,
    readonly foreign: Record<keyof Pair['made'], string>,
  ) {}

  get made() {
    return this.#made;
  }

  token(kind: keyof Pair['made'], { to, pick }: Ref): string {
    const count = this.#made[kind];
    return to === 'own' && count > 0 ? `${kind}-${pick % count}` : to === 'foreign' ? `${kind}-foreign` : 'none';
  }

  id(token: string): string {
    if (token === 'none') return '00000000-0000-7000-8000-000000000000';
    const [kind] = token.split('-') as [keyof Pair['made']];
    return token.endsWith('-foreign') ? this.foreign[kind] : (this.#ids.get(token) ?? `unmade ${token}`);
  }

  /** Runs what makes a thing; the thing gets the next token of its kind if it comes to be. */
  async make(kind: keyof Pair['made'], expected: (token: string) => Expected, work: () => Promise<{ id: string }>) {
    const token = `${kind}-${this.#made[kind]}`;
    const wanted = expected(token);
    await this.#compare(wanted, async () => {
      this.#ids.set(token, (await work()).id);
    });
    if (wanted.verdict === 'ok') this.#made[kind]++;
    return wanted.verdict === 'ok' ? token : undefined;
  }

  async change(expected: Expected, work: () => Promise<unknown>) {
    await this.#compare(expected, work);
    return expected.verdict === 'ok';
  }

  async #compare(expected: Expected, work: () => Promise<unknown>) {
    const before = (await eventTypesOf(this.shop)).length;
    const verdict = await work().then(
      () => 'ok',
      (error: unknown) => {
        if (error instanceof CommerceError) return error.kind;
        throw error;
      },
    );
    const events = (await eventTypesOf(this.shop)).slice(before);
    expect({ verdict, events: events.sort() }).toEqual({ ...expected, events: [...expected.events].sort() });
  }

  product(fields: Fields<typeof productFields>): { tokens: ProductChange; ids: object } {
    const tokens: ProductChange = {
      ...fields,
      ...(fields.categoryIds && { categoryIds: fields.categoryIds.map((one) => this.token('category', one)) }),
      ...(fields.mediaIds && { mediaIds: fields.mediaIds.map((one) => this.token('media', one)) }),
      ...(fields.primaryMediaId && { primaryMediaId: this.token('media', fields.primaryMediaId) }),
    } as ProductChange;
    return { tokens, ids: this.realProduct(tokens) };
  }

  realProduct<T extends ProductChange>({ categoryIds, mediaIds, primaryMediaId, ...rest }: T) {
    return {
      ...rest,
      ...(categoryIds && { categoryIds: categoryIds.map((token) => this.id(token)) }),
      ...(mediaIds && { mediaIds: mediaIds.map((token) => this.id(token)) }),
      ...(primaryMediaId !== undefined && { primaryMediaId: primaryMediaId && this.id(primaryMediaId) }),
    };
  }

  category(fields: Fields<typeof categoryFields>): { tokens: CategoryChange; ids: object } {
    const tokens = {
      ...fields,
      ...(fields.parentId && { parentId: this.token('category', fields.parentId) }),
    } as CategoryChange;
    const { parentId } = tokens;
    return { tokens, ids: { ...tokens, ...(parentId && { parentId: this.id(parentId) }) } };
  }

  customer(fields: Fields<typeof customerFields>, of?: ModelCustomer): { tokens: CustomerChange; ids: object } {
    const known = of?.addresses.map(({ token }) => token) ?? [];
    const pick = (n: number) => known[n] ?? 'none';
    const { addresses, defaultAddress, ...rest } = fields;
    const tokens = {
      ...rest,
      ...(addresses && {
        addresses: addresses.map(({ address, ...given }) => ({
          token: address === null ? null : pick(address),
          ...given,
        })),
      }),
      ...(defaultAddress !== undefined && { defaultAddressId: defaultAddress === null ? null : pick(defaultAddress) }),
    };
    const real = {
      ...rest,
      ...(tokens.addresses && {
        addresses: tokens.addresses.map(({ token, ...given }) => ({
          ...given,
          ...(token === null ? { address1: 'Street 1', postalCode: '1', country: 'IT' } : { id: this.id(token) }),
        })),
      }),
      ...(tokens.defaultAddressId !== undefined && {
        defaultAddressId: tokens.defaultAddressId && this.id(tokens.defaultAddressId),
      }),
    };
    return { tokens: tokens as CustomerChange, ids: real };
  }

  /** New addresses have the ids that the answer says. */
  learnAddresses(token: string, answer: Customer | undefined) {
    const customer = this.model.customers.find((one) => one.token === token);
    customer?.addresses.forEach((address, i) => {
      const id = answer?.addresses[i]?.id;
      if (id) this.#ids.set(address.token, id);
    });
  }
}

async function run(pair: Pair, step: Step): Promise<void> {
  const { shop, model } = pair;
  switch (step.do) {
    case 'createProduct': {
      const { tokens, ids } = pair.product(step.fields);
      const input = { title: 'Mug', slug: 'a', price: '1', ...ids };
      await pair.make(
        'product',
        (token) => model.createProduct(token, tokens),
        () => createProduct(shop, input),
      );
      return;
    }
    case 'updateProduct': {
      const token = pair.token('product', step.ref);
      const { tokens, ids } = pair.product(step.fields);
      await pair.change(model.updateProduct(token, tokens), () => updateProduct(shop, pair.id(token), ids));
      return;
    }
    case 'deleteProduct': {
      const token = pair.token('product', step.ref);
      await pair.change(model.deleteProduct(token), () => deleteProduct(shop, pair.id(token)));
      return;
    }
    case 'createCategory': {
      const { tokens, ids } = pair.category(step.fields);
      const input = { name: 'Mugs', slug: 'a', ...ids };
      await pair.make(
        'category',
        (token) => model.createCategory(token, tokens),
        () => createCategory(shop, input),
      );
      return;
    }
    case 'updateCategory': {
      const token = pair.token('category', step.ref);
      const { tokens, ids } = pair.category(step.fields);
      await pair.change(model.updateCategory(token, tokens), () => updateCategory(shop, pair.id(token), ids));
      return;
    }
    case 'deleteCategory': {
      const token = pair.token('category', step.ref);
      await pair.change(model.deleteCategory(token), () => deleteCategory(shop, pair.id(token)));
      return;
    }
    case 'createCustomer': {
      const { tokens, ids } = pair.customer(step.fields);
      let answer: Customer | undefined;
      const token = await pair.make(
        'customer',
        (token) => model.createCustomer(token, tokens),
        async () => {
          answer = await createCustomer(shop, { email: 'a@x.example', ...ids });
          return answer;
        },
      );
      if (token) pair.learnAddresses(token, answer);
      return;
    }
    case 'updateCustomer': {
      const token = pair.token('customer', step.ref);
      const { tokens, ids } = pair.customer(
        step.fields,
        model.customers.find((one) => one.token === token),
      );
      let answer: Customer | undefined;
      await pair.change(model.updateCustomer(token, tokens), async () => {
        answer = await updateCustomer(shop, pair.id(token), ids);
      });
      pair.learnAddresses(token, answer);
      return;
    }
    case 'deleteCustomer': {
      const token = pair.token('customer', step.ref);
      await pair.change(model.deleteCustomer(token), () => deleteCustomer(shop, pair.id(token)));
      return;
    }
    case 'anonymiseCustomer': {
      const token = pair.token('customer', step.ref);
      const id = pair.id(token);
      const nobody = `anonymised-${id}@customer.invalid`;
      await pair.change(model.anonymiseCustomer(token, nobody), () => anonymiseCustomer(shop, id));
      return;
    }
    case 'createOrder': {
      const [customer, product] = [pair.token('customer', step.ref), pair.token('product', step.product)];
      await pair.change(model.createOrder(customer, product), () =>
        createOrder(shop, { customerId: pair.id(customer), items: [{ productId: pair.id(product), quantity: 1 }] }),
      );
      return;
    }
    case 'createMedia':
      await pair.make(
        'media',
        (token) => model.createMedia(token),
        async () => (await createMedia(shop, upload()))[0] as Media,
      );
      return;
    case 'updateMedia': {
      const token = pair.token('media', step.ref);
      const { altText } = step;
      await pair.change(model.updateMedia(token, altText), () => updateMedia(shop, pair.id(token), { altText }));
      return;
    }
    case 'deleteMedia': {
      const token = pair.token('media', step.ref);
      await pair.change(model.deleteMedia(token), () => deleteMedia(shop, pair.id(token)));
      return;
    }
  }
}

/** The list is what the model says, in its order and number; its pages are its parts; each item answers alike by its id. */
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

/** As a search is specified: a part of one of the three texts, upper and lower case alike. */
function contains({ title, description, sku }: ModelProduct, search: string): boolean {
  const folded = (text: string) => text.toLowerCase().replaceAll('ς', 'σ');
  return [title, description, sku].some((text) => text !== null && folded(text).includes(folded(search)));
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
    await products(
      (one) => one.categoryIds.includes(token),
      (window) => listProducts(shop, { categoryId, ...window }),
    );
    await products(
      (one) => one.categoryIds.includes(token) && one.status === 'draft' && contains(one, 'mug'),
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
      { numRuns: 25 },
    );
    expect(await eventTypesOf(other)).toEqual(untouched);
  }, 180_000);
});
