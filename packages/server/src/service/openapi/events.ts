import { collections, type EventType, type Noun, nounNames } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { capitalised } from '../../routes/crud.ts';
import { exampleOf } from './examples.ts';
import { eventTag } from './prose.ts';

type PartsOf<Type> = Type extends `${infer Resource}.${infer What}` ? [Resource, What] : never;
type Resource = PartsOf<EventType>[0];
type What = PartsOf<EventType>[1];

/** The resource delivered with each kind of event: its schema, and the start of its sentence. */
const resources: Readonly<Record<Resource, { name: string; one: string }>> = {
  ...(Object.fromEntries(
    nounNames.map((noun) => [noun, { name: capitalised(noun), one: capitalised(collections[noun].words.one) }]),
  ) as Record<Noun, { name: string; one: string }>),
  order: { name: 'Order', one: 'An order' },
  media: { name: 'Media', one: 'An image' },
  payment: { name: 'Payment', one: 'A payment' },
  checkout: { name: 'ExpiredCheckout', one: 'A checkout' },
  refund: { name: 'FailedRefund', one: 'A refund' },
  withdrawal: { name: 'Withdrawal', one: 'A withdrawal' },
  invoice: { name: 'Invoice', one: 'An invoice' },
};

const happened = {
  created: 'was created',
  updated: 'has changed',
  deleted: 'was deleted; this is its last state',
  paid: 'was paid',
  shipped: 'has a new parcel that left',
  fulfilled: 'was fulfilled',
  delivered: 'was delivered as a whole',
  cancelled: 'was cancelled',
  refunded: 'was refunded, in part or whole',
  unmatched: 'was received but paid no order',
  dismissed: 'was dismissed',
  disputed: 'has a new dispute',
  expired: 'has ended without a payment',
  low_stock: 'has run low: a sale took its stock to `lowStockThreshold` (0 if null) or below',
  failed: 'was refused by its provider, or failed there later',
  received: 'was received, and its order was not looked for yet',
} as const satisfies Record<What, string>;

/** Fields of the example after an event. */
function moved(parcel: Json): Partial<Record<EventType, Json>> {
  const { tracking, shippedAt: fulfilledAt } = parcel;
  const fulfilled = { status: 'fulfilled', fulfilledAt, fulfilmentStatus: 'fulfilled', tracking };
  const deliveredAt = '2026-11-22T10:00:00.000Z';
  return {
    'order.shipped': { ...fulfilled, fulfilments: [parcel] },
    'order.fulfilled': { ...fulfilled, fulfilments: [parcel] },
    'order.delivered': { ...fulfilled, deliveredAt, fulfilments: [{ ...parcel, deliveredAt }] },
    'order.cancelled': { status: 'cancelled', cancelledAt: '2026-11-20T15:00:00.000Z', cancelReason: 'requested' },
    'payment.unmatched': { matched: 'mismatch', amount: '30.00', capturedAmount: '30.00' },
    'payment.disputed': {
      disputes: [
        {
          id: 'du_1QNd2eLkdIwHu7ixD4Z8pQvT',
          amount: '32.00',
          reason: 'product_not_received',
          status: 'open',
          dueAt: '2026-12-04T23:59:59.000Z',
          updatedAt: '2026-11-20T12:05:00.000Z',
        },
      ],
    },
    'product.low_stock': { stock: 2, lowStockThreshold: 3 },
    'checkout.expired': { status: 'expired', url: null },
    'payment.dismissed': { matched: 'dismissed', dismissedAt: '2026-11-20T15:00:00.000Z' },
    'refund.failed': { status: 'failed', error: 'expired_or_canceled_card' },
    'withdrawal.received': { status: 'received', orderId: null, merchantNote: null },
    'order.refunded': { paymentStatus: 'partially_refunded', refundedAmount: '5.00' },
  };
}

