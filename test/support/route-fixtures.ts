import {
  type Context,
  createApiKey,
  createCategory,
  createCustomer,
  createMedia,
  createOrder,
  createPage,
  createWebhook,
  listAuditLogs,
  listPayments,
  testWebhook,
  updateStore,
  uuidV7Source,
} from '@commerce/core';
import { form, formType } from './media-forms.ts';
import { picture, uploadOf } from './media-images.ts';
import type { Sending } from './requests.ts';
import { newProduct } from './shop.ts';
import { configureStripe, payment, send } from './stripe.ts';

/** What a good request of one route needs. */
export interface RouteFixture {
  /** Makes something of the store that the path can name, and gives the values of its parameters. */
  own?: (shop: Context) => Promise<Record<string, string>>;
  /** A body that is taken, a new one each time. */
  body?: () => Sending | Promise<Sending>;
  /** A query that is needed. */
  query?: string;
}

let made = 0;
const slug = () => `fixture-${++made}`;
const json = (body: () => object) => ({ body: (): Sending => ({ body: body() }) });

type Made = { id: string };
const idOf = (make: (shop: Context) => Promise<Made>) => ({
  own: async (shop: Context) => ({ id: (await make(shop)).id }),
});

const category = idOf((shop) => createCategory(shop, { name: 'Mugs', slug: slug() }));
const page = idOf((shop) => createPage(shop, { title: 'About', slug: slug() }));
const customer = idOf((shop) => createCustomer(shop, { email: `${slug()}@example.com`, name: 'Ada' }));
const product = idOf((shop) => newProduct(shop));
const apiKey = idOf((shop) => createApiKey(shop, { name: 'fixture', scopes: ['product.read'] }));
const webhook = idOf((shop) =>
  createWebhook(shop, { url: `https://subscriber.example.com/${slug()}`, events: ['page.created'] }),
);
const delivery = {
  own: async (shop: Context) => {
    const { id } = await webhook.own(shop);
    return { id, deliveryId: (await testWebhook(shop, id)).id };
  },
};
const order = idOf(async (shop) => {
  const { id: productId } = await newProduct(shop);
  return createOrder(shop, { items: [{ productId, quantity: 1 }] });
});
const paidOrder = idOf(async (shop) => {
  const { id: productId } = await newProduct(shop, { price: '10' });
  const pending = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
  await configureStripe(shop);
  await send(shop, payment(pending.id, 1000).chargeSucceeded());
  return pending;
});
const lostPayment = {
  own: async (shop: Context) => {
    await configureStripe(shop);
    const { id: paymentId, chargeSucceeded } = payment(null, 1000);
    await send(shop, chargeSucceeded());
    const { items } = await listPayments(shop, { matched: 'none', limit: 200 });
    return { id: items.find(({ providerPaymentId }) => providerPaymentId === paymentId)?.id ?? '' };
  },
};
const ids = uuidV7Source();
/** The id of the newest order that payments are applied to, in each store that made one. */
let orderToPay = ids.next(Date.now());

async function makeOrderToPay(shop: Context): Promise<void> {
  const { id: productId } = await newProduct(shop, { price: '10' });
  const items = [{ productId, quantity: 1 }];
  // The last one may be paid by now.
  await createOrder(shop, { id: orderToPay, items }).catch(async () => {
    orderToPay = ids.next(Date.now());
    await createOrder(shop, { id: orderToPay, items });
  });
}

const payableOrder = idOf(async (shop) => {
  await updateStore(shop, { manualPayments: true });
  const { id: productId } = await newProduct(shop, { price: '10' });
  return createOrder(shop, { items: [{ productId, quantity: 1 }] });
});
const media = idOf(async (shop) => (await createMedia(shop, [uploadOf('png', await picture('png'))]))[0] as Made);
const auditLog = idOf(async (shop) => {
  await newProduct(shop);
  return (await listAuditLogs(shop, { limit: 1 })).items[0] as Made;
});

