import { randomUUID } from 'node:crypto';
import {
  createCustomer,
  createFulfilment,
  createSignInCode,
  putMailTemplate,
  updateSettings,
  updateStore,
} from '@commerce/core';
import { freeCheckout, openCheckout, shopOrigin, withMailServer } from '../fixtures/route-fixtures.ts';
import { eventsOf, numbered, providers } from './fuzz-notifications.ts';
import type { DrawnRequest } from './fuzz-requests.ts';
import type { FuzzedShop } from './fuzz-shop.ts';
import { namedId } from './fuzz-values.ts';

type Body = Record<string, unknown>;

/** The parameters, the body and the query of a request that has to succeed. */
export interface ValidParts {
  params: string[];
  body: string | undefined;
  query: [name: string, value: string][];
}

/** Changes a body, and can return other parameters than the pools'. */
type Rule = (body: Body, shop: FuzzedShop, drawn: DrawnRequest) => Promise<string[] | undefined>;

/** Completes a drawn request with the store's rules beyond the schema: free names, existing references, allowed transitions. */
export async function validParts(drawn: DrawnRequest, shop: FuzzedShop): Promise<ValidParts> {
  const parts = await pathAndBody(drawn, shop);
  if (drawn.operation.path.endsWith('/imports/{id}')) {
    // An import is found only under its resource.
    const [resource = '', id] = shop.pick('imports by resource', drawn.n).split('/');
    if (id !== undefined) return { ...parts, params: [id], query: [['resource', resource]] };
  }
  // Only a provider's notification goes there, with the store in the address.
  if (drawn.operation.path.startsWith('/checkout/return/')) return { ...parts, query: [['store', shop.ctx.store.id]] };
  const query: ValidParts['query'] = drawn.query.map(([name, value]) => [name, textsOfQueries[name]?.(shop) ?? value]);
  return { ...parts, query: drawn.operation.path.includes('/products') ? listable(query) : query };
}

