import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { CommerceError, invalid } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { formatMoney, parseMoney } from '../../money.ts';
import type { Order } from '../../orders/fields.ts';
import { getOrder } from '../../orders/orders.ts';
import { listProducts } from '../../products/list.ts';
import type { ProviderName } from '../provider.ts';
import { findProvider, providerSettings } from '../settings.ts';
import { simulatePayPal } from './paypal.ts';
import { simulateSquare } from './square.ts';
import { simulateStripe } from './stripe.ts';

export const simulatedEvents = ['succeeded', 'failed', 'refunded'] as const;
export type SimulatedEvent = (typeof simulatedEvents)[number];

export interface SimulationInput {
  provider: string;
  /** The order that is paid, or that the payment fails for, or that is refunded. */
  orderId?: string;
  /** What is bought instead, for an order that the notification makes. */
  items?: { sku: string; quantity: number }[];
  event: SimulatedEvent;
}

/** A sale as every provider has to tell it. */
export interface Sale {
  event: SimulatedEvent;
  orderId: string;
  /** The payment that is given back. */
  paymentId: string | null;
  amount: string;
  currency: string;
  items: { sku: string; quantity: number }[];
}

/** A notification as the provider would send it, and what the provider's own interface would answer about it. */
export interface Simulation {
  /** Below the address of the server. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Where the server will ask and what it is to be told, by path; null where it has nothing to ask. */
  stub: { base: string; answers: Record<string, unknown> } | null;
}

/** Random, in the alphabet of provider ids. */
export function randomToken(): string {
  return randomUUID().replaceAll('-', '').toUpperCase();
}

const simulators = { stripe: simulateStripe, paypal: simulatePayPal, square: simulateSquare } satisfies Record<
  ProviderName,
  (sale: Sale, settings: never, now: number) => Omit<Simulation, 'path'>
>;

/**
 * Builds a notification in the provider's own form, signed with the store's own secret, so that a shop can try its set-up
 * before it has an account. Nothing is sent and nothing changes.
 * @throws CommerceError `validation` when the provider is not set up or not in a way that allows it; `notFound`; `conflict`
 * for a refund of an order that this provider was not paid for.
 */
export async function simulateNotification(ctx: Context, input: SimulationInput): Promise<Simulation> {
  const provider = findProvider(input.provider).name;
  const [configured] = await providerSettings(ctx.engine, provider, ctx.store.id);
  if (!configured) {
    throw invalid('provider', `${provider} is not configured in this store`);
  }
  const sale = await saleOf(ctx, provider, input);
  if (input.items?.length && !configured.makeOrders) {
    throw invalid('items', `make no order: makeOrders is off in the ${provider} settings of this store`);
  }
  const simulated = simulators[provider](sale, configured.settings as never, ctx.engine.clock.now());
  return { path: `/api/webhooks/${provider}/${ctx.store.id}`, ...simulated };
}

async function saleOf(ctx: Context, provider: ProviderName, input: SimulationInput): Promise<Sale> {
  const { orderId, items = [], event } = input;
  if ((orderId === undefined) === (items.length === 0))
    throw invalid('orderId', 'either an order or items have to be given');
  const { currency } = ctx.store;
  if (orderId === undefined) {
    if (event === 'refunded') throw invalid('items', 'cannot be refunded before they were paid: name the order');
    return { event, orderId: randomUUID(), paymentId: null, amount: await priceOf(ctx, items), currency, items };
  }
  if (!isId(orderId)) throw invalid('orderId', 'must be the id of an order');
  const order = await getOrder(ctx, orderId);
  if (event !== 'refunded') return { event, orderId, paymentId: null, amount: order.total, currency, items };
  if (order.paymentProvider !== provider || order.paymentId === null) {
    throw new CommerceError(
      'conflict',
      `order ${order.orderNumber} was not paid by ${provider}, so it cannot refund it`,
    );
  }
  return { event, orderId, paymentId: order.paymentId, amount: leftOf(order, ctx.store.decimals), currency, items };
}

function leftOf(order: Order, decimals: number): string {
  const left = (parseMoney(order.total, decimals) ?? 0n) - (parseMoney(order.refundedAmount, decimals) ?? 0n);
  if (left <= 0n) throw new CommerceError('conflict', `all of order ${order.orderNumber} is refunded already`);
  return formatMoney(left, decimals);
}

async function priceOf(ctx: Context, items: readonly { sku: string; quantity: number }[]): Promise<string> {
  let sum = 0n;
  for (const { sku, quantity } of items) {
    const [product] = (await listProducts(ctx, { sku })).items;
    if (!product) throw invalid('items', `there is no product with the SKU ${JSON.stringify(sku)} in this store`);
    sum += (parseMoney(product.price, ctx.store.decimals) ?? 0n) * BigInt(quantity);
  }
  return formatMoney(sum, ctx.store.decimals);
}
