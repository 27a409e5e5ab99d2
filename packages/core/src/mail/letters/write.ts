import type { MailKind } from '../../engine/mail-kinds.ts';
import { formatMoney, minorOf } from '../../kernel/money.ts';
import type { Block, Fact } from './blocks.ts';
import { printHtml } from './html.ts';
import type { Letter, LetterData, LetterOrder, LetterWithdrawal } from './letter.ts';
import {
  frameOf,
  isZero,
  orderAddresses,
  orderGoods,
  orderTotals,
  plainGoods,
  type Sources,
  sourcesOf,
  stockGoods,
  subjectOf,
  withdrawnGoods,
} from './parts.ts';
import { printText } from './text.ts';

/**
 * The built-in letter of a kind, in the language of the data or in English. Never fails for what a buyer or an import wrote.
 * @throws Error if the data lacks the order or the withdrawal that the kind is about
 */
export function writeLetter(data: LetterData): Letter {
  const sources = sourcesOf(data);
  const { subject: title, blocks } = composers[data.kind](sources);
  const subject = subjectOf(title);
  const frame = frameOf(sources, subject);
  return { subject, text: printText(blocks, frame), html: printHtml(blocks, frame) };
}

interface Draft {
  subject: string;
  blocks: Block[];
}

const composers: Record<MailKind, (sources: Sources) => Draft> = {
  'order.confirmed': (sources) => {
    const { data, words, format } = sources;
    const order = orderOf(data);
    const { confirmed } = words;
    const pays = !order.isPaid && order.instructions !== null ? order.instructions : null;
    return {
      subject: confirmed.subject(order.number, data.shop.name),
      blocks: toBuyer(sources, confirmed.heading, [
        paragraph(confirmed.intro(order.number, order.placedAt && format.day(order.placedAt))),
        ...(order.isPaid && !isZero(order.total) ? [paragraph(confirmed.paid)] : []),
        ...(pays === null ? [] : [section(confirmed.howToPay), { kind: 'note', text: pays, isLinked: true } as const]),
        ...orderButton(sources),
        ...contract(sources, order),
      ]),
    };
  },
  'order.payment_waiting': (sources) => {
    const { data, words, format } = sources;
    const order = orderOf(data);
    const { waiting, confirmed, labels } = words;
    const total = format.amount(order.total);
    return {
      subject: waiting.subject(order.number),
      blocks: toBuyer(sources, waiting.heading, [
        paragraph(waiting.intro(order.number, order.placedAt && format.day(order.placedAt))),
        paragraph(waiting.ask(total)),
        section(confirmed.howToPay),
        ...(order.instructions === null ? [] : [{ kind: 'note', text: order.instructions, isLinked: true } as const]),
        facts([labels.amountDue, total], [labels.reference, order.number]),
        paragraph(waiting.after),
        ...orderButton(sources),
        ...contract(sources, order),
      ]),
    };
  },
  'order.shipped': (sources) => {
    const { data, words } = sources;
    const { shipped, labels, buttons } = words;
    const order = orderOf(data);
    const { parcel } = data;
    const { carrier = null, number = null, url = null, items = [], isLast = true } = parcel ?? {};
    const tracking = facts([labels.carrier, carrier], [labels.trackingNumber, number]);
    return {
      subject: shipped.subject(order.number),
      blocks: toBuyer(sources, shipped.heading, [
        paragraph(shipped.intro(order.number)),
        ...(isLast ? [] : [paragraph(shipped.rest)]),
        ...(tracking.rows.length > 0 ? [tracking] : []),
        ...button(buttons.track, url),
        ...orderButton(sources, url !== null),
        ...(items.length > 0 ? [section(shipped.goods), plainGoods(sources, items)] : []),
        ...orderAddresses(sources, { ...order, billingAddress: null }),
      ]),
    };
  },
  'order.delivered': (sources) => {
    const { delivered } = sources.words;
    const order = orderOf(sources.data);
    return {
      subject: delivered.subject(order.number),
      blocks: toBuyer(sources, delivered.heading, [
        paragraph(delivered.intro(order.number)),
        paragraph(delivered.after),
        ...orderButton(sources),
        section(sources.words.labels.order),
        orderGoods(sources, order),
        ...withdrawal(sources, order),
      ]),
    };
  },
  'order.refunded': (sources) => {
    const { data, words, format } = sources;
    const { refunded, labels, totals } = words;
    const order = orderOf(data);
    const amount = format.amount(data.refund?.amount ?? order.refundedAmount);
    const soFar = format.amount(order.refundedAmount);
    return {
      subject: refunded.subject(order.number),
      blocks: toBuyer(sources, refunded.heading, [
        paragraph(refunded.intro(order.number, amount)),
        paragraph(refunded.how),
        facts(
          [labels.refund, amount],
          [totals.refunded, soFar === amount || isZero(order.refundedAmount) ? null : soFar],
          [totals.total, format.amount(order.total)],
          [labels.paymentMethod, order.paymentMethod],
        ),
        ...orderButton(sources),
      ]),
    };
  },
  'order.cancelled': (sources) => {
    const { data, words, format } = sources;
    const { cancelled } = words;
    const order = orderOf(data);
    const left = lessThan(order.total, order.refundedAmount);
    const back = isZero(left) ? [] : [paragraph(cancelled.moneyBack(format.amount(left)))];
    return {
      subject: cancelled.subject(order.number),
      blocks: toBuyer(sources, cancelled.heading, [
        paragraph(cancelled.intro(order.number, order.placedAt && format.day(order.placedAt))),
        ...(order.isPaid ? back : [paragraph(cancelled.nothingDue)]),
        section(words.labels.order),
        orderGoods(sources, order),
        orderTotals(sources, order),
      ]),
    };
  },
  'withdrawal.received': (sources) => {
    const { data, words } = sources;
    const { withdrawalReceived } = words;
    const statement = withdrawalOf(data);
    return {
      subject: withdrawalReceived.subject(plainNumber(statement.orderNumber)),
      blocks: toBuyer(sources, withdrawalReceived.heading, [
        paragraph(withdrawalReceived.intro),
        statementFacts(sources, statement, words.labels.ownNote),
        paragraph(withdrawalReceived.receiptOnly),
      ]),
    };
  },
  'owner.new_order': (sources) => {
    const { data, words, format } = sources;
    const { newOrder, labels } = words;
    const order = orderOf(data);
    return {
      subject: newOrder.subject(order.number, format.amount(order.total)),
      blocks: toOwner(sources, newOrder.heading, [
        paragraph(newOrder.intro(order.number)),
        facts(
          [labels.buyer, data.buyer.name],
          [labels.email, data.buyer.email],
          [labels.payment, order.isPaid ? labels.paid : labels.notPaid],
          [labels.paymentMethod, order.paymentMethod],
        ),
        ...button(words.buttons.dashboard, data.links.dashboard),
        section(`${labels.goods} · ${order.number}`),
        orderGoods(sources, order),
        orderTotals(sources, order),
        ...orderAddresses(sources, order),
        ...quoted(sources, labels.buyersNote, order.customerNote),
        ...quoted(sources, labels.giftNote, order.giftNote),
      ]),
    };
  },
  'owner.low_stock': (sources) => {
    const { data, words, format } = sources;
    const { lowStock } = words;
    const { products } = data;
    return {
      subject: format.counted(lowStock.subject, products.length),
      blocks: toOwner(sources, lowStock.heading, [
        paragraph(format.counted(lowStock.intro, products.length)),
        stockGoods(sources),
        ...button(words.buttons.dashboard, data.links.dashboard),
      ]),
    };
  },
  'owner.withdrawal': (sources) => {
    const { data, words, format } = sources;
    const { ownerWithdrawal, labels } = words;
    const statement = withdrawalOf(data);
    return {
      subject: ownerWithdrawal.subject(statement.orderNumber),
      blocks: toOwner(sources, ownerWithdrawal.heading, [
        paragraph(ownerWithdrawal.intro),
        statementFacts(sources, statement, labels.buyersNote),
        ...(data.order === null ? [paragraph(ownerWithdrawal.unmatched)] : []),
        paragraph(ownerWithdrawal.due(format.day(statement.dueAt))),
        paragraph(ownerWithdrawal.acknowledged),
        ...button(words.buttons.dashboard, data.links.dashboard),
      ]),
    };
  },
};

