import {
  type Context,
  confirmFromInbox,
  createOrder as create,
  getProduct,
  listProducts,
  type Order,
  type OrderInput,
  refundOrder,
  updateOrder,
} from '@commerce/core';
import { resolveId } from '../resolve.ts';

export { confirmFromInbox, refundOrder, updateOrder };

/**
 * Creates an order, and warns on standard error about parts that customers cannot see. That can be intended, such as for a sale by
 * telephone.
 */
export async function createOrder(shop: Context, input: OrderInput): Promise<Order> {
  const order = await create(shop, { ...input, items: await resolveItems(shop, input.items) });
  await noteUnpublished(shop, order);
  return order;
}

/**
 * Finds the products of lines that name one by its SKU, slug or id. The SKU comes first, because orders are made of SKUs. Other lines stay
 * unchanged.
 */
async function resolveItems(shop: Context, items: OrderInput['items']): Promise<OrderInput['items']> {
  if (!Array.isArray(items)) return items;
  const resolved: OrderInput['items'] = [];
  for (const item of items) {
    const { product, ...rest } = item as { product?: unknown } & typeof item;
    if (typeof product !== 'string' || item.sku || item.productId) resolved.push(item);
    else if ((await listProducts(shop, { sku: product, limit: 1 })).total > 0) resolved.push({ ...rest, sku: product });
    else resolved.push({ ...rest, productId: await resolveId(shop, 'product', product) });
  }
  return resolved;
}

async function noteUnpublished(shop: Context, order: Order): Promise<void> {
  const found: string[] = [];
  for (const productId of new Set(order.items.map((item) => item.productId))) {
    const { slug, status } = await getProduct(shop, productId);
    if (status !== 'published') found.push(`${slug} (${status})`);
  }
  if (found.length > 0) process.stderr.write(`note: the order contains unpublished products: ${found.join(', ')}\n`);
}

/** Quantities of products, named by id, slug or SKU, that return to stock. */
export interface RestockLine {
  product: string;
  quantity: number;
}

/** Finds the products of a restock; `true` means all products of the order. */
export async function resolveRestock(shop: Context, restock: true | RestockLine[] | undefined) {
  if (!Array.isArray(restock)) return restock;
  const resolved: { productId: string; quantity: number }[] = [];
  for (const { product, quantity } of restock) {
    resolved.push({ productId: await resolveId(shop, 'product', product), quantity });
  }
  return resolved;
}
