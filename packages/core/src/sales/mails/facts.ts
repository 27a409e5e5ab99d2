import { sql } from 'kysely';
import { instructionsOf } from '../../checkouts/checkouts.ts';
import { customerEntity } from '../../customers/fields.ts';
import type { Context } from '../../engine/context.ts';
import type { MailKind } from '../../engine/mail-kinds.ts';
import type { Invoice } from '../../invoices/fields.ts';
import { invoicesOfOrder } from '../../invoices/invoices.ts';
import { textOfHtml } from '../../kernel/html.ts';
import { formatMoney, minorOf } from '../../kernel/money.ts';
import type {
  LetterData,
  LetterOption,
  LetterOrder,
  LetterParcel,
  LetterWithdrawal,
} from '../../mail/letters/letter.ts';
import type { MailFacts } from '../../mail/queue.ts';
import { mediaById } from '../../media/media.ts';
import { addressLines } from '../../orders/address-lines.ts';
import { chargedTaxes, type Order, type OrderItem, orderEntity } from '../../orders/fields.ts';
import { orderLink } from '../../orders/link.ts';
import { pageEntity } from '../../pages/fields.ts';
import { productEntity } from '../../products/fields.ts';
import { unindexedText } from '../../storage/planner.ts';
import { reading } from '../../storage/run.ts';
import type { MailTable } from '../../storage/tables/mails.ts';
import type { Withdrawal } from '../../withdrawals/fields.ts';
import { matchWithdrawal } from '../withdrawals/match.ts';

/** A text that goes with a confirmation. */
export interface Attachment {
  name: 'terms' | 'withdrawal';
  filename: string;
  content: string;
}

/** What a letter is written from, and the texts that go with it. */
export interface LetterFacts {
  data: LetterData;
  attachments: Attachment[];
  /** Invoices and credit notes that go with it as PDF files. */
  invoiceIds: string[];
}

/** Letters that confirm a contract, or come before its payment: Art. 8(7) of Directive 2011/83/EU asks for their texts. */
const withTexts: readonly MailKind[] = ['order.confirmed', 'order.payment_waiting'];

/** Reads what a queued mail is written from: the facts as they were, and the shop as it is now. */
export async function factsOf(ctx: Context, row: MailTable): Promise<LetterFacts> {
  const { engine, store } = ctx;
  const { settings } = store;
  const facts = JSON.parse(row.data) as MailFacts;
  const { parcelId, refund, products = [] } = facts;
  const kind = row.kind as MailKind;
  const withdrawal = row.withdrawal_id === null ? null : await matchWithdrawal(ctx, row.withdrawal_id);
  const isOwners = kind.startsWith('owner.');
  const orderId = isOwners ? withdrawal?.orderId : withdrawal && (await orderIdOf(ctx, row.id));
  const order = facts.order ?? (orderId ? await orderOf(ctx, orderId) : undefined);
  const attachments = withTexts.includes(kind) ? await textsOf(ctx) : [];
  const link =
    order && !isOwners
      ? await reading(engine.storage, (db) => orderLink(db, store.id, settings.orderUrl, order.id, engine.clock.now()))
      : null;
  const data: LetterData = {
    kind,
    locale: row.locale,
    timeZone: settings.timeZone,
    shop: await shopOf(ctx),
    buyer: order ? await buyerOf(ctx, order) : { name: null, email: null },
    order: order ? letterOrder(ctx, order, { locale: row.locale, isOwners }) : null,
    parcel: order && parcelId !== undefined ? parcelOf(order, parcelId) : null,
    refund: refund === undefined ? null : { amount: refund },
    withdrawal: withdrawal && (await letterWithdrawal(ctx, withdrawal, order, isOwners)),
    products,
    links: { order: link, withdraw: link, dashboard: isOwners ? dashboardLink(ctx, row) : null },
    attached: attachments.map(({ name }) => name),
  };
  const invoiceIds = order && !isOwners && withdrawal === null ? await invoicesWith(ctx, row, order.id) : [];
  return { data, attachments, invoiceIds };
}

/** Invoices that go with a mail: of an order with its confirmation, others with the mail of the moment that they follow from. */
async function invoicesWith({ engine, store }: Context, row: MailTable, orderId: string): Promise<string[]> {
  const documents = await reading(engine.storage, (db) => invoicesOfOrder(db, store.id, orderId));
  const withIt = ({ kind, cause, createdAt }: Invoice) =>
    row.kind === 'order.confirmed'
      ? kind === 'invoice' && cause === 'order'
      : row.resent_of === null && Date.parse(createdAt) === row.created_at;
  return documents.filter(withIt).map(({ id }) => id);
}