/** What is left of an amount; both are decimal strings of one currency. */
function lessThan(amount: string, less: string): string {
  const left = minorOf(amount) - minorOf(less);
  return formatMoney(left < 0n ? 0n : left, (amount.split('.')[1] ?? '').length);
}

/** An order number without other words: a stranger could write a subject with them. */
function plainNumber(text: string): string {
  return /^#? ?(?:ORD)?[ -]?\d{1,15}$/i.test(text) ? text : '…';
}

function toBuyer({ data, words }: Sources, heading: string, blocks: readonly Block[]): Block[] {
  const { seller, name } = data.shop;
  return [
    { kind: 'heading', level: 1, text: heading },
    paragraph(words.greeting(greetable(data.buyer.name))),
    ...blocks,
    ...(seller ? [paragraph(words.questions(seller.email))] : []),
    paragraph(`${words.regards}\n${name}`),
  ];
}

/** Anyone can order to another person's address, and write an advertisement with an address into the name. */
function greetable(name: string | null): string | null {
  return name === null || name.length > 80 || /[/@:]|www|\.\p{L}{2}/iu.test(name) ? null : name;
}

function toOwner({ words }: Sources, heading: string, blocks: readonly Block[]): Block[] {
  return [{ kind: 'heading', level: 1, text: heading }, paragraph(words.ownerGreeting), ...blocks];
}

