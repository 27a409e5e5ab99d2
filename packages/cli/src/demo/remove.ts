import {
  CommerceError,
  type Context,
  deleteCategory,
  deleteCustomer,
  deleteMedia,
  deleteProduct,
  eraseOrder,
  listCustomers,
  listMedia,
  listProducts,
} from '@commerce/core';
import { categories, customers, emailOf, mark, products } from './catalogue.ts';
import { demoOrders, type Filled, findCategory } from './fill.ts';
import { removePages } from './pages.ts';
import { removeParties } from './parties.ts';

/** Numbers of removed things, and of customers that stayed because they have bought since. */
export interface Removed extends Filled {
  kept: string[];
}

/** Removes only what the demonstration created: orders first, then the things that they refer to. */
export async function removeDemo(shop: Context): Promise<Removed> {
  const removed: Removed = { categories: 0, products: 0, images: 0, customers: 0, orders: 0, pages: 0, kept: [] };
  const known = [];
  for (const [i, { name }] of customers.entries()) {
    known.push(...(await listCustomers(shop, { email: emailOf(name, i) })).items);
  }
  const orders = await demoOrders(
    shop,
    known.map(({ id }) => id),
  );
  for (const { id } of orders.values()) {
    await eraseOrder(shop, id);
    removed.orders++;
  }
  for (const customer of known) {
    try {
      await deleteCustomer(shop, customer.id);
      removed.customers++;
    } catch (error) {
      if (!(error instanceof CommerceError && error.kind === 'conflict')) throw error;
      removed.kept.push(customer.email);
    }
  }
  for (const { sku } of products) {
    for (const { id } of (await listProducts(shop, { sku })).items) {
      await deleteProduct(shop, id);
      removed.products++;
    }
  }
  for (const { slug } of [...categories].reverse()) {
    const { found } = await findCategory(shop, slug);
    if (!found) continue;
    await deleteCategory(shop, found.id);
    removed.categories++;
  }
  removed.pages = await removePages(shop);
  await removeParties(shop);
  for (const id of await demoImages(shop)) {
    await deleteMedia(shop, id);
    removed.images++;
  }
  return removed;
}

async function demoImages(shop: Context): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; ) {
    const { items, total } = await listMedia(shop, { limit: 200, offset });
    ids.push(...items.filter(({ altText }) => altText?.endsWith(mark.altText)).map(({ id }) => id));
    offset += items.length;
    if (items.length === 0 || offset >= total) return ids;
  }
}
