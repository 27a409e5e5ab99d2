import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, emittedBy, newProduct } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import {
  type Actor,
  type AgentChange,
  adjustStock,
  type Context,
  carryOut,
  createCheckout,
  createDiscount,
  createFulfilment,
  createOrder,
  createPage,
  createProduct,
  deleteDiscount,
  deletePage,
  deleteProduct,
  getDiscountJson,
  getOrder,
  getOrderJson,
  getPageJson,
  getProduct,
  getProductJson,
  listRefunds,
  previewChange,
  recordPayment,
  refundOrder,
  rotateOrderLinks,
  scopes,
  updateDiscount,
  updateOrder,
  updatePage,
  updateProduct,
  updateSettings,
} from '../index.ts';

/** A change, what its preview shows, and what can come between; absent if nothing can. */
interface Case {
  change: AgentChange<unknown>;
  preview: object;
  meddle?: () => Promise<unknown>;
}

let made = 0;

type Read = (ctx: Context, id: string) => Promise<string>;

/** A change as tools describe it. */
function changeOf<T>(
  tool: string,
  args: Record<string, unknown>,
  run: (ctx: Context) => Promise<T>,
  target?: { id: string; read: Read; shown?: string[] },
): AgentChange<T> {
  return {
    ...{ tool, args, run },
    print: (result) => (tool.startsWith('delete') ? undefined : JSON.stringify(result)),
    ...(target && { target: { id: target.id, read: (ctx) => target.read(ctx, target.id), shown: target.shown ?? [] } }),
  };
}

