import { type MailKind, mailKinds } from '../../engine/mail-kinds.ts';
import type { Block } from './blocks.ts';
import type { LetterData, LetterOrder, LetterParcel, LetterWithdrawal } from './letter.ts';
import {
  orderAddresses,
  orderGoods,
  orderTotals,
  plainGoods,
  type Sources,
  sourcesOf,
  stockGoods,
  withdrawnGoods,
} from './parts.ts';
import { sampleData } from './sample.ts';

/** What a template can name. Null prints nothing, and is false in a condition. */
type Value = string | boolean | null;

interface Definition {
  description: string;
  kinds: readonly MailKind[];
  value(sources: Sources): Value;
}

const ordersKinds: readonly MailKind[] = mailKinds.filter(
  (kind) => kind.startsWith('order.') || kind === 'owner.new_order',
);
const withdrawalKinds: readonly MailKind[] = ['withdrawal.received', 'owner.withdrawal'];
const buyersKinds: readonly MailKind[] = mailKinds.filter((kind) => !kind.startsWith('owner.'));
const ownersKinds: readonly MailKind[] = mailKinds.filter((kind) => kind.startsWith('owner.'));

function ofShop(description: string, value: (shop: LetterData['shop']) => Value): Definition {
  return { description, kinds: mailKinds, value: ({ data }) => value(data.shop) };
}

function ofOrder(description: string, value: (order: LetterOrder, sources: Sources) => Value): Definition {
  return {
    description,
    kinds: ordersKinds,
    value: (sources) => sources.data.order && value(sources.data.order, sources),
  };
}

function amountOf(description: string, amount: (order: LetterOrder) => string): Definition {
  return ofOrder(description, (order, { format }) => format.amount(amount(order)));
}

function ofParcel(description: string, value: (parcel: LetterParcel) => Value): Definition {
  return { description, kinds: ['order.shipped'], value: ({ data }) => data.parcel && value(data.parcel) };
}

function ofWithdrawal(
  description: string,
  value: (statement: LetterWithdrawal, sources: Sources) => Value,
): Definition {
  return {
    description,
    kinds: withdrawalKinds,
    value: (sources) => sources.data.withdrawal && value(sources.data.withdrawal, sources),
  };
}

const definitions: Record<string, Definition> = {
  'shop.name': ofShop('The name of the shop.', ({ name }) => name),
  'shop.email': ofShop('The e-mail address of the seller.', ({ seller }) => seller?.email ?? null),
  'shop.phone': ofShop('The phone number of the seller.', ({ seller }) => seller?.phone ?? null),
  'buyer.name': {
    description: 'The name of the buyer, if it is known.',
    kinds: [...buyersKinds, 'owner.new_order'],
    value: ({ data }) => data.buyer.name,
  },
  'buyer.email': {
    description: 'The e-mail address of the buyer, if it is known.',
    kinds: [...buyersKinds, 'owner.new_order'],
    value: ({ data }) => data.buyer.email,
  },
  'order.number': ofOrder('The number of the order.', ({ number }) => number),
  'order.date': ofOrder('The day of the order.', ({ placedAt }, { format }) => placedAt && format.day(placedAt)),
  'order.subtotal': amountOf('The price of the goods.', ({ subtotal }) => subtotal),
  'order.discount': amountOf('The discount.', ({ discount }) => discount),
  'order.discount_code': ofOrder('The code of the discount, if there is one.', ({ discountCode }) => discountCode),
  'order.shipping': amountOf('The price of the delivery.', ({ shipping }) => shipping),
  'order.shipping_method': ofOrder('The way of delivery, if there is one.', ({ shippingMethod }) => shippingMethod),
  'order.tax': amountOf('The tax.', ({ tax }) => tax),
  'order.tax_rate': ofOrder('The rate of the tax.', ({ taxRate }, { format }) => format.percent(taxRate)),
  'order.total': amountOf('The total with taxes and delivery.', ({ total }) => total),
  'order.refunded': amountOf('What was refunded so far.', ({ refundedAmount }) => refundedAmount),
  'order.is_paid': ofOrder('Whether the order is paid; for conditions.', ({ isPaid }) => isPaid),
  'order.payment_method': ofOrder('The way to pay, if it is known.', ({ paymentMethod }) => paymentMethod),
  'order.instructions': ofOrder('What the buyer has to do to pay.', ({ instructions }) => instructions),
  'order.note': ofOrder('The message of the buyer, if there is one.', ({ customerNote }) => customerNote),
  'order.gift_note': ofOrder(
    'Message of the buyer to the person who gets the gift, if there is one.',
    ({ giftNote }) => giftNote,
  ),
  'order.url': {
    description: "The buyer's page of the order, if the shop has one.",
    kinds: ordersKinds.filter((kind) => buyersKinds.includes(kind)),
    value: ({ data }) => data.links.order,
  },
  'order.withdraw_url': {
    description: 'The page to withdraw from the contract, if the shop has one.',
    kinds: ordersKinds.filter((kind) => buyersKinds.includes(kind)),
    value: ({ data }) => data.links.withdraw,
  },
  'parcel.carrier': ofParcel('The carrier, if it is known.', ({ carrier }) => carrier),
  'parcel.number': ofParcel('The tracking number, if there is one.', ({ number }) => number),
  'parcel.url': ofParcel('The page to track the parcel, if there is one.', ({ url }) => url),
  'parcel.is_last': ofParcel('Whether nothing is left to ship; for conditions.', ({ isLast }) => isLast),
  'refund.amount': {
    description: 'The amount of this refund.',
    kinds: ['order.refunded'],
    value: ({ data, format }) => data.refund && format.amount(data.refund.amount),
  },
  'withdrawal.name': ofWithdrawal('The name that the buyer gave.', ({ name }) => name),
  'withdrawal.email': ofWithdrawal('The e-mail address that the buyer gave.', ({ email }) => email),
  'withdrawal.order_number': ofWithdrawal('The number as the buyer wrote it.', ({ orderNumber }) => orderNumber),
  'withdrawal.note': ofWithdrawal("The buyer's words, if there are some.", ({ note }) => note),
  'withdrawal.received_at': ofWithdrawal('Date and time of the receipt.', ({ receivedAt }, { format }) =>
    format.moment(receivedAt),
  ),
  'withdrawal.due': {
    ...ofWithdrawal('The day until which the money has to be refunded.', ({ dueAt }, { format }) => format.day(dueAt)),
    kinds: ['owner.withdrawal'],
  },
  'products.count': {
    description: 'The number of the products of which little is left.',
    kinds: ['owner.low_stock'],
    value: ({ data, format }) => format.count(data.products.length),
  },
  'dashboard.url': {
    description: 'The place in the dashboard.',
    kinds: ownersKinds,
    value: ({ data }) => data.links.dashboard,
  },
};