/** What Art. 8(7) of Directive 2011/83/EU asks for, besides the seller, who is in the foot. */
function contract(sources: Sources, order: LetterOrder): Block[] {
  const { data, words } = sources;
  const { labels, attached } = words;
  const payment = facts([labels.paymentMethod, order.paymentMethod]);
  const [terms, instruction] = [data.attached.includes('terms'), data.attached.includes('withdrawal')];
  const texts =
    terms && instruction ? attached.both : terms ? attached.terms : instruction ? attached.withdrawal : null;
  return [
    section(labels.order),
    orderGoods(sources, order),
    orderTotals(sources, order),
    ...orderAddresses(sources, order),
    ...quoted(sources, labels.giftNote, order.giftNote),
    ...(payment.rows.length > 0 ? [payment] : []),
    ...withdrawal(sources, order),
    ...(texts === null ? [] : [paragraph(texts)]),
  ];
}

/** The way to withdraw, unless all goods are exempt. */
function withdrawal({ data, words }: Sources, { items }: LetterOrder): Block[] {
  const exempt = items.filter(({ withdrawalExempt }) => withdrawalExempt !== null);
  const link = button(words.buttons.withdraw, data.links.withdraw, true);
  if (link.length === 0 || exempt.length === items.length) return [];
  return [
    section(words.withdraw.heading),
    paragraph(words.withdraw.text),
    ...(exempt.length > 0 ? [paragraph(words.withdraw.partly)] : []),
    ...link,
  ];
}

/** The content of a statement of withdrawal, with the time of its receipt: Art. 11a(4) of Directive 2011/83/EU. */
function statementFacts(sources: Sources, statement: LetterWithdrawal, noteLabel: string): Block {
  const { words, format } = sources;
  const { labels } = words;
  return facts(
    [labels.orderNumber, statement.orderNumber],
    [labels.goods, withdrawnGoods(sources, statement)],
    [labels.name, statement.name],
    [labels.email, statement.email],
    [noteLabel, statement.note],
    [labels.receivedAt, format.moment(statement.receivedAt)],
  );
}

function orderOf({ kind, order }: LetterData): LetterOrder {
  if (order === null) throw new Error(`a letter of the kind ${kind} is about an order`);
  return order;
}

function withdrawalOf({ kind, withdrawal }: LetterData): LetterWithdrawal {
  if (withdrawal === null) throw new Error(`a letter of the kind ${kind} is about a withdrawal`);
  return withdrawal;
}

function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

function section(text: string): Block {
  return { kind: 'heading', level: 2, text };
}

/** Facts without those that are not known. */
function facts(...rows: readonly (readonly [string, string | null])[]): { kind: 'facts'; rows: Fact[] } {
  return { kind: 'facts', rows: rows.flatMap(([label, value]) => (value ? [{ label, value }] : [])) };
}

function quoted({ words }: Sources, label: string, text: string | null): Block[] {
  return text === null || text === '' ? [] : [paragraph(label + words.colon), { kind: 'note', text }];
}

function button(label: string, url: string | null, isQuiet = false): Block[] {
  return url === null ? [] : [{ kind: 'button', label, url, isQuiet }];
}

function orderButton({ data, words }: Sources, isQuiet = false): Block[] {
  return button(words.buttons.order, data.links.order, isQuiet);
}