forEachStorage('changes that are previewed', (database) => {
  const { commerce, clock, openShop, pageOf, stub } = useSelling(database);
  const actor: Actor = { type: 'apiKey', id: 'key-of-a-test', scopes: new Set(scopes) };
  let shop: Context;

  beforeAll(async () => {
    const { shop: opened } = await openShop(['stripe']);
    await updateSettings(opened, { manualPayments: true });
    shop = await commerce().store(opened.store.id, actor);
  });

  const product = () => newProduct(shop, { price: '20.00', trackStock: true, stock: 5 });
  async function paid(quantity = 2) {
    const { id: productId } = await product();
    const { id } = await createOrder(shop, { items: [{ productId, quantity }], customer: { email: 'ada@shop.test' } });
    await recordPayment(shop, id, { method: 'cash', amount: `${20 * quantity}.00` });
    return getOrder(shop, id);
  }

  /** Every kind of change: how it is asked for, what its preview shows, and what comes between. */
  const cases = {
    async update_product() {
      const { id, title } = await product();
      const changes = { price: '21' };
      return {
        change: changeOf('update_product', { id, changes }, (on) => updateProduct(on, id, changes), {
          ...{ id, read: getProductJson, shown: ['title'] },
        }),
        preview: { of: { id, title }, changes: { price: { from: '20.00', to: '21.00' } } },
        meddle: () => updateProduct(shop, id, { price: '19' }),
      };
    },
    async adjust_stock() {
      const { id } = await product();
      const args = { id, adjustment: -2 };
      return {
        change: changeOf('adjust_stock', args, (on) => adjustStock(on, id, { adjustment: -2 }), {
          ...{ id, read: getProductJson },
        }),
        preview: { of: { id }, changes: { stock: { from: 5, to: 3 } } },
        // An order takes a piece.
        meddle: async () => {
          const order = await createOrder(shop, { items: [{ productId: id, quantity: 1 }] });
          await recordPayment(shop, order.id, { method: 'cash', amount: '20' });
          expect((await getProduct(shop, id)).stock).toBe(4);
        },
      };
    },
    async update_order_note() {
      const { id } = await paid();
      const changes = { merchantNote: 'call before' };
      return {
        change: changeOf('update_order_note', { id, changes }, (on) => updateOrder(on, id, changes), {
          ...{ id, read: getOrderJson },
        }),
        preview: { of: { id }, changes: { merchantNote: { from: null, to: 'call before' } } },
        meddle: () => updateOrder(shop, id, { merchantNote: 'another' }),
      };
    },
    async fulfil_order() {
      const { id } = await paid();
      return {
        change: changeOf('fulfil_order', { id }, (on) => createFulfilment(on, id), { id, read: getOrderJson }),
        preview: {
          of: { id },
          changes: expect.objectContaining({ status: { from: 'paid', to: 'fulfilled' } }),
          made: expect.objectContaining({ tracking: null }),
        },
        meddle: () => updateOrder(shop, id, { merchantNote: 'wait' }),
      };
    },
    async refund_order() {
      const { id } = await paid();
      const args = { id, amount: '5' };
      return {
        change: changeOf('refund_order', args, (on) => refundOrder(on, id, { amount: '5' }), {
          ...{ id, read: getOrderJson, shown: ['total', 'refundedAmount'] },
        }),
        preview: {
          of: { id, total: '40.00', refundedAmount: '0.00' },
          changes: expect.objectContaining({ refundedAmount: { from: '0.00', to: '5.00' } }),
          made: expect.objectContaining({ amount: '5.00', status: 'succeeded' }),
        },
        meddle: () => refundOrder(shop, id, { amount: '1' }),
      };
    },
    async create_product() {
      const input = { title: 'Bowl', slug: `bowl-${++made}`, price: '8' };
      return {
        change: changeOf('create_product', input, (on) => createProduct(on, input)),
        preview: { made: expect.objectContaining({ title: 'Bowl', price: '8.00', status: 'draft' }) },
      };
    },
    async create_discount() {
      const input = { code: `S${++made}`, type: 'percent', value: '10' } as const;
      return {
        change: changeOf('create_discount', input, (on) => createDiscount(on, input)),
        preview: { made: expect.objectContaining({ code: input.code, used: 0 }) },
      };
    },
    async update_discount() {
      const { id } = await createDiscount(shop, { code: `C${++made}`, type: 'percent', value: '10' });
      const changes = { value: '15' };
      return {
        change: changeOf('update_discount', { id, changes }, (on) => updateDiscount(on, id, changes), {
          ...{ id, read: getDiscountJson },
        }),
        preview: { of: { id }, changes: { value: expect.objectContaining({ to: expect.stringMatching(/^15/) }) } },
        meddle: () => updateDiscount(shop, id, { value: '20' }),
      };
    },
    async update_page() {
      const { id } = await createPage(shop, { title: 'Imprint', slug: `imprint-${++made}` });
      const changes = { content: 'Who we are.' };
      return {
        change: changeOf('update_page', { id, changes }, (on) => updatePage(on, id, changes), {
          ...{ id, read: getPageJson },
        }),
        preview: { of: { id }, changes: { content: { from: null, to: 'Who we are.' } } },
        meddle: () => updatePage(shop, id, { title: 'About' }),
      };
    },
    async delete_product() {
      const { id } = await product();
      return {
        change: changeOf('delete_product', { id }, (on) => deleteProduct(on, id), { id, read: getProductJson }),
        preview: { of: { id }, deleted: expect.objectContaining({ id, price: '20.00' }) },
        meddle: () => updateProduct(shop, id, { title: 'Another' }),
      };
    },
    async delete_discount() {
      const { id } = await createDiscount(shop, { code: `D${++made}`, type: 'percent', value: '10' });
      return {
        change: changeOf('delete_discount', { id }, (on) => deleteDiscount(on, id), { id, read: getDiscountJson }),
        preview: { of: { id }, deleted: expect.objectContaining({ id }) },
        meddle: () => updateDiscount(shop, id, { value: '20' }),
      };
    },
    async delete_page() {
      const { id } = await createPage(shop, { title: 'Old', slug: `old-${++made}` });
      return {
        change: changeOf('delete_page', { id }, (on) => deletePage(on, id), { id, read: getPageJson }),
        preview: { of: { id }, deleted: expect.objectContaining({ id }) },
        // Already gone.
        meddle: () => deletePage(shop, id),
      };
    },
  } satisfies Record<string, () => Promise<Case>>;

  /** Runs some work, which must leave every row of every table as it is. */
  async function leavingNothing<T>(work: () => Promise<T>): Promise<T> {
    // Snapshots leave out the numbers of products, which other work takes in blocks.
    const rows = async () => [
      await snapshot(commerce()),
      await shop.engine.storage.db.selectFrom('sequences').selectAll().orderBy('name').orderBy('store_id').execute(),
    ];
    const before = await rows();
    const result = await work();
    expect(await rows()).toEqual(before);
    return result;
  }

  it.each(Object.entries<() => Promise<Case>>(cases))(
    '%s shows what it would do, and leaves no row behind',
    async (_, make) => {
      const { change, preview } = await make();
      const shown = await leavingNothing(() => previewChange(shop, change));
      expect(shown.preview).toEqual(preview);
      // The ids of what would be made are not known before.
      expect(JSON.stringify(shown.preview.made ?? {})).not.toMatch(/"(?:id|refundId)":/);
    },
  );

  it.each(Object.entries<() => Promise<Case>>(cases))(
    '%s is carried out once when it is confirmed',
    async (name, make) => {
      const { change } = await make();
      const { confirm } = await previewChange(shop, change);
      let first: string | null = null;
      const types = await emittedBy(shop, async () => {
        first = await carryOut(shop, change, confirm);
      });
      expect((await auditOf(shop)).at(-1)).toMatchObject({ actor_type: 'apiKey', actor_id: 'key-of-a-test' });
      const repeated = await leavingNothing(() => carryOut(shop, change, confirm));
      expect(repeated).toEqual(first);
      if (!name.includes('discount')) expect(types).not.toEqual([]);
    },
  );

  it.each(Object.entries<() => Promise<Case>>(cases))('%s is refused after something else', async (_, make) => {
    const { change, meddle } = await make();
    const { confirm } = await previewChange(shop, change);
    // With other arguments, as another actor, or as another tool.
    const wrong = [
      () => carryOut(shop, { ...change, args: { ...change.args, more: 1 } }, confirm),
      () => carryOut({ ...shop, actor: { ...actor, id: 'another key' } }, change, confirm),
      () => carryOut(shop, { ...change, tool: 'another' }, confirm),
      () => carryOut(shop, change, `${confirm}A`),
      () => carryOut(shop, change, confirm.replace(/^./, 'z')),
      () => carryOut(shop, change, { confirm }),
      () => carryOut(shop, change, ''),
      () => carryOut(shop, change, 'x'.repeat(1_000_000)),
    ];
    for (const work of wrong) await expectDenied(commerce(), work, invalid('confirm'));
    await meddle?.();
    const stale = { kind: 'conflict', message: /make the call without confirm/ } as const;
    if (meddle) await expectDenied(commerce(), () => carryOut(shop, change, confirm), stale);
    clock.advance(10 * minute);
    await expectDenied(commerce(), () => carryOut(shop, change, confirm), stale);
  });

  it('are confirmed with the same JSON only', async () => {
    const as = (args: Record<string, unknown>) => changeOf('a_tool', args, async () => ({}));
    const pairs: [unknown, unknown][] = [
      [{ a: 1 }, [['a', 1]]],
      [{}, []],
      [{ a: { b: 1 } }, { a: [['b', 1]] }],
      [1, '1'],
      [null, 'null'],
      [{ a: '1,2' }, { a: ['1', '2'] }],
      [new Date(0), new Date(1)],
      [JSON.parse('{"__proto__":1}'), {}],
    ];
    for (const [one, other] of pairs) {
      const { confirm } = await previewChange(shop, as({ one }));
      await expectDenied(commerce(), () => carryOut(shop, as({ one: other }), confirm), invalid('confirm'));
    }
    const { confirm } = await previewChange(shop, as({ one: { a: 1, b: [{ c: 1, d: new Date(0) }] }, two: 2 }));
    const inAnotherOrder = as({ two: 2, one: { b: [{ d: new Date(0).toJSON(), c: 1 }], a: 1 } });
    expect(await carryOut(shop, inAnotherOrder, confirm)).toBe('{}');
  });

  it('that a rotated secret of the store has signed are not accepted', async () => {
    const { change } = await cases.update_product();
    const { confirm } = await previewChange(shop, change);
    await rotateOrderLinks(shop);
    await expectDenied(commerce(), () => carryOut(shop, change, confirm), invalid('confirm'));
  });

  it('are refused by the operation itself, in the preview and when confirmed', async () => {
    const taken = `taken-${++made}`;
    const input = { title: 'Bowl', slug: taken, price: '8' };
    const change = changeOf('create_product', input, (on) => createProduct(on, input));
    const { confirm } = await previewChange(shop, change);
    await createProduct(shop, input);
    await expectDenied(commerce(), () => carryOut(shop, change, confirm), { kind: 'conflict', fields: ['slug'] });
    await expectDenied(commerce(), () => previewChange(shop, change), { kind: 'conflict', fields: ['slug'] });
    const { id } = await product();
    const wrong = changeOf('adjust_stock', { id, adjustment: -6 }, (on) => adjustStock(on, id, { adjustment: -6 }), {
      ...{ id, read: getProductJson },
    });
    await expectDenied(commerce(), () => previewChange(shop, wrong), { kind: 'conflict', fields: ['adjustment'] });
    const { id: orderId } = await paid();
    const much = changeOf('refund_order', { id: orderId }, (on) => refundOrder(on, orderId, { amount: '41' }), {
      ...{ id: orderId, read: getOrderJson },
    });
    await expectDenied(commerce(), () => previewChange(shop, much), invalid('amount'));
  });

  it('that move money ask the provider only when they are confirmed', async () => {
    const sold = await openShop(['stripe']);
    const checkout = await createCheckout(sold.shop, sold.input());
    await stub().act('stripe', await pageOf(sold.shop, checkout.id), 'pay');
    await stub().settled();
    const selling = await commerce().store(sold.shop.store.id, actor);
    const id = checkout.orderId;
    const input = { amount: '5', execute: true };
    const change = changeOf('refund_order', { id, ...input }, (on) => refundOrder(on, id, input), {
      ...{ id, read: getOrderJson, shown: ['total', 'refundedAmount'] },
    });
    const seen = stub().calls.length;
    const { preview, confirm } = await leavingNothing(() => previewChange(selling, change));
    expect(preview).toMatchObject({
      of: { id, total: '25.00', refundedAmount: '0.00' },
      made: { amount: '5.00', status: 'pending', kind: 'refund' },
    });
    expect(preview.made).not.toHaveProperty('refundId');
    expect(stub().calls).toHaveLength(seen);
    await carryOut(selling, change, confirm);
    await carryOut(selling, change, confirm);
    await stub().settled();
    expect(stub().refunds('stripe')).toMatchObject([{ amount: 500n }]);
    expect((await listRefunds(selling, id)).items).toMatchObject([{ amount: '5.00', status: 'succeeded' }]);
    // Without the right to move money, not even a preview.
    const less = { ...selling, actor: { ...actor, scopes: new Set(['order.write', 'order.read'] as const) } };
    await expectDenied(commerce(), () => previewChange(less, change), { kind: 'forbidden' });
  });

  it('that two send at once are carried out once', async () => {
    const { id } = await product();
    const change = changeOf('adjust_stock', { id, adjustment: 3 }, (on) => adjustStock(on, id, { adjustment: 3 }), {
      ...{ id, read: getProductJson },
    });
    const { confirm } = await previewChange(shop, change);
    await Promise.all(Array.from({ length: 8 }, () => carryOut(shop, change, confirm)));
    expect((await getProduct(shop, id)).stock).toBe(8);
    // The naive control: each preview is a change of its own.
    for (let time = 0; time < 2; time++) {
      const again = await previewChange(shop, change);
      await carryOut(shop, change, again.confirm);
    }
    expect((await getProduct(shop, id)).stock).toBe(14);
  });
});