async function orderOf(ctx: Context, id: string): Promise<Order | undefined> {
  const row = await reading(ctx.engine.storage, (db) =>
    db.selectFrom('orders').select('json').where('store_id', '=', ctx.store.id).where('id', '=', id).executeTakeFirst(),
  );
  return row && orderEntity.read(row.json);
}

/** The order of a mail, which it has only if it goes to the e-mail of its buyer. Read anew: the order can have been found since. */
async function orderIdOf({ engine, store }: Context, id: string): Promise<string | null> {
  const row = await reading(engine.storage, (db) =>
    db.selectFrom('mails').select('order_id').where('store_id', '=', store.id).where('id', '=', id).executeTakeFirst(),
  );
  return row?.order_id ?? null;
}

/** A name that a stranger can write to anyone: without dots and slashes, it is no address. */
const harmless = /^[\w-]{1,40}$/;

/**
 * The statement as it was made. To the address of the statement, the note goes only if it is that of the order's buyer, and goods only by
 * names that the shop knows, or that say nothing else: a stranger could write to anyone through them.
 */
async function letterWithdrawal(
  ctx: Context,
  withdrawal: Withdrawal,
  order: Order | undefined,
  isOwners: boolean,
): Promise<LetterWithdrawal> {
  const { name, email, orderNumber, items, note, receivedAt, dueAt } = withdrawal;
  const titles = await titlesOf(ctx, items);
  return {
    ...{ name, email, orderNumber, receivedAt, dueAt },
    isWhole: items.length === 0 && (note === null || order !== undefined || isOwners),
    items: items.map(({ productId, sku, quantity }) => {
      const line = order?.items.find((item) =>
        sku === null ? item.productId === productId : item.skuSnapshot === sku,
      );
      const given = sku ?? productId ?? '';
      const known = line?.titleSnapshot ?? titles.get(given);
      return { title: known ?? (isOwners || harmless.test(given) ? given : '…'), quantity };
    }),
    note: order || isOwners ? note : null,
  };
}

/** The titles of products that can be bought, by their SKUs and ids. */
async function titlesOf(ctx: Context, items: Withdrawal['items']): Promise<Map<string, string>> {
  if (items.length === 0) return new Map();
  const rows = await reading(ctx.engine.storage, (db) => {
    // By an index each, and not by that of the status, which has every published product.
    const named = (column: 'id' | 'sku', values: readonly string[]) =>
      db
        .selectFrom('products')
        .select(['id', 'sku', 'json'])
        .where('store_id', '=', ctx.store.id)
        .where('status', '<>', sql.lit('deleted'))
        .where(unindexedText(sql.ref('status')), '=', 'published')
        .where(column, 'in', ['', ...values]);
    const skus = items.flatMap(({ sku }) => sku ?? []);
    const ids = items.flatMap(({ productId }) => productId ?? []);
    return named('sku', skus).unionAll(named('id', ids)).execute();
  });
  return new Map(
    rows.flatMap(({ id, sku, json }) => {
      const { title } = productEntity.read(json);
      return [[id, title] as const, ...(sku === null ? [] : [[sku, title] as const])];
    }),
  );
}

/** What a letter says about the shop. */
export async function shopOf(ctx: Context): Promise<LetterData['shop']> {
  const { seller, mail } = ctx.store.settings;
  const { name, address, email, phone = null, vatId = null, registration = null } = seller ?? {};
  const said = name !== undefined && address !== undefined && email !== undefined;
  return {
    name: ctx.store.name,
    seller: said ? { name, address, email, phone, vatId, registration } : null,
    footer: mail.footer,
    logoUrl: await logoOf(ctx),
  };
}

/** The absolute address of the logo; null without one, and if the service does not know its own address. */
async function logoOf(ctx: Context): Promise<string | null> {
  const { logoMediaId } = ctx.store.settings.mail;
  if (logoMediaId === null) return null;
  const url = (await mediaById(ctx, [logoMediaId])).get(logoMediaId)?.url ?? '';
  const address = url.startsWith('/') && ctx.engine.publicUrl ? `${ctx.engine.publicUrl()}${url}` : url;
  return /^https?:\/\//.test(address) ? address : null;
}

/** The place in the dashboard that a letter to the owner is about. */
function dashboardLink({ engine }: Context, { order_id, withdrawal_id }: MailTable): string | null {
  if (!engine.publicUrl) return null;
  const place =
    withdrawal_id !== null
      ? `withdrawals/${withdrawal_id}`
      : order_id !== null
        ? `orders/${order_id}`
        : 'products?lowStock=true';
  return `${engine.publicUrl()}/dashboard/${place}`;
}