/** Parts of the built-in letters. Each is one character while the template is rendered, which no other text can contain. */
export const blockMarks = { lines: '\ufdd0', totals: '\ufdd1', address: '\ufdd2' };
export type BlockName = keyof typeof blockMarks;

interface BlockDefinition {
  description: string;
  example: string;
  kinds: readonly MailKind[];
  blocks(sources: Sources): Block[];
}

export const blockDefinitions: Record<BlockName, BlockDefinition> = {
  lines: {
    description: 'The table of the goods. At most once in a text, on a line of its own.',
    example: '2 × Espresso cup Aurora: 29,00 €',
    kinds: mailKinds,
    blocks: (sources) => {
      const { order, parcel, withdrawal, kind } = sources.data;
      if (kind === 'owner.low_stock') return [stockGoods(sources)];
      if (withdrawal) return [{ kind: 'paragraph', text: withdrawnGoods(sources, withdrawal) }];
      if (parcel) return [plainGoods(sources, parcel.items)];
      return order ? [orderGoods(sources, order)] : [];
    },
  },
  totals: {
    description: 'What the total is made of. At most once in a text, on a line of its own.',
    example: 'Total: 39,10 €',
    kinds: ordersKinds,
    blocks: (sources) => (sources.data.order ? [orderTotals(sources, sources.data.order)] : []),
  },
  address: {
    description: 'The addresses of the order. At most once in a text, on a line of its own.',
    example: 'Ada Lovelace, Linienstraße 12, 10178 Berlin',
    kinds: ordersKinds,
    blocks: (sources) => (sources.data.order ? orderAddresses(sources, sources.data.order) : []),
  },
};

export const blockNames = Object.keys(blockDefinitions) as BlockName[];

/** The names that a text of a kind can use, and those of them that its subject can. */
export function namesFor(kind: MailKind): { text: ReadonlySet<string>; subject: ReadonlySet<string> } {
  const variables = Object.keys(definitions).filter((name) => definitions[name]?.kinds.includes(kind));
  const blocks = blockNames.filter((name) => blockDefinitions[name].kinds.includes(kind));
  return { text: new Set([...variables, ...blocks]), subject: new Set(variables) };
}

/** Something that the text of a mail can name in `{{ }}`. */
export interface TemplateVariable {
  name: string;
  description: string;
  example: string;
}

/** What the texts of a kind can name. Blocks are for the text only, not for the subject. */
export function templateVariables(kind: MailKind): TemplateVariable[] {
  const sources = sourcesOf(sampleData(kind, 'en'));
  const variables = Object.entries(definitions)
    .filter(([, { kinds }]) => kinds.includes(kind))
    .map(([name, { description, value }]) => ({ name, description, example: String(value(sources) ?? '') }));
  const blocks = blockNames
    .filter((name) => blockDefinitions[name].kinds.includes(kind))
    .map((name) => ({
      name,
      description: blockDefinitions[name].description,
      example: blockDefinitions[name].example,
    }));
  return [...variables, ...blocks];
}

type Group = Record<string, Value>;

/** The values that a template is rendered with: only the variables of the kind, in objects without prototypes. */
export function valuesOf(sources: Sources): Record<string, Value | Group> {
  const { kind } = sources.data;
  const groups = new Map<string, Group>();
  for (const [path, { kinds, value }] of Object.entries(definitions)) {
    if (!kinds.includes(kind)) continue;
    const [name = '', field = ''] = path.split('.');
    const group: Group = groups.get(name) ?? Object.create(null);
    group[field] = value(sources);
    groups.set(name, group);
  }
  const marks = blockNames.filter((name) => blockDefinitions[name].kinds.includes(kind));
  return Object.assign(Object.create(null), Object.fromEntries(groups), pick(blockMarks, marks));
}

function pick(marks: Record<BlockName, string>, names: readonly BlockName[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, marks[name]]));
}
