import * as z from 'zod';
import { instructionsOf } from '../../checkouts/checkouts.ts';
import type { Context } from '../../engine/context.ts';
import { paymentKinds } from '../../engine/settings/payments.ts';
import {
  amount,
  count,
  currency,
  id,
  once,
  optionalTime,
  optionalWords,
  words,
  yesOrNo,
} from '../../fields/answers.ts';
import { exampleIds } from '../../fields/example-ids.ts';
import { type Invoice, invoiceKinds } from '../../invoices/fields.ts';
import { invoicesOfOrder } from '../../invoices/invoices.ts';
import { addDays, calendarOf } from '../../kernel/calendar.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { formatMoney, parseMoney } from '../../kernel/money.ts';
import type { Media } from '../../media/fields.ts';
import { mediaById } from '../../media/media.ts';
import {
  type AddressSnapshot,
  addressSnapshotAnswer,
  chargedTaxes,
  type Order,
  type OrderItem,
} from '../../orders/fields.ts';
import { requiresShipping, shipsUnpaid } from '../../orders/fulfilments.ts';
import { reading } from '../../storage/run.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { orderIdOfToken, readOrderOfBuyer } from './by-token.ts';

/** How an order is doing, in words that its buyer understands. */
export const buyersStatuses = [
  'unpaid',
  'processing',
  'preparing',
  'partly_shipped',
  'shipped',
  'delivered',
  'cancelled',
  'refunded',
] as const;

const goods = () => ({
  title: words('The title of the product when it was bought.', 'Blue mug'),
  variant: optionalWords("The shop's name of the variant."),
  options: z.record(z.string(), z.string()).meta({
    description: 'What the buyer chose, by name, such as an engraving.',
    examples: [{ Engraving: 'A. L.' }],
  }),
  sku: optionalWords('The SKU of the product when it was bought.', 'MUG'),
});

const image = () =>
  z
    .object({
      url: words('The address of the image.', `https://shop.test/media/${exampleIds.store}/${exampleIds.media}.jpg`),
      altText: optionalWords('The alternative text.', 'A blue mug on a table'),
    })
    .nullable()
    .meta({ description: 'The main image of the product; null without one.' });

const item = () =>
  z.object({
    productId: id('The product, for a withdrawal from it.', exampleIds.product),
    ...goods(),
    image: image(),
    quantity: count('Pieces.', 2),
    unitPrice: amount('The price of one piece.', '12.50'),
    total: amount('Unit price × quantity − discount of the line.', '25.00'),
    withdrawalExempt: optionalWords('Why the buyer cannot withdraw from buying it; null if the buyer can.'),
  });

const parcel = () =>
  z.object({
    shippedAt: words('Time at which it left.', '2026-11-21T09:00:00.000Z').meta({ format: 'date-time' }),
    deliveredAt: optionalTime('Time of its delivery; null before that.'),
    carrier: optionalWords('The carrier.', 'DHL'),
    number: optionalWords("The carrier's number.", '00340434161094042557'),
    url: optionalWords('Where the buyer can follow it.', 'https://carrier.test/00340434161094042557'),
    items: z
      .array(z.object({ ...goods(), quantity: count('Pieces in this parcel.', 1) }))
      .meta({ description: 'What is in it.' }),
  });