/** The buyer of an order: the name in its addresses, else that of the customer. */
async function buyerOf({ engine, store }: Context, order: Order): Promise<LetterData['buyer']> {
  const row = await reading(engine.storage, (db) =>
    db
      .selectFrom('orders')
      .leftJoin('customers', (join) =>
        join.onRef('customers.store_id', '=', 'orders.store_id').onRef('customers.id', '=', 'orders.customer_id'),
      )
      .select(['orders.email', 'customers.json'])
      .where('orders.store_id', '=', store.id)
      .where('orders.id', '=', order.id)
      .executeTakeFirst(),
  );
  const customer = row?.json == null ? null : customerEntity.read(row.json);
  return { name: buyerName(order) ?? customer?.name ?? null, email: row?.email ?? null };
}

function buyerName({ billingAddress, shippingAddress }: Order): string | null {
  const { firstName, lastName } = billingAddress ?? shippingAddress ?? {};
  const name = [firstName, lastName].filter((part) => part).join(' ');
  return name === '' ? null : name;
}

function letterOrder(
  { store }: Context,
  order: Order,
  { locale, isOwners }: { locale: string; isOwners: boolean },
): LetterOrder {
  const { decimals, settings } = store;
  const isTold = isOwners || order.paidAt !== null;
  const lines = (address: Order['shippingAddress']) => address && addressLines(address, locale, settings.country);
  return {
    number: order.orderNumber,
    placedAt: order.placedAt,
    items: order.items.map((item) => ({
      title: item.titleSnapshot,
      variant: item.variantTitle,
      options: isTold ? optionsOf(item) : [],
      sku: item.skuSnapshot,
      quantity: item.quantity,
      unitPrice: item.unitPrice,
      total: formatMoney(minorOf(item.unitPrice) * BigInt(item.quantity) - minorOf(item.lineDiscount), decimals),
      withdrawalExempt: item.withdrawalExempt,
    })),
    subtotal: order.subtotal,
    discount: order.discount,
    discountCode: order.discountCode,
    shipping: order.shipping,
    shippingMethod: order.shippingMethod?.name ?? null,
    tax: order.tax,
    taxIncluded: order.taxIncluded,
    taxRate: order.taxRate,
    taxes: chargedTaxes(order).map(({ rate, amount }) => ({ rate, amount })),
    total: order.total,
    refundedAmount: order.refundedAmount,
    currency: order.currency,
    decimals,
    shippingAddress: lines(order.shippingAddress),
    billingAddress: lines(order.billingAddress),
    paymentMethod: order.paymentOption?.name ?? null,
    instructions: instructionsOf(store, order),
    isPaid: order.paidAt !== null,
    customerNote: order.customerNote,
    giftNote: isTold ? order.giftNote : null,
  };
}

/**
 * What the buyer chose. Anyone can order with another person's e-mail and write an advertisement here, so mails to buyers leave it out until
 * the order is paid.
 */
function optionsOf({ options }: OrderItem): LetterOption[] {
  return Object.entries(options).map(([name, text]) => ({ name, text }));
}

/** A parcel of the order as it was; null if it was removed since. */
function parcelOf(order: Order, id: string): LetterParcel | null {
  const parcel = order.fulfilments.find((one) => one.id === id);
  if (!parcel) return null;
  const items = new Map(order.items.map((item) => [item.id, item]));
  const { carrier = null, number = null, url = null } = parcel.tracking ?? {};
  return {
    carrier,
    number,
    url,
    items: parcel.lines.flatMap(({ itemId, quantity }) => {
      const item = items.get(itemId);
      if (!item) return [];
      const options = order.paidAt === null ? [] : optionsOf(item);
      return [{ title: item.titleSnapshot, variant: item.variantTitle, options, quantity }];
    }),
    isLast: order.fulfilmentStatus === 'fulfilled' && order.fulfilments.at(-1)?.id === id,
  };
}

/** The texts of the terms and of the right of withdrawal as they are now: a link to them would be no durable medium (CJEU C-49/11). */
async function textsOf(ctx: Context): Promise<Attachment[]> {
  const { pages } = ctx.store.settings;
  const texts: Attachment[] = [];
  for (const name of ['terms', 'withdrawal'] as const) {
    const id = pages[name];
    if (id === null) continue;
    const page = await readPage(ctx, id);
    if (!page?.content) continue;
    texts.push({
      name,
      filename: `${fileName(page.title)}.txt`,
      content: `${page.title}\n\n${textOfHtml(page.content)}\n`,
    });
  }
  return texts;
}

async function readPage(ctx: Context, id: string) {
  const rows = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('pages')
      .select('json')
      .where('store_id', '=', ctx.store.id)
      .where('id', '=', id)
      .where('status', '=', 'published')
      .execute(),
  );
  return rows[0] && pageEntity.read(rows[0].json);
}

/** A title as a name of a file that every system can store. */
function fileName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N} ._-]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 100);
  return name === '' || name.startsWith('.') ? 'text' : name;
}
