import {
  type Category,
  type Clock,
  type Context,
  createCategory,
  createCustomer,
  createMedia,
  createOrder,
  createProduct,
  getOrder,
  listCategories,
  listCustomers,
  listOrders,
  listProducts,
  type Order,
  recordPayment,
  refundOrder,
  updateMedia,
  updateOrder,
  updateProduct,
  updateStore,
} from '@commerce/core';
import { categories, customers, type DemoGroup, type DemoProduct, emailOf, mark, products } from './catalogue.ts';
import { type DemoOrder, day, hour, makeOrders, span } from './orders.ts';
import { makePages } from './pages.ts';
import { makeParties } from './parties.ts';

/** A clock that the demonstration sets to the times of its orders. */
export interface DemoClock extends Clock {
  set(time: number): void;
}

export function demoClock(): DemoClock {
  let time = Date.now();
  return {
    now: () => time,
    set: (to) => {
      time = to;
    },
  };
}

/** Numbers of created things; things that existed are not counted. */
export interface Filled {
  categories: number;
  products: number;
  images: number;
  customers: number;
  orders: number;
  pages: number;
}

/** Adds the missing parts of the demonstration to a store: a second call adds nothing, and a call after an interruption adds the rest. */
export async function fillDemo(shop: Context, clock: DemoClock, progress: (what: string) => void): Promise<Filled> {
  const now = Date.now();
  // A reduction tells the lowest price of the 30 days before it, so the goods were offered longer than that.
  clock.set(now - span - 40 * day);
  const filled: Filled = { categories: 0, products: 0, images: 0, customers: 0, orders: 0, pages: 0 };
  progress('categories');
  const categoryIds = await makeCategories(shop, filled);
  progress('products and their images');
  await makeParties(shop);
  const productIds = await makeProducts(shop, categoryIds, filled, () => clock.set(now - span - 2 * day));
  progress('sample pages');
  filled.pages = await makePages(shop);
  progress('customers');
  const customerIds = await makeCustomers(shop, filled);
  progress('a month of orders');
  await makeMonth(shop, clock, now, { productIds, customerIds }, filled);
  return filled;
}

/** Finds a demo category by its slug, or by another if the shop has its own category with that slug; `free` is the slug to use. */
export async function findCategory(shop: Context, slug: string): Promise<{ found?: Category; free: string }> {
  let free = slug;
  for (const candidate of [slug, `${slug}-demo`]) {
    const [category] = (await listCategories(shop, { slug: candidate })).items;
    if (category?.seoKeywords === mark.keywords) return { found: category, free };
    if (category) free = `${slug}-demo`;
  }
  return { free };
}

async function makeCategories(shop: Context, filled: Filled): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { slug, name, description, below } of categories) {
    const { found, free } = await findCategory(shop, slug);
    const parentId = below === undefined ? null : (ids.get(below) ?? null);
    const input = { name, slug: free, description, parentId, seoKeywords: mark.keywords, status: 'published' } as const;
    const category = found ?? (await createCategory(shop, input));
    if (!found) filled.categories++;
    ids.set(slug, category.id);
  }
  return ids;
}

/** @param later moves the clock to the time of the reductions */
async function makeProducts(
  shop: Context,
  categoryIds: Map<string, string>,
  filled: Filled,
  later: () => void,
): Promise<string[]> {
  const ids: string[] = [];
  const images = new Map<string, string>();
  const reduced: { id: string; price: number; before: number }[] = [];
  for (const product of products) {
    const [known] = (await listProducts(shop, { sku: product.sku })).items;
    const picture = `${product.group.slug} ${product.color}`;
    if (known?.primaryMediaId) images.set(picture, known.primaryMediaId);
    const id = known?.id ?? (await makeProduct(shop, product, { categoryIds, images, picture }, filled));
    ids.push(id);
    const { price, group } = product;
    if (!known && group.before !== undefined) reduced.push({ id, price, before: beforeOf(product) });
  }
  later();
  for (const { id, price, before } of reduced) {
    const { decimals } = shop.store;
    await updateProduct(shop, id, { price: amountOf(price, decimals), compareAtPrice: amountOf(before, decimals) });
  }
  return ids;
}

interface Surroundings {
  categoryIds: Map<string, string>;
  /** Images by shape and colour; the sizes share them. */
  images: Map<string, string>;
  picture: string;
}

async function makeProduct(
  shop: Context,
  product: DemoProduct,
  { categoryIds, images, picture }: Surroundings,
  filled: Filled,
): Promise<string> {
  const { sku, slug, title, group, color, attributes, stock } = product;
  let image = images.get(picture);
  if (image === undefined && shop.engine.media.files) {
    image = await makePicture(shop, group, color);
    images.set(picture, image);
    filled.images++;
  }
  const { items: taken } = await listProducts(shop, { slug });
  const { id } = await createProduct(shop, {
    title,
    slug: taken.length > 0 ? `${slug}-demo` : slug,
    sku,
    description: group.description,
    price: amountOf(beforeOf(product), shop.store.decimals),
    brand: group.brand,
    manufacturerId: group.manufacturer,
    responsiblePersonId: group.responsiblePerson ?? null,
    safetyNotes: group.safetyNotes ?? null,
    unitPricing: group.unitPricing ?? null,
    variantGroupId: `demo-${group.slug}`,
    attributes,
    trackStock: true,
    stock,
    lowStockThreshold: 5,
    weight: group.weight,
    withdrawalExempt: group.withdrawalExempt ?? null,
    categoryIds: [categoryIds.get(group.category) ?? ''],
    mediaIds: image === undefined ? [] : [image],
    primaryMediaId: image ?? null,
    status: 'published',
  });
  filled.products++;
  return id;
}