export const buyersOrderAnswer = once(() =>
  z
    .object({
      orderNumber: words('The number of the order.', 'ORD-1001'),
      placedAt: optionalTime('Time at which the order became final.', '2026-11-20T12:05:00.000Z'),
      status: z.enum(buyersStatuses).meta({
        description:
          '`unpaid` until the money is there, `processing` while a provider waits for it, `preparing` until something was shipped, then `partly_shipped`, `shipped` and `delivered`; or `cancelled`, or `refunded`.',
        examples: ['shipped'],
      }),
      items: z.array(item()).meta({ description: 'Its lines.' }),
      subtotal: amount('The sum of the lines.', '25.00'),
      discount: amount('The discount on the subtotal.', '0.00'),
      discountCode: optionalWords('The code of the discount.'),
      shipping: amount('The cost of shipping.', '5.00'),
      shippingMethod: optionalWords('How it is shipped.', 'Standard'),
      tax: amount('The tax, contained in the other amounts or added to them.', '2.00'),
      taxRate: words('A fraction: "0.08" is 8 %.', '0.08').meta({ pattern: '^[01](\\.\\d{1,6})?$' }),
      taxIncluded: yesOrNo('Whether the other amounts contain the tax.', false),
      taxes: z
        .array(
          z.object({
            rate: words('A fraction: "0.08" is 8 %.', '0.08'),
            name: optionalWords('The name of the tax.', 'VAT'),
            base: amount('The amount without tax that it falls on.', '25.00'),
            amount: amount('The tax.', '2.00'),
          }),
        )
        .meta({ description: 'The tax of each rate above 0.' }),
      total: amount('The amount of the order.', '32.00'),
      refundedAmount: amount('The amount that was given back so far.', '0.00'),
      currency: currency(),
      decimals: count('Decimals of the currency.', 2),
      shippingAddress: addressSnapshotAnswer().nullable().meta({ description: 'The address of the goods.' }),
      billingAddress: addressSnapshotAnswer().nullable().meta({ description: 'The address of the invoice.' }),
      giftNote: optionalWords('Message of the buyer to the person who gets the gift.'),
      payment: z
        .object({
          name: optionalWords('The way to pay, by the name that buyers know.', 'Bank transfer'),
          kind: z
            .enum(paymentKinds)
            .nullable()
            .meta({ description: 'Its kind; null if it is not known.', examples: ['transfer'] }),
          paidAt: optionalTime('Time of the payment; null before that.'),
          instructions: optionalWords(
            'What the buyer has to do to pay; null once it is paid, and if the shop says nothing.',
            'Please transfer 32.00 EUR to DE02 1203 0000 0000 2020 51, reference ORD-1001.',
          ),
        })
        .meta({ description: 'How it is paid.' }),
      parcels: z.array(parcel()).meta({ description: 'What was shipped.', examples: [[]] }),
      invoices: z
        .array(
          z.object({
            id: id('The id, for `GET /orders/by-token/invoices/{id}.pdf`.', exampleIds.invoice),
            kind: z.enum(invoiceKinds).meta({ description: 'An invoice, or a credit note.', examples: ['invoice'] }),
            number: words('The number.', 'INV-2026-0001'),
            date: words('The date of issue.', '2026-11-20').meta({ format: 'date' }),
            total: amount('The amount.', '32.00'),
          }),
        )
        .meta({ description: 'Its invoices and credit notes, oldest first.' }),
      withdrawal: z
        .object({
          until: optionalTime(
            'Time until which the buyer can withdraw at least: the end of the 14th day after the delivery of everything, or after `placedAt` if nothing is shipped, of a Monday instead of a weekend. Null before that.',
            '2026-12-07T22:59:59.999Z',
          ),
          exempt: yesOrNo('Whether the buyer can withdraw from none of the lines.', false),
        })
        .meta({ description: 'The right of withdrawal.' }),
    })
    .meta({ description: 'An order, as its buyer may see it.' }),
);

/** An order, as its buyer may see it. Amounts are decimal strings. */
export type BuyersOrder = z.output<ReturnType<typeof buyersOrderAnswer>>;

/**
 * The order that the token of a link opens, as its buyer may see it.
 * @param token is a secret: it belongs in no path, no log and no message
 * @throws CommerceError `notFound`, the same for a wrong, ended or replaced token, and for an order whose buyer was anonymised
 */
export async function getOrderByToken(given: Context, token: string | undefined): Promise<BuyersOrder> {
  const ctx = await withCurrentStore(given);
  const id = await orderIdOfToken(ctx, token ?? '');
  const { order, invoices } = await reading(ctx.engine.storage, async (db) => ({
    ...(await readOrderOfBuyer(db, ctx.store.id, id)),
    invoices: await invoicesOfOrder(db, ctx.store.id, id),
  }));
  const imageIds = order.items.map(({ primaryImageId }) => primaryImageId).filter((one) => one !== null);
  // The buyer also sees images of products that are not published any more.
  const images = await mediaById({ ...ctx, actor: { type: 'system', id: null } }, [...new Set(imageIds)]);
  return toBuyersOrder(ctx, order, invoices, images);
}

