import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, emittedBy, eventsOf, newProduct } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCheckout,
  createFulfilment,
  createOrder,
  deleteFulfilment,
  eachInvoice,
  eraseOrder,
  getInvoice,
  getOrder,
  type Invoice,
  issueInvoice,
  listInvoices,
  type Order,
  recordPayment,
  refundOrder,
  type SettingsChanges,
  updateOrder,
  updateSettings,
} from '../../index.ts';

const conflict = { kind: 'conflict' } as const;

const seller = {
  name: 'Tea & Co Ltd',
  address: '12 St James Square\nLondon',
  email: 'hello@shop.test',
  vatId: 'DE123456788',
};

const taxes = {
  scope: 'destination',
  rates: [
    { country: 'DE', class: 'standard', rate: '0.19', name: 'VAT' },
    { country: 'DE', class: 'books', rate: '0.07', name: 'VAT' },
  ],
} as const;

const address = { firstName: 'Ada', lastName: 'Lovelace', address1: 'Am Markt 1', city: 'Berlin', country: 'DE' };

forEachStorage('invoices', (database) => {
  const { clock, commerce, openShop } = useSelling(database);
  const minor = (amount: string) => BigInt(amount.replace('.', ''));

  async function open(settings: SettingsChanges = {}, invoices: SettingsChanges['invoices'] = {}) {
    const opened = await openShop([], {
      settings: {
        ...{
          seller,
          manualPayments: true,
          country: 'DE',
          taxIncluded: true,
          taxes: { ...taxes, rates: [...taxes.rates] },
        },
        paymentMethods: [{ id: 'bill', name: 'Invoice', kind: 'invoice' }],
        ...settings,
        invoices: { enabled: true, ...invoices },
      },
    });
    const book = await newProduct(opened.shop, { title: 'A book', price: '10.70', taxClass: 'books' });
    return { ...opened, book };
  }
  /** The time only moves on, also if the test is tried again. */
  const goTo = (time: string) => clock.advance(Date.parse(time) - clock.now());
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  type Opened = Awaited<ReturnType<typeof open>>;

  async function pending({ shop, product, book }: Opened, input: Partial<Parameters<typeof createOrder>[1]> = {}) {
    return createOrder(shop, {
      items: [
        { productId: product.id, quantity: 2, options: { Engraving: 'A. L.' } },
        { productId: book.id, quantity: 1 },
      ],
      customer: { email: 'ada@shop.test', name: 'Ada L' },
      shippingAddress: address,
      shipping: '4.99',
      ...input,
    });
  }
  const pay = (shop: Context, { id, total }: Order) => recordPayment(shop, id, { method: 'cash', amount: total });

  async function paid(opened: Opened, input: Partial<Parameters<typeof createOrder>[1]> = {}) {
    const order = await pending(opened, input);
    await pay(opened.shop, order);
    return getOrder(opened.shop, order.id);
  }

  async function of(shop: Context, orderId: string): Promise<Invoice[]> {
    return (await listInvoices(shop, { orderId })).items.toReversed();
  }
  const brief = (all: readonly Invoice[]) => all.map(({ number, cause, total }) => `${number} ${cause} ${total}`);

  /** Amounts by entry: invoices less credit notes. */
  function balance(all: readonly Invoice[]): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const { kind, taxes, untaxed, total } of all) {
      const sign = kind === 'invoice' ? 1n : -1n;
      const add = (key: string, amount: string) => sums.set(key, (sums.get(key) ?? 0n) + sign * minor(amount));
      for (const { rate, base, amount } of taxes) {
        add(`${rate} base`, base);
        add(`${rate} tax`, amount);
      }
      add('untaxed', untaxed);
      add('total', total);
    }
    return sums;
  }
  const isZero = (all: readonly Invoice[]) => [...balance(all).values()].every((sum) => sum === 0n);

  it('are written with the payment: a snapshot with the next number of the year', async () => {
    const opened = await open({}, { note: 'Thank you.' });
    const { shop } = opened;
    const order = await pending(opened, { discount: '3.00' });
    const types = await emittedBy(shop, () => pay(shop, order));
    expect(types).toContain('invoice.created');
    const [invoice] = await of(shop, order.id);
    if (!invoice) throw new Error('there is an invoice');
    expect(invoice).toMatchObject({
      ...{ kind: 'invoice', cause: 'order', number: 'INV-2026-0001', orderId: order.id, orderNumber: 'ORD-1001' },
      ...{ refersTo: null, date: today(), supplyDate: today(), locale: 'en', currency: 'EUR' },
      seller: { ...seller, phone: null },
      buyer: { name: 'Ada Lovelace', email: 'ada@shop.test', address: { city: 'Berlin' } },
      lines: [
        {
          sku: null,
          options: { Engraving: 'A. L.' },
          quantity: 2,
          netUnitPrice: '10.5042',
          taxRate: '0.19',
          total: '25.00',
        },
        { title: 'A book', quantity: 1, netUnitPrice: '10.0000', taxRate: '0.07', total: '10.70' },
      ],
      ...{ subtotal: '35.70', discount: '3.00', shipping: '4.99', total: order.total, taxIncluded: true },
      taxes: order.taxes,
      ...{ untaxed: '0.00', notes: ['Thank you.'], exemption: null },
    });
    const sum = [...invoice.taxes.flatMap(({ base, amount }) => [base, amount]), invoice.untaxed];
    expect(sum.reduce((all, one) => all + minor(one), 0n)).toBe(minor(invoice.total));
    expect(await getInvoice(shop, invoice.id)).toEqual(invoice);
    expect((await eventsOf(shop)).findLast(({ type }) => type === 'invoice.created')?.data).toEqual(invoice);
    const audits = (await auditOf(shop)).filter(({ action }) => action === 'invoice.created');
    expect(audits).toMatchObject([{ resource_type: 'invoice', resource_id: invoice.id }]);
    // What the shop becomes later changes nothing.
    await updateSettings(shop, {
      seller: { ...seller, name: 'Coffee & Co' },
      invoices: { enabled: true, prefix: 'R' },
    });
    expect(await getInvoice(shop, invoice.id)).toEqual(invoice);
    const other = await paid(opened);
    expect(brief(await of(shop, other.id))).toEqual([`R0001 order ${other.total}`]);
  });

  it('are written with the fulfilment if the shop says so, and with the first parcel of an unpaid order', async () => {
    const opened = await open({}, { on: 'fulfilled' });
    const { shop } = opened;
    const order = await paid(opened);
    expect(await of(shop, order.id)).toEqual([]);
    await createFulfilment(shop, order.id, { lines: [{ itemId: order.items[0]?.id ?? '', quantity: 1 }] });
    expect(await of(shop, order.id)).toEqual([]);
    clock.advance(24 * 60 * minute);
    await createFulfilment(shop, order.id);
    const [invoice, ...rest] = await of(shop, order.id);
    expect([invoice?.total, rest]).toEqual([order.total, []]);
    expect(invoice?.supplyDate).toBe(invoice?.date);

    const late = await paid(opened);
    const itemId = late.items[0]?.id ?? '';
    await createFulfilment(shop, late.id, { lines: [{ itemId, quantity: 1 }] });
    // A parcel that left before it is entered here.
    const shippedAt = new Date(clock.now() - 48 * 60 * minute).toISOString();
    await createFulfilment(shop, late.id, { shippedAt });
    expect((await of(shop, late.id)).map(({ supplyDate }) => supplyDate)).toEqual([today()]);

    // Goods that are not sent count as shipped with the payment.
    const song = await newProduct(shop, { title: 'A song', price: '1.00', requiresShipping: false });
    const sent = await paid(opened, { items: [{ productId: song.id, quantity: 1 }], shipping: '0.00' });
    expect(await of(shop, sent.id)).toMatchObject([{ total: '1.00', supplyDate: today() }]);
    await updateOrder(shop, sent.id, { status: 'fulfilled' });
    expect(await of(shop, sent.id)).toHaveLength(1);

    for (const on of ['paid', 'fulfilled'] as const) {
      await updateSettings(shop, { invoices: { enabled: true, on } });
      const checkout = await createCheckout(shop, {
        items: [{ productId: opened.product.id, quantity: 2 }],
        ...{ customer: { email: 'ada@shop.test' }, paymentMethodId: 'bill', shippingAddress: address },
        ...{ successUrl: 'https://shop.example/a', cancelUrl: 'https://shop.example/b' },
      });
      const unpaid = await getOrder(shop, checkout.orderId);
      const itemId = unpaid.items[0]?.id ?? '';
      const parcel = await createFulfilment(shop, unpaid.id, { lines: [{ itemId, quantity: 1 }] });
      expect(await of(shop, unpaid.id)).toHaveLength(1);
      await deleteFulfilment(shop, unpaid.id, parcel.id);
      await createFulfilment(shop, unpaid.id);
      await pay(shop, unpaid);
      expect(await of(shop, unpaid.id)).toHaveLength(1);
    }
  });

  it('of an order that shipped unpaid and is cancelled are taken back', async () => {
    const opened = await open();
    const { shop } = opened;
    const checkout = await createCheckout(shop, {
      items: [{ productId: opened.product.id, quantity: 2 }],
      ...{ customer: { email: 'ada@shop.test' }, paymentMethodId: 'bill', shippingAddress: address },
      ...{ successUrl: 'https://shop.example/a', cancelUrl: 'https://shop.example/b' },
    });
    await createFulfilment(shop, checkout.orderId);
    await updateOrder(shop, checkout.orderId, { status: 'cancelled' });
    const documents = await of(shop, checkout.orderId);
    expect(documents.map(({ cause }) => cause)).toEqual(['order', 'cancellation']);
    expect(documents[1]?.lines).toEqual(documents[0]?.lines);
    expect(isZero(documents)).toBe(true);
  });

  it('are followed by a credit note for each refund, which names them, and for the rest when it is cancelled', async () => {
    const opened = await open();
    const { shop } = opened;
    const order = await paid(opened);
    const [mug, book] = order.items.map(({ id }) => id) as [string, string];
    await refundOrder(shop, order.id, { lines: [{ itemId: book, quantity: 1 }], reason: 'a page was missing' });
    await refundOrder(shop, order.id, { amount: '1.01' });
    await refundOrder(shop, order.id, { lines: [{ itemId: mug, quantity: 1 }], shipping: true, amount: '12.00' });
    const documents = await of(shop, order.id);
    const [invoice, first, second, third] = documents;
    expect(documents.map(({ number }) => number)).toEqual([
      'INV-2026-0001',
      'CN-2026-0001',
      'CN-2026-0002',
      'CN-2026-0003',
    ]);
    const named = { id: invoice?.id, number: 'INV-2026-0001', date: today() };
    expect(first).toMatchObject({
      ...{ kind: 'credit_note', cause: 'refund', refersTo: named, reason: 'a page was missing', total: '10.70' },
      lines: [{ itemId: book, quantity: 1, netUnitPrice: '10.0000', taxRate: '0.07', total: '10.70' }],
      taxes: [{ rate: '0.07', base: '10.00', amount: '0.70' }],
      ...{ subtotal: '10.70', discount: '0.00', shipping: '0.00', taxIncluded: true },
    });
    expect(second?.lines).toMatchObject([{ itemId: null, title: 'Part of order ORD-1001', netUnitPrice: null }]);
    // Less was refunded than the piece and the shipping cost.
    expect(third).toMatchObject({ subtotal: '12.50', shipping: '4.99', discount: '5.49', total: '12.00' });
    await updateOrder(shop, order.id, { status: 'cancelled' });
    const all = await of(shop, order.id);
    expect(all.at(-1)).toMatchObject({ kind: 'credit_note', cause: 'cancellation', refundId: null, refersTo: named });
    expect(isZero(all)).toBe(true);
    // A refund after it was cancelled credits nothing twice.
    await refundOrder(shop, order.id, { amount: '5.00' });
    expect(await of(shop, order.id)).toHaveLength(all.length);
  });

  it('that are refunded at once are taken back as a whole', async () => {
    const opened = await open({ taxIncluded: false });
    const { shop } = opened;
    const order = await paid(opened, { discount: '1.00' });
    await refundOrder(shop, order.id, { amount: order.total });
    const [invoice, note] = await of(shop, order.id);
    expect(note).toMatchObject({
      lines: invoice?.lines,
      subtotal: invoice?.subtotal,
      discount: '1.00',
      taxIncluded: false,
    });
    expect(note?.taxes).toEqual(invoice?.taxes);
  });

  it('are none for what costs nothing, while they are off, and for orders that do not come so far', async () => {
    const opened = await open();
    const { shop, product } = opened;
    const free = await createOrder(shop, { items: [{ productId: product.id, quantity: 1, lineDiscount: '12.50' }] });
    await recordPayment(shop, free.id, { method: 'none', amount: '0.00' }).catch(() => {});
    const cancelled = await pending(opened);
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    await updateSettings(shop, { invoices: { enabled: false } });
    const order = await paid(opened);
    await refundOrder(shop, order.id, { amount: '1.00' });
    expect((await listInvoices(shop)).total).toBe(0);
    // Credit notes follow also while they are off: the invoice was written by hand.
    const issued = await issueInvoice(shop, order.id);
    await refundOrder(shop, order.id, { amount: '2.00' });
    const documents = await of(shop, order.id);
    expect(documents[0]).toEqual(issued);
    expect(brief(documents).slice(1)).toEqual(['CN-2026-0001 refund 1.00', 'CN-2026-0002 refund 2.00']);
  });

  it('are issued by hand for a paid or a placed order, once', async () => {
    const opened = await open({}, { enabled: false });
    const { shop } = opened;
    const waiting = await pending(opened);
    await expectDenied(commerce(), () => issueInvoice(shop, waiting.id), conflict);
    await expectDenied(commerce(), () => issueInvoice(shop, 'x'), { kind: 'notFound' });
    const order = await paid(opened);
    const results = await Promise.allSettled([1, 2, 3].map(() => issueInvoice(shop, order.id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expectDenied(commerce(), () => issueInvoice(shop, order.id), {
      ...conflict,
      message: /it has the invoice INV-2026-0001/,
    });
    await refundOrder(shop, order.id, { amount: order.total });
    await expectDenied(commerce(), () => issueInvoice(shop, order.id), {
      ...conflict,
      message: /nothing of it is left/,
    });
    const nameless = await paid(opened);
    await updateSettings(shop, { seller: null });
    await expectDenied(commerce(), () => issueInvoice(shop, nameless.id), { ...conflict, message: /no seller/ });
  });

  it('are exact for several orders and steps of one transaction, and none of one that is rolled back', async () => {
    const opened = await open();
    const { shop } = opened;
    const orders = await Promise.all(Array.from({ length: 4 }, () => pending(opened)));
    const [a, b, c, d] = orders as [Order, Order, Order, Order];
    await commerce().transaction(shop, async (ctx) => {
      await pay(ctx, a);
      await refundOrder(ctx, a.id, { amount: '1.00' });
      await expect(pay(ctx, { ...c, total: '1.00' } as Order)).rejects.toThrow();
      await pay(ctx, b);
      await updateOrder(ctx, b.id, { status: 'cancelled' });
      await pay(ctx, d);
      await refundOrder(ctx, d.id, { amount: '2.00' });
      await refundOrder(ctx, d.id, { amount: '3.00' });
    });
    await expect(
      commerce().transaction(shop, async (ctx) => {
        await pay(ctx, c);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await commerce().transaction(shop, async (ctx) => {
      const other = await pending({ ...opened, shop: ctx });
      await pay(ctx, other);
      await eraseOrder(ctx, other.id);
    });
    expect((await of(shop, a.id)).map(({ cause, total }) => [cause, total])).toEqual([
      ['order', a.total],
      ['refund', '1.00'],
    ]);
    // It was cancelled before the end: it never had an invoice.
    expect(await of(shop, b.id)).toEqual([]);
    expect((await of(shop, d.id)).map(({ total }) => total)).toEqual([d.total, '2.00', '3.00']);
    await pay(shop, c);
    const all = (await listInvoices(shop)).items;
    expect(all.map(({ number }) => number).sort()).toEqual([
      ...['CN-2026-0001', 'CN-2026-0002', 'CN-2026-0003'],
      ...['INV-2026-0001', 'INV-2026-0002', 'INV-2026-0003'],
    ]);
  });

  it('say why no tax falls on them', async () => {
    const opened = await open({ locale: 'de' });
    const taxExempt = { reason: 'intraCommunity', note: 'Lieferung nach Wien' } as const;
    const order = await paid(opened, { taxExempt });
    const [invoice] = await of(opened.shop, order.id);
    expect(invoice).toMatchObject({ exemption: 'intraCommunity', tax: '0.00' });
    expect(invoice?.notes).toEqual([
      expect.stringMatching(/Art\. 138 der Richtlinie 2006\/112\/EG/),
      'Lieferung nach Wien',
    ]);
  });

  it('are listed by order, kind and time, and read in batches', async () => {
    const opened = await open();
    const { shop } = opened;
    for (let day = 0; day < 3; day++) {
      const order = await paid(opened);
      await refundOrder(shop, order.id, { amount: '1.00' });
      clock.advance(24 * 60 * minute);
    }
    const dayBefore = (days: number) => new Date(clock.now() - days * 24 * 60 * minute).toISOString().slice(0, 10);
    const [first, second] = [dayBefore(3), dayBefore(2)];
    expect((await listInvoices(shop)).total).toBe(6);
    expect((await listInvoices(shop, { kind: 'credit_note' })).total).toBe(3);
    expect((await listInvoices(shop, { from: first, to: second })).total).toBe(2);
    const page = await listInvoices(shop, { limit: 1, offset: 5 });
    expect(page.items).toMatchObject([{ number: 'INV-2026-0001' }]);
    const all: Invoice[] = [];
    for await (const invoice of eachInvoice(shop, { kind: 'invoice' })) all.push(invoice);
    expect(all.map(({ number }) => number)).toEqual(['INV-2026-0001', 'INV-2026-0002', 'INV-2026-0003']);
    await expectDenied(commerce(), () => listInvoices(shop, { from: first, to: '2026-01-02' }), invalid('to'));
    await expectDenied(commerce(), () => listInvoices(shop, { kind: 'bill' as never }), invalid('kind'));
    const storefront: Context = { ...shop, actor: { type: 'apiKey', id: 'k', isPublic: true } };
    await expectDenied(commerce(), () => listInvoices(storefront), { kind: 'forbidden' });
  });

  it('count from 1 with each year of the shop, and each text of the series', async () => {
    const opened = await open(
      { timeZone: 'Pacific/Auckland' },
      { prefix: '{year}/', digits: 2, creditPrefix: '{year}/' },
    );
    goTo('2026-12-31T10:59:00Z');
    const first = await paid(opened);
    await refundOrder(opened.shop, first.id, { amount: '1.00' });
    clock.advance(2 * minute);
    const second = await paid(opened);
    const numbers = [...(await of(opened.shop, first.id)), ...(await of(opened.shop, second.id))];
    expect(numbers.map(({ number, date }) => [number, date])).toEqual([
      ['2026/01', '2026-12-31'],
      ['2026/02', '2026-12-31'],
      ['2027/01', '2027-01-01'],
    ]);
    goTo('2027-01-20T12:00:00Z');
    // Another series can come to the same text as one that was given out.
    await updateSettings(opened.shop, { invoices: { enabled: true, prefix: '2027/0', digits: 1 } });
    expect(brief(await of(opened.shop, (await paid(opened)).id))).toEqual([expect.stringMatching(/^2027\/02 /)]);
  });
});