/** The price before its reduction, or the price of a product without one. */
function beforeOf({ group, price }: DemoProduct): number {
  return group.before === undefined ? price : group.before + price - group.price;
}

async function makePicture(shop: Context, group: DemoGroup, color: DemoProduct['color']): Promise<string> {
  // Only this needs the library that draws.
  const { drawPicture } = await import('./pictures.ts');
  const bytes = await drawPicture(group.shape, color);
  const upload = { fileName: `${group.slug}-${color}.jpg`, mimeType: 'image/jpeg', content: once(bytes) };
  const [media] = await createMedia(shop, [upload]);
  if (!media) throw new Error('one upload did not create an image');
  await updateMedia(shop, media.id, { altText: `${group.title}, ${color}${mark.altText}` });
  return media.id;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Hundredths as a decimal string of a currency. */
function amountOf(hundredths: number, decimals: number): string {
  return decimals === 0 ? String(hundredths) : (hundredths / 100).toFixed(Math.max(2, decimals));
}

async function makeCustomers(shop: Context, filled: Filled): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, { name, street, city, postalCode, country }] of customers.entries()) {
    const email = emailOf(name, i);
    const [known] = (await listCustomers(shop, { email })).items;
    if (known) {
      ids.push(known.id);
      continue;
    }
    const [firstName = '', ...rest] = name.split(' ');
    const address = {
      firstName,
      lastName: rest.join(' '),
      address1: street,
      city,
      postalCode,
      country,
      isDefault: true,
    };
    ids.push((await createCustomer(shop, { email, name, marketingOptIn: i % 3 === 0, addresses: [address] })).id);
    filled.customers++;
  }
  return ids;
}

/** Demo orders, by their demo number. */
export async function demoOrders(shop: Context, customerIds: readonly string[]): Promise<Map<number, Order>> {
  const found = new Map<number, Order>();
  for (const customerId of customerIds) {
    for (let offset = 0; ; ) {
      const { items, total } = await listOrders(shop, { customerId, limit: 200, offset });
      for (const order of items) {
        const [, number] = mark.order.exec(order.customerNote ?? '') ?? [];
        if (number !== undefined) found.set(Number(number), order);
      }
      offset += items.length;
      if (offset >= total || items.length === 0) break;
    }
  }
  return found;
}

interface Made {
  productIds: string[];
  customerIds: string[];
}

/** Plays events of orders in the order of their times, as in a month of a shop. */
async function makeMonth(shop: Context, clock: DemoClock, now: number, made: Made, filled: Filled): Promise<void> {
  const known = await demoOrders(shop, made.customerIds);
  const steps = makeOrders().flatMap((order, i) => (known.has(i + 1) ? [] : stepsOf(shop, order, i + 1, now, made)));
  if (steps.length === 0) return;
  // Payments without a provider: the settings of the real providers are not changed.
  const before = shop.store.manualPayments;
  if (!before) await updateStore(shop, { manualPayments: true });
  try {
    for (const { at, run } of steps.sort((a, b) => a.at - b.at)) {
      clock.set(at);
      if (await run()) filled.orders++;
    }
  } finally {
    clock.set(Date.now());
    if (!before) await updateStore(shop, { manualPayments: false });
  }
}

interface Step {
  at: number;
  /** True if it created an order. */
  run(): Promise<boolean>;
}

function stepsOf(shop: Context, order: DemoOrder, number: number, now: number, made: Made): Step[] {
  const at = now - order.age;
  const customer = customers[order.customer];
  let id = '';
  const steps: Step[] = [];
  const later = (delay: number, run: () => Promise<unknown>) => {
    const time = Math.min(at + delay, now - 1000);
    steps.push({ at: time, run: () => run().then(() => false) });
  };
  const place = async () => {
    const [firstName = '', ...rest] = (customer?.name ?? '').split(' ');
    const address = customer && {
      firstName,
      lastName: rest.join(' '),
      address1: customer.street,
      city: customer.city,
      postalCode: customer.postalCode,
      country: customer.country,
    };
    ({ id } = await createOrder(shop, {
      customerId: made.customerIds[order.customer] ?? null,
      items: order.lines.map(({ product, quantity }) => ({ productId: made.productIds[product] ?? '', quantity })),
      shipping: amountOf(590, shop.store.decimals),
      shippingAddress: address ?? null,
      billingAddress: address ?? null,
      customerNote: `${order.note} (demo ${number})`.trim(),
    }));
    return true;
  };
  steps.push({ at, run: place });
  if (order.end === 'pending') return steps;
  if (order.end === 'cancelled') {
    later(2 * hour, () => updateOrder(shop, id, { status: 'cancelled' }));
    return steps;
  }
  later(hour / 6, async () => {
    const { total } = await getOrder(shop, id);
    await recordPayment(shop, id, { method: number % 4 === 0 ? 'transfer' : 'card', amount: total });
  });
  if (order.end === 'paid') return steps;
  later(day, () => updateOrder(shop, id, { status: 'fulfilled', merchantNote: 'Sent with the morning post.' }));
  if (order.end === 'refunded') {
    later(3 * day - hour, async () => {
      const { items } = await getOrder(shop, id);
      await refundOrder(shop, id, { amount: items[0]?.unitPrice ?? '0', reason: 'One piece was chipped.' });
    });
  }
  return steps;
}
