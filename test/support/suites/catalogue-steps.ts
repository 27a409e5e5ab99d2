import {
  anonymiseCustomer,
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
  type Media,
  updateCategory,
  updateCustomer,
  updateMedia,
  updateProduct,
} from '@commerce/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { eventTypesOf } from '../fixtures/shop.ts';
import type {
  CatalogueModel,
  CategoryChange,
  CustomerChange,
  Expected,
  ModelCustomer,
  ProductChange,
} from './catalogue-model.ts';

/** Names a thing that an earlier step created, a thing of the other store, or none. It is resolved when the step runs. */
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
/** Mostly one of the good values; sometimes a bad one. */
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

export const step = fc.oneof(
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
/** Initial things, so that few steps meet an empty store. */
export const first: Step[] = [
  ...[...'abcd'].map((slug) => ({ do: 'createProduct' as const, fields: { slug } })),
  ...[...'abc'].map((slug) => ({ do: 'createCategory' as const, fields: { slug } })),
  ...[...'abc'].map((name) => ({ do: 'createCustomer' as const, fields: { email: `${name}@x.example` } })),
  { do: 'createMedia' },
  { do: 'createMedia' },
];
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Fields<T> = T extends fc.Arbitrary<infer F> ? F : never;

// The smallest GIF: one pixel.
const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
export const upload = () => [
  {
    fileName: 'pixel.gif',
    mimeType: 'image/gif',
    content: (async function* () {
      yield pixel;
    })(),
  },
];

/** A store with its model: runs each step in both and compares them. */
export class Pair {
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

  /** Runs a creation; if it succeeds, the thing gets the next token of its kind. */
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

  /** New addresses get the ids from the answer. */
  learnAddresses(token: string, answer: Customer | undefined) {
    const customer = this.model.customers.find((one) => one.token === token);
    customer?.addresses.forEach((address, i) => {
      const id = answer?.addresses[i]?.id;
      if (id) this.#ids.set(address.token, id);
    });
  }
}

export async function run(pair: Pair, step: Step): Promise<void> {
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
