import { randomUUID } from 'node:crypto';
import type { Context } from '../engine/context.ts';
import { CommerceError, invalid } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { formatMoney, parseMoney } from '../kernel/money.ts';
import type { Order } from '../orders/fields.ts';
import { getOrder } from '../orders/orders.ts';
import { configureProvider } from '../payments/configure.ts';
import type { PaymentProvider } from '../payments/fields.ts';
import { findProvider, providerSettings } from '../payments/settings.ts';
import { listProducts } from '../products/list.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import {
  type Sale,
  type SimulatedEvent,
  type Simulation,
  simulatePayPal,
  simulateSquare,
  simulateStripe,
} from './simulated.ts';

export interface SimulationInput {
  /** `stripe`, `paypal` or `square`, which has to be configured. */
  provider: string;
  /** The order to pay, to fail to pay, to refund, or whose payment is disputed. */
  orderId?: string;
  /** The items, instead of an order, for an order that the notification creates. */
  items?: { sku: string; quantity: number }[];
  /** What the provider tells of. */
  event: SimulatedEvent;
}

const simulators = { stripe: simulateStripe, paypal: simulatePayPal, square: simulateSquare } satisfies Record<
  ProviderName,
  (sale: Sale, settings: never, now: number) => Omit<Simulation, 'path'>
>;

/**
 * Builds a notification in the provider's own form, signed with the store's own secret, so that a shop can try its setup
 * before it has an account. Sends and changes nothing.
 * @throws CommerceError `validation` when the provider is not configured, or not for simulations; `notFound`; `conflict` for a
 * refund or a dispute of an order that was not paid through this provider.
 */
export async function simulateNotification(ctx: Context, input: SimulationInput): Promise<Simulation> {
  const provider = findProvider(input.provider).name;
  const [configured] = await providerSettings(ctx.engine, provider, ctx.store.id);
  if (!configured) {
    throw invalid('provider', `${provider} is not configured in this store`, {
      reason: 'providerNotConfigured',
      about: provider,
    });
  }
  const sale = await saleOf(ctx, provider, input);
  if (input.items?.length && !configured.makeOrders) {
    throw invalid('items', `do not create an order: makeOrders is off in the ${provider} settings of this store`, {
      reason: 'makeOrdersOff',
      about: provider,
    });
  }
  const simulated = simulators[provider](sale, configured.settings as never, ctx.engine.clock.now());
  return { path: `/api/webhooks/${provider}/${ctx.store.id}`, ...simulated };
}

async function saleOf(ctx: Context, provider: ProviderName, input: SimulationInput): Promise<Sale> {
  const { orderId, items = [], event } = input;
  if ((orderId === undefined) === (items.length === 0))
    throw invalid('orderId', 'is required without items, and not allowed with items');
  const { currency } = ctx.store;
  if (orderId === undefined) {
    if (isLater(event))
      throw invalid('items', 'cannot be refunded or disputed before they are paid: name the order instead');
    return { event, orderId: randomUUID(), paymentId: null, amount: await priceOf(ctx, items), currency, items };
  }
  if (!isId(orderId)) throw invalid('orderId', 'must be the id of an order');
  const order = await getOrder(ctx, orderId);
  if (!isLater(event)) return { event, orderId, paymentId: null, amount: order.total, currency, items };
  if (order.paymentProvider !== provider || order.paymentId === null) {
    throw new CommerceError(
      'conflict',
      `order ${order.orderNumber} was not paid through ${provider}, so ${provider} cannot refund or dispute it`,
    );
  }
  return {
    event,
    orderId,
    paymentId: order.paymentId,
    amount: amountOf(event, order, ctx.store.decimals),
    currency,
    items,
  };
}

/** True for an event about a payment that was made before. */
function isLater(event: SimulatedEvent): boolean {
  return event !== 'succeeded' && event !== 'failed';
}

function amountOf(event: SimulatedEvent, order: Order, decimals: number): string {
  return event === 'refunded' ? leftOf(order, decimals) : order.total;
}

function leftOf(order: Order, decimals: number): string {
  const left = (parseMoney(order.total, decimals) ?? 0n) - (parseMoney(order.refundedAmount, decimals) ?? 0n);
  if (left <= 0n) throw new CommerceError('conflict', `order ${order.orderNumber} is already fully refunded`);
  return formatMoney(left, decimals);
}

async function priceOf(ctx: Context, items: readonly { sku: string; quantity: number }[]): Promise<string> {
  let sum = 0n;
  for (const { sku, quantity } of items) {
    const [product] = (await listProducts(ctx, { sku })).items;
    if (!product) throw invalid('items', `no product with the SKU ${JSON.stringify(sku)} in this store`);
    sum += (parseMoney(product.price, ctx.store.decimals) ?? 0n) * BigInt(quantity);
  }
  return formatMoney(sum, ctx.store.decimals);
}

/**
 * Configures a provider for a store with the settings of a stand-in on this machine.
 * @param options `replace`: also in place of settings that lead to the provider itself
 * @throws CommerceError `conflict` without `replace`, when the store has such settings; `validation`; `notFound`
 */
export async function configureSimulation(
  ctx: Context,
  name: string,
  settings: Record<string, string>,
  { replace = false }: { replace?: boolean } = {},
): Promise<PaymentProvider> {
  const provider = findProvider(name).name;
  const [present] = replace ? [] : await providerSettings(ctx.engine, provider, ctx.store.id);
  const apiBase = present && (present.settings as { apiBase?: string }).apiBase;
  // Settings take plain HTTP on this machine alone.
  if (present && !apiBase?.startsWith('http:')) {
    throw new CommerceError(
      'conflict',
      `${provider} is set up in this store with ${apiBase ?? 'its own API'}; a simulation would replace these settings`,
      { reason: 'wouldReplaceSettings' },
    );
  }
  return configureProvider(ctx, provider, settings);
}
