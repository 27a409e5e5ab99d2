/**
 * Model of a store, as small as possible: arrays, and the rules of the specification. Things are named by tokens such as `product-3` and
 * never by ids, so that one model fits any number of databases.
 */

export type Kind = 'product' | 'category' | 'customer' | 'media';
export type Verdict = 'ok' | 'validation' | 'conflict' | 'notFound';

/** Outcome of an operation, and its expected events, in any order. */
export interface Expected {
  verdict: Verdict;
  events: string[];
}

type Status = 'draft' | 'published' | 'archived';

export interface ModelProduct {
  token: string;
  title: string;
  slug: string;
  status: Status;
  everPublished: boolean;
  price: string;
  sku: string | null;
  description: string | null;
  variantGroupId: string | null;
  attributes: Record<string, string>;
  categoryIds: string[];
  mediaIds: string[];
  primaryMediaId: string | null;
}

export interface ModelCategory {
  token: string;
  name: string;
  slug: string;
  status: Status;
  everPublished: boolean;
  parentId: string | null;
}

export interface ModelAddress {
  token: string;
  city: string;
}

export interface ModelCustomer {
  token: string;
  email: string;
  name: string | null;
  addresses: ModelAddress[];
  defaultAddressId: string | null;
  orders: number;
}

export interface ModelMedia {
  token: string;
  altText: string | null;
}

export type ProductChange = Partial<Omit<ModelProduct, 'token' | 'everPublished'>>;
export type CategoryChange = Partial<Omit<ModelCategory, 'token' | 'everPublished'>>;
export interface CustomerChange {
  email?: string;
  name?: string | null;
  addresses?: { token: string | null; city: string; isDefault?: boolean }[];
  defaultAddressId?: string | null;
}