/** A query of a list of products without parameters that exclude each other. */
function listable(query: ValidParts['query']): ValidParts['query'] {
  const sort = query.find(([name]) => name === 'sort')?.[1] ?? '';
  const isRanked = sort === 'relevance' || sort === 'bestselling' || query.some(([name]) => name === 'group');
  const isSearch = query.some(([name, value]) => name === 'search' && value.trim() !== '');
  return query.filter(
    ([name]) => (name !== 'after' || !isRanked) && (name !== 'sort' || sort !== 'relevance' || isSearch),
  );
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Texts of query parameters for which the schema says less than the store requires. */
const textsOfQueries: Record<string, (shop: FuzzedShop) => string> = {
  // The last product of the previous page.
  after: (shop) => shop.goods.id,
  map: () => '{"Name":"title"}',
  minPrice: () => '1.50',
  maxPrice: () => '99',
  facets: () => 'color,price,category',
  include: () => 'variants,media',
  from: () => daysFromNow(-20),
  to: () => daysFromNow(2),
  until: () => daysFromNow(2),
  timeZone: () => 'Asia/Kathmandu',
};

async function pathAndBody(drawn: DrawnRequest, shop: FuzzedShop): Promise<Omit<ValidParts, 'query'>> {
  const { operation, params: chosen } = drawn;
  await shop.fill();
  const kind = operation.path.split('/')[3] ?? '';
  const usual = operation.params.map((name, i) => {
    const one = chosen[i] ?? { known: 0 };
    return knownParameter(name, kind, 'known' in one ? one.known : 0, shop);
  });
  if (operation.path.startsWith('/api/webhooks/')) return notification(drawn, shop);
  // These cannot be created again: the shop keeps its providers, and imports are stopped.
  const isKept = kind === 'payment-providers' || kind === 'imports';
  if (operation.method === 'DELETE' && isKept) return { params: usual, body: undefined };
  if (operation.method === 'DELETE' && kind === 'mail-templates') await putMailTemplate(shop.ctx, ...mailText);
  else if (operation.method === 'DELETE') return { params: [await shop.create(kind)], body: undefined };
  const rule = rules[`${operation.method.replace('PATCH', 'PUT')} ${operation.path.replace('/stores/{storeId}', '')}`];
  if (drawn.body === undefined) return { params: (await rule?.({}, shop, drawn)) ?? usual, body: undefined };
  const text = drawn.body.replace(namedId, (_, kind: string, n: string) => shop.pick(kind, Number(n)));
  const body = tidied(JSON.parse(text), shop) as Body;
  const params = (await rule?.(body, shop, drawn)) ?? usual;
  return { params, body: JSON.stringify(body) };
}

const assets = ['redoc.js', 'page.js', 'licences.txt'] as const;

function knownParameter(name: string, kind: string, n: number, shop: FuzzedShop): string {
  if (name === 'asset') return assets[n % assets.length] ?? '';
  if (name === 'provider') return 'paypal';
  if (name === 'kind') return mailText[0];
  if (name === 'locale') return mailText[1];
  if (name === 'checkoutId') return shop.pick('checkouts', n);
  if (name === 'file') return `${shop.pick('media', n)}.png`;
  return shop.pick(kind, n);
}

const amounts = new Set(['price', 'compareAtPrice', 'amount', 'shipping', 'discount', 'lineDiscount']);

/** The value with unique names, and amounts in cents. */
function tidied(value: unknown, shop: FuzzedShop, field = ''): unknown {
  if (Array.isArray(value)) return value.map((part) => tidied(part, shop));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tidied(part, shop, name)]));
  }
  if (typeof value !== 'string') return value;
  if (field === 'slug' || field === 'sku') return `${value.slice(0, 200)}-${shop.unique()}`;
  // The drawn addresses are on another host.
  if (field === 'email') return `a${shop.unique()}@shop.test`;
  if (field === 'url') return `https://subscriber.example.com/${shop.unique()}`;
  if (field === 'locale') return 'de';
  if (field === 'vatId') return 'DE136695976';
  if (value.trim() === '') return 'x';
  return amounts.has(field) ? value.replace(/(\.\d\d)\d+$/, '$1') : value;
}

const withRoot: Rule = async (body, shop, { n }) => {
  if (typeof body.parentId === 'string') body.parentId = shop.roots[n % shop.roots.length];
  return undefined;
};

/** A discount with a value that suits its type, and with valid times. */
const discountOf: Rule = async (body, shop) => {
  if (body.code !== undefined) body.code = `CODE${shop.unique()}`;
  if (body.type !== undefined || body.value !== undefined) Object.assign(body, { type: 'percent', value: '12.5' });
  if (body.minSubtotal) body.minSubtotal = '1.50';
  if (body.startsAt) body.startsAt = '2020-01-31T00:00:00+02:00';
  if (body.endsAt) body.endsAt = '2130-01-31T00:00:00Z';
  return undefined;
};

/** A text of the shop's own for a kind of mail. */
const mailText: [string, string, { subject: string; text: string }] = [
  'order.shipped',
  'de',
  { subject: 'Unterwegs', text: 'Ihr Paket ist unterwegs.' },
];

/** What products of the shop can name. */
const maker = { id: 'maker', name: 'Morning Cups', address: 'Teichweg 1', email: 'maker@shop.test' };

/** Names a party that there is, and measures the same twice. */
async function asListed(body: Body, shop: FuzzedShop): Promise<void> {
  const named = ['manufacturerId', 'responsiblePersonId'].filter((field) => body[field]);
  for (const field of named) body[field] = maker.id;
  if (named.length > 0) await updateSettings(shop.ctx, { parties: [maker] });
  if (body.unitPricing) body.unitPricing = { measure: '750 ml', base: '1 l' };
}