/** The order field by field, so that a field that is added to orders is not shown before somebody decides it. */
function toBuyersOrder(
  { store }: Context,
  order: Order,
  invoices: readonly Invoice[],
  images: ReadonlyMap<string, Media>,
): BuyersOrder {
  const byId = new Map(order.items.map((line) => [line.id, line]));
  return {
    orderNumber: order.orderNumber,
    placedAt: order.placedAt,
    status: statusOf(order),
    items: order.items.map((line) => ({
      productId: line.productId,
      ...goodsOf(line),
      image: imageOf(images.get(line.primaryImageId ?? '')),
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      total: lineTotal(line, store.decimals),
      withdrawalExempt: line.withdrawalExempt,
    })),
    subtotal: order.subtotal,
    discount: order.discount,
    discountCode: order.discountCode,
    shipping: order.shipping,
    shippingMethod: order.shippingMethod?.name ?? null,
    tax: order.tax,
    taxRate: order.taxRate,
    taxIncluded: order.taxIncluded,
    taxes: chargedTaxes(order).map(({ rate, name, base, amount }) => ({ rate, name, base, amount })),
    total: order.total,
    refundedAmount: order.refundedAmount,
    currency: order.currency,
    decimals: store.decimals,
    shippingAddress: order.shippingAddress && addressOf(order.shippingAddress),
    billingAddress: order.billingAddress && addressOf(order.billingAddress),
    giftNote: order.giftNote,
    payment: {
      name: order.paymentOption?.name ?? null,
      kind: order.paymentOption?.kind ?? null,
      paidAt: order.paidAt,
      instructions: instructionsOf(store, order),
    },
    parcels: order.fulfilments.map(({ lines, tracking, shippedAt, deliveredAt }) => ({
      shippedAt,
      deliveredAt,
      carrier: tracking?.carrier ?? null,
      number: tracking?.number ?? null,
      url: tracking?.url ?? null,
      items: lines.flatMap(({ itemId, quantity }) => {
        const line = byId.get(itemId);
        return line ? [{ ...goodsOf(line), quantity }] : [];
      }),
    })),
    invoices: invoices.map(({ id, kind, number, date, total }) => ({ id, kind, number, date, total })),
    withdrawal: {
      until: withdrawalEnd(requiresShipping(order) ? order.deliveredAt : order.placedAt, store.settings.timeZone),
      exempt: order.items.every(({ withdrawalExempt }) => withdrawalExempt !== null),
    },
  };
}

function goodsOf({ titleSnapshot, variantTitle, options, skuSnapshot }: OrderItem) {
  return { title: titleSnapshot, variant: variantTitle, options, sku: skuSnapshot };
}

function imageOf(media: Media | undefined) {
  return media ? { url: media.url, altText: media.altText } : null;
}

function lineTotal({ unitPrice, quantity, lineDiscount }: OrderItem, decimals: number): string {
  const minor = (text: string) => parseMoney(text, decimals) ?? 0n;
  return formatMoney(minor(unitPrice) * BigInt(quantity) - minor(lineDiscount), decimals);
}

function addressOf(address: AddressSnapshot): AddressSnapshot {
  return {
    firstName: address.firstName,
    lastName: address.lastName,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    region: address.region,
    postalCode: address.postalCode,
    country: address.country,
    company: address.company,
    phone: address.phone,
  };
}

function statusOf(order: Order): BuyersOrder['status'] {
  const { status, paidAt, paymentStatus, deliveredAt, fulfilmentStatus } = order;
  if (status === 'cancelled' || status === 'refunded') return status;
  if (deliveredAt !== null) return 'delivered';
  if (fulfilmentStatus === 'fulfilled' && !requiresShipping(order)) return 'delivered';
  if (fulfilmentStatus === 'fulfilled') return 'shipped';
  if (fulfilmentStatus === 'partial') return 'partly_shipped';
  if (paidAt !== null) return 'preparing';
  if (paymentStatus === 'processing') return 'processing';
  return shipsUnpaid(order) ? 'preparing' : 'unpaid';
}

/** Days of the right of withdrawal, after the day of the delivery or of the contract. */
const withdrawalDays = 14;

/**
 * The last moment of the period in which a buyer can withdraw at least, in the shop's time zone. A period that would end at a weekend ends on
 * the Monday after it (Regulation 1182/71). Public holidays are not known here.
 * @param begin time of the delivery of everything, or of the contract if nothing is shipped; null before that
 */
export function withdrawalEnd(begin: string | null, timeZone: string): string | null {
  const calendar = calendarOf(timeZone);
  if (begin === null || !calendar) return null;
  const last = addDays(calendar.dateOf(Date.parse(begin)), withdrawalDays);
  const weekday = new Date(`${last}T00:00:00Z`).getUTCDay();
  const moved = addDays(last, weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
  return toTimestamp(calendar.startOf(addDays(moved, 1)) - 1);
}
