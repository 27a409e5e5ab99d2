import {
  type Context,
  confirmFromInbox,
  createOrder as create,
  createFulfilment,
  type FulfilmentInput,
  getOrder,
  getProduct,
  listProducts,
  type Order,
  type OrderInput,
  refundOrder,
  updateFulfilment,
  updateOrder,
} from '@commerce/core';
import type { Item } from '../input/items.ts';
import { resolveId } from '../resolve.ts';
import { UsageError } from '../usage-error.ts';
import { linesOf, piecesOf, refundsOf } from './lines.ts';

export { confirmFromInbox, refundOrder, updateOrder };

/** Records a parcel with all that is left of an order, or with these items. */
export async function shipOrder(
  shop: Context,
  id: string,
  { items, ...input }: { items?: readonly Item[] | undefined } & FulfilmentInput,
): Promise<Order> {
  const order = await getOrder(shop, id);
  const used = items ? piecesOf([...order.fulfilments, ...(await refundsOf(shop, id))]) : undefined;
  const lines = used && items && linesOf(order, items, used);
  await createFulfilment(shop, id, { ...input, ...(lines && { lines }) });
  return getOrder(shop, id);
}

/** Records the delivery of one parcel, or of all that are not delivered. */
export async function deliverOrder(
  shop: Context,
  id: string,
  { parcel, deliveredAt = new Date(shop.engine.clock.now()).toISOString() }: { parcel?: string; deliveredAt?: string },
): Promise<Order> {
  const { fulfilments, orderNumber } = await getOrder(shop, id);
  if (fulfilments.length === 0) throw new UsageError(`order ${orderNumber} has no parcel`);
  const due = parcel === undefined ? fulfilments.filter((one) => one.deliveredAt === null) : [{ id: parcel }];
  for (const one of due) await updateFulfilment(shop, id, one.id, { deliveredAt });
  return getOrder(shop, id);
}

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
    const { product, productId: _, sku: __, ...rest } = item as { product?: unknown } & typeof item;
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