/** For every route of the table what makes a good request of it: a new route has to get a line here. */
export const routeFixtures: Record<string, RouteFixture> = {
  'GET /products': {},
  'POST /products': json(() => ({ title: 'Mug', slug: slug(), price: '10' })),
  'GET /products/{id}': product,
  'PUT /products/{id}': { ...product, ...json(() => ({ title: 'Cup' })) },
  'DELETE /products/{id}': product,
  'GET /products/attributes': {},
  'GET /products/by-attributes': { query: 'colour=red' },
  'GET /products/by-variant-group': { query: 'variantGroupId=mugs' },
  'GET /categories': {},
  'POST /categories': json(() => ({ name: 'Mugs', slug: slug() })),
  'GET /categories/{id}': category,
  'PUT /categories/{id}': { ...category, ...json(() => ({ name: 'Cups' })) },
  'DELETE /categories/{id}': category,
  'GET /customers': {},
  'POST /customers': json(() => ({ email: `${slug()}@example.com`, name: 'Ada' })),
  'GET /customers/{id}': customer,
  'PUT /customers/{id}': { ...customer, ...json(() => ({ name: 'Grace' })) },
  'DELETE /customers/{id}': customer,
  'GET /pages': {},
  'POST /pages': json(() => ({ title: 'About', slug: slug() })),
  'GET /pages/{id}': page,
  'PUT /pages/{id}': { ...page, ...json(() => ({ title: 'About us' })) },
  'DELETE /pages/{id}': page,
  'GET /api-keys': {},
  'POST /api-keys': json(() => ({ name: 'another', scopes: ['apiKey.write'] })),
  'GET /api-keys/{id}': apiKey,
  'DELETE /api-keys/{id}': apiKey,
  'GET /audit-logs': {},
  'GET /audit-logs/{id}': auditLog,
  'GET /orders': {},
  'POST /orders': {
    // The product is found by its SKU, which whoever sends this has to make first.
    ...json(() => ({ items: [{ sku: fixtureSku, quantity: 1 }] })),
  },
  'GET /orders/{id}': order,
  'PUT /orders/{id}': { ...order, ...json(() => ({ merchantNote: 'to be wrapped' })) },
  'GET /orders/{id}/refunds': paidOrder,
  'POST /orders/{id}/refund': { ...paidOrder, ...json(() => ({ amount: '1' })) },
  'POST /products/{id}/stock': { ...product, ...json(() => ({ adjustment: 5 })) },
  'GET /payments': {},
  'GET /payments/{id}': lostPayment,
  'POST /payments/{id}/apply': {
    own: async (shop: Context) => {
      await makeOrderToPay(shop);
      return lostPayment.own(shop);
    },
    ...json(() => ({ orderId: orderToPay })),
  },
  'POST /payments/{id}/dismiss': { ...lostPayment, ...json(() => ({ reason: 'sent back' })) },
  'POST /orders/{id}/payments': { ...payableOrder, ...json(() => ({ method: 'transfer', amount: '10' })) },
  'GET /media': {},
  'POST /media': { body: async () => ({ body: form({ content: await picture('png') }), type: formType }) },
  'GET /media/{id}': media,
  'PUT /media/{id}': { ...media, ...json(() => ({ altText: 'A mug' })) },
  'DELETE /media/{id}': media,
  'GET /webhooks': {},
  'POST /webhooks': json(() => ({ url: `https://subscriber.example.com/${slug()}`, events: ['page.created'] })),
  'GET /webhooks/{id}': webhook,
  'PUT /webhooks/{id}': { ...webhook, ...json(() => ({ events: ['page.deleted'] })) },
  'DELETE /webhooks/{id}': webhook,
  'POST /webhooks/{id}/rotate-secret': webhook,
  'POST /webhooks/{id}/test': webhook,
  'POST /webhooks/{id}/replay': { ...webhook, ...json(() => ({ since: new Date(0).toISOString() })) },
  'GET /webhooks/{id}/deliveries': webhook,
  'GET /webhooks/{id}/deliveries/{deliveryId}': delivery,
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver': delivery,
};

/** The SKU that the order of the fixtures asks for. */
export const fixtureSku = 'FIXTURE';

/** A path of the table with these in the place of its parameters, as they stand in a URL. */
export function pathWith(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}