/** The request by which a subscriber receives an event. */
export function eventOperation(type: EventType, schemas: Record<string, Json>): Json {
  const [resource, what] = type.split('.') as [Resource, What];
  const { name, one } = resources[resource];
  const schema = { $ref: `#/components/schemas/${name}` };
  const softDeleted = what === 'deleted' && 'status' in ((schemas[name]?.properties ?? {}) as Json);
  const data = {
    ...(exampleOf(schema, schemas) as Json),
    ...moved(exampleOf({ $ref: '#/components/schemas/Fulfilment' }, schemas) as Json)[type],
    ...(softDeleted ? { status: 'deleted' } : {}),
  };
  const body = bodyOf(type, schema);
  return {
    operationId: ['on', resource, ...what.split('_')].map((word, i) => (i === 0 ? word : capitalised(word))).join(''),
    tags: [eventTag],
    summary: type,
    description: `${one} ${happened[what]}.${alsoWhen[type] ?? ''}`,
    security: [],
    parameters: deliveryHeaders(type),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: body,
          example: { ...(exampleOf({ ...body, required: headFields }, schemas) as Json), data },
        },
      },
    },
    responses: {
      '2XX': { description: 'The event was accepted.' },
      default: { description: 'The event was not accepted and will be sent again.' },
    },
  };
}

const alsoWhen: Partial<Record<EventType, string>> = {
  'order.created': ' Sent when its payment is confirmed: a pending order causes no event.',
  'order.paid': ' Sent together with `order.created` and `order.updated`.',
  'order.updated': ' Sent with every change of an order that causes an event, together with more specific events.',
  'product.updated': ' Also sent when a paid order takes from its stock.',
  'category.updated': ' Also sent when the category above it was deleted.',
  'customer.created': ' Also sent when an order has a new e-mail.',
  'checkout.expired':
    ' Its data is the checkout with the buyer. A subscription needs `checkout.read` and `order.read`. A late payment can still pay it.',
  'payment.unmatched':
    ' Sent once, when the money arrives; `matched` is the reason. A later notification can still match it to its order.',
};

const headFields = ['id', 'type', 'event', 'timestamp', 'storeId'];

function bodyOf(type: EventType, data: Json): Json {
  return {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        format: 'uuid',
        description: 'The id of the event: the same in every attempt.',
        examples: ['0193d3f5-03d0-76bd-8f90-a5273846e517'],
      },
      type: { type: 'string', const: type, description: 'Type of the event.' },
      event: { type: 'string', const: type, description: 'The same as `type`.' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'Time of the event, UTC.',
        examples: ['2026-11-20T12:05:00.000Z'],
      },
      storeId: {
        type: 'string',
        format: 'uuid',
        description: 'The store of the event.',
        examples: ['0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70'],
      },
      data,
    },
    required: [...headFields, 'data'],
  };
}

/** The headers of a delivery. Headers common to all events are references. */
function deliveryHeaders(type: EventType): Json[] {
  const event = { ...header('X-Webhook-Event', 'Type of the event.'), schema: { type: 'string', enum: [type] } };
  return [event, ...Object.keys(deliveryParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

function header(name: string, description: string, schema: Json = {}): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string', ...schema } };
}

/** Headers of every delivery, as components. */
export const deliveryParameters: Record<string, Json> = {
  WebhookId: header('X-Webhook-Id', 'The id of the event.', { format: 'uuid' }),
  WebhookTimestamp: header('X-Webhook-Timestamp', 'Time of the event.', { format: 'date-time' }),
  WebhookSignature: header(
    'X-Webhook-Signature',
    '`sha256=` and the HMAC-SHA256 of the raw body in hex, or the bare hex, depending on the `signatureFormat` of the subscription; the key is the whole secret, unchanged.',
    { examples: ['sha256=6f1c9a4d0f0b2e7a5d3c8b1f4e6a7d9c0b2e4f6a8c1d3e5f7a9b0c2d4e6f8a1b'] },
  ),
  StandardId: header('webhook-id', 'The id of the event, as Standard Webhooks names it.', { format: 'uuid' }),
  StandardTimestamp: header('webhook-timestamp', 'Time of this attempt in seconds since 1970.', {
    pattern: '^\\d+$',
  }),
  StandardSignature: header(
    'webhook-signature',
    'The signature of Standard Webhooks: `v1,` and base64; for 24 hours after a rotation, a second one with the old secret follows after a space.',
    { pattern: '^v1,' },
  ),
  Sender: header('User-Agent', 'The sender.', { enum: ['Commerce-Webhook/1.0'] }),
};