const rules: Record<string, Rule> = {
  'PUT /mail-templates/{kind}/{locale}': async (body) => {
    Object.assign(body, mailText[2]);
    return undefined;
  },
  'POST /mails/{id}/resend': async (body, shop) => {
    if (body.to !== undefined) body.to = 'eve@shop.test';
    await withMailServer(shop.ctx);
    return [await shop.create('mails')];
  },
  'POST /mail/preview': async (body) => {
    Object.assign(body, { kind: mailText[0], locale: mailText[1], template: mailText[2] });
    return undefined;
  },
  'POST /mail/test': async (body, shop) => {
    body.to = 'owner@shop.test';
    await withMailServer(shop.ctx);
    return undefined;
  },
  'POST /mcp': async (body, shop, { n }) => {
    const calls = [
      { method: 'tools/list' },
      { method: 'tools/call', params: { name: 'list_products', arguments: { limit: (n % 200) + 1 } } },
      { method: 'tools/call', params: { name: 'create_page', arguments: { title: 'x', slug: `p-${shop.unique()}` } } },
    ];
    Object.assign(body, { jsonrpc: '2.0', id: n, params: {} }, calls[n % calls.length]);
    return undefined;
  },
  'POST /orders/{id}/invoice': async (_, shop) => {
    const seller = { name: 'Tea', address: 'Teichweg 1', email: 'tea@shop.test' };
    await updateSettings(shop.ctx, { seller, invoices: { enabled: false } });
    return [(await shop.paidOrder()).id];
  },
  'POST /withdrawals': async (body) => {
    Object.assign(body, { name: 'Ada', orderNumber: '1001' });
    if (body.items !== undefined) body.items = [{ sku: 'MUG', quantity: 1 }];
    return undefined;
  },
  'PUT /withdrawals/{id}': async (body) => {
    delete body.orderId;
    body.status = 'closed';
    return undefined;
  },
  'POST /ucp/{storeId}/catalog/search': async (body, shop) => {
    await shop.openForAgents();
    body.query ??= 'seed';
    // Only cursors of answers are taken.
    if (body.pagination) body.pagination = { limit: 2 };
    return undefined;
  },
  'POST /ucp/{storeId}/catalog/lookup': async (_, shop) => {
    await shop.openForAgents();
    return undefined;
  },
  'POST /ucp/{storeId}/catalog/product': async (body, shop) => {
    await shop.openForAgents();
    // Each option once.
    if (body.selected) body.selected = (body.selected as unknown[]).slice(0, 1);
    return undefined;
  },
  'POST /ucp/{storeId}/mcp': async (body, shop, { n }) => {
    await shop.openForAgents();
    for (const name of Object.keys(body)) delete body[name];
    const params = { name: 'search_catalog', arguments: { catalog: { query: 'seed' } } };
    Object.assign(body, {
      jsonrpc: '2.0',
      id: n,
      ...(n % 2 ? { method: 'tools/list' } : { method: 'tools/call', params }),
    });
    return undefined;
  },
  'POST /discounts': discountOf,
  'PUT /discounts/{id}': discountOf,
  'PUT /settings': async (body, shop, { n }) => {
    if (body.taxRate !== undefined) body.taxRate = '0.19';
    if (body.timeZone !== undefined) body.timeZone = 'Europe/Berlin';
    if (body.returnUrls !== undefined) body.returnUrls = [shopOrigin];
    // The products of other requests are of any class, and their addresses have no codes.
    if (body.taxes) body.taxes = null;
    if (body.country !== undefined) body.country = 'DE';
    if (body.invoices !== undefined) body.invoices = { enabled: false, digits: 4 };
    if (body.mail !== undefined) body.mail = { from: 'shop@shop.test', ownerAddress: null, smtp: null };
    if (body.orderUrl) body.orderUrl = 'https://shop.example/order#{token}';
    if (body.locale !== undefined) body.locale = 'de';
    // The carts of other requests must stay large enough.
    if (body.minSubtotal) body.minSubtotal = '0.00';
    if (body.pages !== undefined) body.pages = { terms: shop.pick('pages', n) };
    for (const field of ['productUrl', 'pageUrl']) if (body[field]) body[field] = 'https://shop.example/{slug}';
    if (body.parties !== undefined) body.parties = [maker];
    // Feeds need the address of products, which a later request must be able to take back.
    if (body.ucp) body.ucp = { enabled: true, host: null };
    if (body.feed) body.feed = { enabled: false, columns: { color: 'colour' }, targetCountries: ['DE'] };
    const ways = body.paymentMethods as Body[] | undefined;
    ways?.forEach((way, i) => {
      Object.assign(way, { id: `way-${i}`, name: 'Card', kind: 'provider', provider: 'stripe', active: true });
      for (const field of ['countries', 'minTotal', 'maxTotal', 'holdDays']) way[field] = null;
    });
    const methods = body.shippingMethods as Body[] | undefined;
    methods?.forEach((method, i) => {
      Object.assign(method, { id: `method-${i}`, name: 'Post', price: '4.90', freeFrom: null, minSubtotal: null });
      if (method.rates) method.rates = [{ upToWeight: 2000, price: '4.90' }, { price: '9.90' }];
      if (method.postalPrefixes) method.postalPrefixes = { include: null, exclude: ['99'] };
      if (method.deliveryDays) method.deliveryDays = { min: 1, max: 2 };
      // The addresses of other requests have no codes.
      method.countries = null;
    });
    return undefined;
  },
  'POST /checkouts': async (body, shop) => {
    await shop.openForCheckouts();
    Object.assign(body, freeCheckout(), { discountCode: null });
    if (body.taxExempt) body.taxExempt = { reason: 'export' };
    for (const name of ['shippingMethodId', 'replaces', 'provider', 'paymentMethodId']) delete body[name];
    return undefined;
  },
  'POST /checkouts/quote': async (body, shop) => {
    await shop.openForCheckouts();
    for (const name of Object.keys(body)) if (name !== 'items') delete body[name];
    body.items = (body.items as Body[]).slice(0, 5).map(() => ({ productId: shop.goods.id, quantity: 2 }));
    return undefined;
  },
  'POST /checkouts/{id}/cancel': async (body, shop) => {
    delete body.secret;
    return [(await openCheckout.own(shop.ctx)).id ?? ''];
  },
  'POST /dashboard/sign-in': async (body, shop) => {
    await shop.makeRoom();
    body.code = (await createSignInCode(shop.ctx)).code;
    return undefined;
  },
  'POST /payment-providers/{provider}/connect': async (body) => {
    for (const field of Object.keys(body)) if (field !== 'makeOrders') delete body[field];
    return undefined;
  },
  'PUT /payment-providers/{provider}': async (body) => {
    for (const field of Object.keys(body)) if (field !== 'makeOrders') delete body[field];
    return undefined;
  },
  'PUT /products/bulk': async (body, shop) => {
    body.ids = [await shop.create('products'), await shop.create('products')];
    const changes = body.changes as Body;
    for (const field of ['pricePercent', 'categoryIds', 'comparePreviousPrice', 'setAttributes', 'removeAttributes']) {
      delete changes[field];
    }
    if (changes.addCategoryIds !== undefined) changes.addCategoryIds = [shop.roots[0]];
    if (Object.keys(changes).length === 0) changes.pricePercent = '5';
    return undefined;
  },
  'POST /products': async (body, shop) => {
    await asListed(body, shop);
    if (typeof body.stock === 'number') body.stock = Math.abs(body.stock);
    return undefined;
  },
  'PUT /products/{id}': async (body, shop) => {
    await asListed(body, shop);
    if (typeof body.stock !== 'number') return undefined;
    // It would be refused for a product that was sold.
    body.stock = Math.abs(body.stock);
    return [await shop.create('products')];
  },
  'POST /products/{id}/stock': async (body) => {
    body.adjustment = (Math.abs(Number(body.adjustment)) % 1000) + 1;
    return undefined;
  },
  'POST /categories': withRoot,
  'PUT /categories/{id}': async (body, shop, drawn) => {
    await withRoot(body, shop, drawn);
    // A category with children stays a root.
    return typeof body.parentId === 'string' ? [await shop.create('categories')] : undefined;
  },
  'POST /customers': async (body) => {
    body.addresses = addressesOf(body, []);
    delete body.defaultAddressId;
    return undefined;
  },
  'PUT /customers/{id}': async (body, shop) => {
    const place = { address1: '1 Main Street', city: 'London', postalCode: 'N1', country: 'GB' };
    const email = `buyer${shop.unique()}@shop.test`;
    const { id, addresses } = await createCustomer(shop.ctx, { email, addresses: [place, place] });
    const ids = addresses.map((address) => address.id);
    if (body.addresses !== undefined) body.addresses = addressesOf(body, ids);
    const keepsFirst = !Array.isArray(body.addresses) || body.addresses.length > 0;
    if (body.defaultAddressId !== undefined) body.defaultAddressId = keepsFirst ? ids[0] : null;
    if (Array.isArray(body.addresses)) for (const one of body.addresses) delete one.isDefault;
    return [id];
  },
  'POST /users': async (_, shop) => {
    await shop.makeRoom();
    return undefined;
  },
  // An invited user becomes active by using the link.
  'PUT /users/{id}': async (body, shop) => {
    delete body.status;
    return [await shop.create('users')];
  },
  'POST /users/{id}/reset': async (_, shop) => [await shop.create('users')],
  'POST /api-keys': async (body, shop, { n }) => {
    await shop.makeRoom();
    // A storefront key has fixed scopes.
    if (body.kind === 'storefront') delete body.scopes;
    else body.scopes = n % 2 === 0 ? ['product.read', 'orders:read'] : ['category.write'];
    if (typeof body.expiresAt === 'string') body.expiresAt = '2130-01-31T00:00:00Z';
    return undefined;
  },
  'POST /webhooks': async (_, shop) => {
    await shop.makeRoom();
    return undefined;
  },
  'POST /webhooks/{id}/test': activeWebhook,
  'POST /webhooks/{id}/replay': activeWebhook,
  'GET /webhooks/{id}/deliveries/{deliveryId}': knownDelivery,
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver': knownDelivery,
  'GET /subscribers/{name}/deliveries': async (_, shop) => [shop.subscriber],
  'POST /orders': async (body, shop) => {
    const items = body.items as Body[];
    for (const item of items) {
      item.productId = shop.goods.id;
      delete item.sku;
      if (item.lineDiscount !== undefined) item.lineDiscount = '1.50';
    }
    if (body.discount !== undefined) body.discount = '0.50';
    if (body.shipping !== undefined) body.shipping = '4.90';
    delete body.shippingMethodId;
    if (body.taxRate !== undefined) body.taxRate = '0.19';
    if (body.taxExempt) body.taxExempt = { reason: 'other', note: 'A museum' };
    if (body.id !== undefined) body.id = randomUUID();
    if (body.customer) delete body.customerId;
    return undefined;
  },
  'PUT /orders/{id}': async (body, shop, { n }) => {
    // Tracking is set only together with the fulfilment.
    if (body.tracking) Object.assign(body, { status: 'fulfilled', tracking: { number: '1' } });
    if (body.status === undefined) return undefined;
    const waits = body.status === 'pending' || (body.status === 'cancelled' && n % 2 === 0);
    if (body.status === 'refunded') body.status = 'fulfilled';
    return [(waits ? await shop.pendingOrder() : await shop.paidOrder()).id];
  },
  'POST /orders/{id}/fulfilments': async (body, shop) => {
    const { id, items } = await shop.paidOrder();
    if (Array.isArray(body.lines)) body.lines = [{ itemId: items[0]?.id, quantity: 1 }];
    if (body.tracking) body.tracking = { carrier: 'DHL', number: '1', url: 'https://carrier.test/1' };
    if (typeof body.shippedAt === 'string') body.shippedAt = '2020-01-31T00:00:00+02:00';
    return [id];
  },
  'PUT /orders/{id}/fulfilments/{fulfilment}': async (body, shop) => {
    if (body.tracking) body.tracking = { carrier: 'DHL', number: '1', url: 'https://carrier.test/1' };
    const { id } = await shop.paidOrder();
    const parcel = await createFulfilment(shop.ctx, id);
    if (typeof body.deliveredAt === 'string') body.deliveredAt = parcel.shippedAt;
    return [id, parcel.id];
  },
  'POST /orders/{id}/refund': async (body, shop, { n }) => {
    if (typeof body.refundId === 'string') body.refundId = `re_${shop.unique()}`;
    // Its payments cannot be asked for refunds.
    body.execute = false;
    if (Array.isArray(body.lines)) body.lines = null;
    delete body.shipping;
    if (body.restock === true) {
      body.amount = '32.00';
      return [(await shop.paidOrder()).id];
    }
    body.amount = `${n % 3}.${10 + (n % 90)}`;
    if (Array.isArray(body.restock)) body.restock = [{ productId: shop.goods.id, quantity: 1 }];
    return [shop.paidOrders[n % shop.paidOrders.length] ?? ''];
  },
  'POST /orders/{id}/payments': async (body, shop) => {
    await updateStore(shop.ctx, { manualPayments: true });
    body.amount = '32.00';
    if (typeof body.paidAt === 'string') body.paidAt = '2020-01-31T00:00:00+02:00';
    return [(await shop.pendingOrder()).id];
  },
  'POST /payments/{id}/apply': async (body, shop) => {
    body.orderId = (await shop.pendingOrder()).id;
    return [(await shop.lostPayment()).id];
  },
  'POST /payments/{id}/refund': async (body, shop, { n }) => {
    body.amount = `${n % 30}.${10 + (n % 90)}`;
    delete body.refundId;
    return [(await shop.lostTap()).id];
  },
  'POST /payments/{id}/dismiss': async (_, shop) => [(await shop.lostPayment()).id],
};