const refused = (verdict: Verdict): Expected => ({ verdict, events: [] });
const done = (...events: string[]): Expected => ({ verdict: 'ok', events });
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export class CatalogueModel {
  readonly products: ModelProduct[] = [];
  readonly categories: ModelCategory[] = [];
  readonly customers: ModelCustomer[] = [];
  readonly media: ModelMedia[] = [];
  #addresses = 0;

  constructor(readonly strictCategoryDepth: boolean) {}

  createProduct(token: string, change: ProductChange): Expected {
    const product: ModelProduct = {
      token,
      title: 'Mug',
      slug: 'a',
      status: 'draft',
      everPublished: false,
      price: '1',
      sku: null,
      description: null,
      variantGroupId: null,
      attributes: {},
      categoryIds: [],
      mediaIds: [],
      primaryMediaId: null,
      ...change,
    };
    const refusal = this.#refuseProduct(product, undefined);
    if (refusal) return refusal;
    this.products.unshift(normal(product));
    return done('product.created');
  }

  updateProduct(token: string, change: ProductChange): Expected {
    if (change.price === 'bad') return refused('validation');
    const before = this.products.find((product) => product.token === token);
    if (!before) return refused('notFound');
    const after = normal({ ...before, ...change });
    if (same(before, after)) return done();
    const refusal = this.#refuseProduct(after, before);
    if (refusal) return refusal;
    Object.assign(before, after);
    return done('product.updated');
  }

  deleteProduct(token: string): Expected {
    return this.#remove(this.products, token, 'product.deleted');
  }

  #refuseProduct(product: ModelProduct, before: ModelProduct | undefined): Expected | undefined {
    if (product.price === 'bad') return refused('validation');
    const added = (ids: string[], had: string[] = []) => ids.filter((id) => !had.includes(id));
    const media = [product.primaryMediaId, before?.primaryMediaId].map((id) => (id ? [id] : []));
    if (added(product.categoryIds, before?.categoryIds).some((id) => !has(this.categories, id)))
      return refused('validation');
    if (added(product.mediaIds, before?.mediaIds).some((id) => !has(this.media, id))) return refused('validation');
    if (added(media[0] ?? [], media[1]).some((id) => !has(this.media, id))) return refused('validation');
    const others = this.products.filter((other) => other !== before);
    const taken = others.some((other) => other.slug === product.slug || (product.sku && other.sku === product.sku));
    return taken ? refused('conflict') : undefined;
  }

  createCategory(token: string, change: CategoryChange): Expected {
    const category: ModelCategory = {
      token,
      name: 'Mugs',
      slug: 'a',
      status: 'draft',
      everPublished: false,
      parentId: null,
      ...change,
    };
    if (this.#parentRefused(category)) return refused('validation');
    if (this.categories.some((other) => other.slug === category.slug)) return refused('conflict');
    this.categories.unshift({ ...category, everPublished: category.status === 'published' });
    return done('category.created');
  }

  updateCategory(token: string, change: CategoryChange): Expected {
    const before = this.categories.find((category) => category.token === token);
    if (!before) return refused('notFound');
    const after = { ...before, ...change };
    after.everPublished ||= after.status === 'published';
    if (same(before, after)) return done();
    if (after.parentId !== before.parentId && this.#parentRefused(after)) return refused('validation');
    if (this.categories.some((other) => other !== before && other.slug === after.slug)) return refused('conflict');
    Object.assign(before, after);
    return done('category.updated');
  }

  deleteCategory(token: string): Expected {
    const deleted = this.#remove(this.categories, token, 'category.deleted');
    if (deleted.verdict !== 'ok') return deleted;
    const children = this.categories.filter((category) => category.parentId === token);
    for (const child of children) child.parentId = null;
    const products = this.products.filter((product) => product.categoryIds.includes(token));
    for (const product of products) product.categoryIds = product.categoryIds.filter((id) => id !== token);
    return done(
      'category.deleted',
      ...children.map(() => 'category.updated'),
      ...products.map(() => 'product.updated'),
    );
  }

  #parentRefused({ token, parentId }: ModelCategory): boolean {
    if (parentId === null) return false;
    const parent = this.categories.find((category) => category.token === parentId);
    const hasChildren = this.categories.some((category) => category.parentId === token);
    return !parent || parentId === token || parent.parentId !== null || (this.strictCategoryDepth && hasChildren);
  }

  createCustomer(token: string, change: CustomerChange): Expected {
    const nobody: ModelCustomer = {
      token,
      email: '',
      name: null,
      addresses: [],
      defaultAddressId: null,
      orders: 0,
    };
    const customer = this.#changed(nobody, { email: 'a@x.example', ...change });
    if (!customer) return refused('validation');
    if (this.#emailTaken(customer, undefined)) return refused('conflict');
    this.customers.unshift(customer);
    return done('customer.created');
  }

  updateCustomer(token: string, change: CustomerChange): Expected {
    if (invalidInput(change)) return refused('validation');
    const before = this.customers.find((customer) => customer.token === token);
    if (!before) return refused('notFound');
    const after = this.#changed(before, change);
    if (!after) return refused('validation');
    if (same(before, after)) return done();
    if (this.#emailTaken(after, before)) return refused('conflict');
    Object.assign(before, after);
    return done('customer.updated');
  }

  deleteCustomer(token: string): Expected {
    const customer = this.customers.find((one) => one.token === token);
    if (customer && customer.orders > 0) return refused('conflict');
    return this.#remove(this.customers, token, 'customer.deleted');
  }

  anonymiseCustomer(token: string, email: string): Expected {
    const customer = this.customers.find((one) => one.token === token);
    if (!customer) return refused('notFound');
    const after = { ...customer, email, name: null, addresses: [], defaultAddressId: null };
    if (same(customer, after)) return done();
    Object.assign(customer, after);
    return done('customer.updated');
  }

  createOrder(customerToken: string, productToken: string): Expected {
    const customer = this.customers.find((one) => one.token === customerToken);
    if (!customer || !has(this.products, productToken)) return refused('validation');
    customer.orders++;
    return done();
  }

  createMedia(token: string): Expected {
    this.media.unshift({ token, altText: null });
    return done('media.created');
  }

  updateMedia(token: string, altText: string | null): Expected {
    const media = this.media.find((one) => one.token === token);
    if (!media) return refused('notFound');
    if (media.altText === altText) return done();
    media.altText = altText;
    return done('media.updated');
  }

  deleteMedia(token: string): Expected {
    return this.#remove(this.media, token, 'media.deleted');
  }

  #changed(before: ModelCustomer, change: CustomerChange): ModelCustomer | undefined {
    if (invalidInput(change)) return undefined;
    const after = { ...before, email: change.email?.trim() ?? before.email, name: change.name ?? before.name };
    if (change.name === null) after.name = null;
    let marked = before.defaultAddressId;
    if (change.addresses) {
      if (change.addresses.some(({ token }) => token !== null && !has(before.addresses, token))) return undefined;
      after.addresses = change.addresses.map(({ token, city }) => ({ token: token ?? this.newAddress(), city }));
      const said = change.addresses.findIndex(({ isDefault }) => isDefault === true);
      const kept = change.addresses.some(({ token, isDefault }) => token === marked && isDefault !== false);
      marked = said >= 0 ? (after.addresses[said]?.token ?? null) : kept ? marked : null;
    }
    const named = change.defaultAddressId;
    if (named && !has(after.addresses, named)) return undefined;
    if (named !== undefined && named !== before.defaultAddressId) {
      const markedAnother = marked !== null && marked !== before.defaultAddressId && marked !== named;
      if (markedAnother) return undefined;
      marked = named;
    }
    return { ...after, defaultAddressId: marked };
  }

  newAddress(): string {
    return `address-${this.#addresses++}`;
  }

  #emailTaken(customer: ModelCustomer, before: ModelCustomer | undefined): boolean {
    const email = customer.email.toLowerCase();
    return this.customers.some((other) => other !== before && other.email.toLowerCase() === email);
  }

  #remove(from: { token: string }[], token: string, event: string): Expected {
    const at = from.findIndex((one) => one.token === token);
    if (at === -1) return refused('notFound');
    from.splice(at, 1);
    return done(event);
  }
}

function invalidInput({ email, addresses }: CustomerChange): boolean {
  const ids = addresses?.flatMap(({ token }) => token ?? []) ?? [];
  const marked = addresses?.filter(({ isDefault }) => isDefault).length ?? 0;
  return email === 'bad' || marked > 1 || new Set(ids).size !== ids.length;
}

function has(list: readonly { token: string }[], token: string): boolean {
  return list.some((one) => one.token === token);
}

function normal(product: ModelProduct): ModelProduct {
  const [whole, decimals = ''] = product.price.split('.');
  return {
    ...product,
    price: product.price === 'bad' ? 'bad' : `${whole}.${decimals.padEnd(2, '0')}`,
    everPublished: product.everPublished || product.status === 'published',
    categoryIds: [...new Set(product.categoryIds)],
    mediaIds: [...new Set(product.mediaIds)],
  };
}