/** Whole addresses, at most one of them the default; the first ones change the addresses with these ids. */
function addressesOf({ addresses }: Body, ids: readonly string[]): Body[] {
  return ((addresses ?? []) as Body[]).map(({ id: _, ...address }, i) => ({
    ...{ address1: '12 St James Square', city: 'London', postalCode: 'SW1Y', country: 'GB' },
    ...address,
    // Null is for countries without postal codes.
    postalCode: address.postalCode ?? 'SW1Y',
    ...(ids[i] === undefined ? {} : { id: ids[i] }),
    isDefault: i === 1 && address.isDefault === true,
  }));
}

async function activeWebhook(_: Body, shop: FuzzedShop, { n }: DrawnRequest): Promise<string[]> {
  return [shop.activeWebhooks[n % shop.activeWebhooks.length] ?? ''];
}

async function knownDelivery(_: Body, shop: FuzzedShop, { n }: DrawnRequest): Promise<string[]> {
  return shop.pick('deliveries', n).split('/');
}

/** A provider's event about an order that waits for it, about a known order, or about none. */
async function notification({ operation, n }: DrawnRequest, shop: FuzzedShop): Promise<Omit<ValidParts, 'query'>> {
  const provider = providers[n % providers.length] ?? 'stripe';
  const orders = [async () => (await shop.pendingOrder()).id, async () => shop.pick('orders', n), async () => null];
  const orderId = (await orders[(n % 7) % 3]?.()) ?? null;
  const events = eventsOf(provider, orderId, shop.unique());
  const event = numbered(events[n % events.length] ?? {}, shop.unique());
  return { params: operation.params.map(() => provider), body: JSON.stringify(event) };
}
