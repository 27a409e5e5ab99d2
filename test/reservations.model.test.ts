import {
  adjustStock,
  CommerceError,
  type Context,
  cancelCheckout,
  createCheckout,
  createOrder,
  getProduct,
  updateOrder,
} from '@commerce/core';
import { minute, type Selling, useSelling } from '@commerce/test-support/fixtures/selling';
import { isNightly, repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expectSound } from '@commerce/test-support/suites/checkout-books';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** The test suite runs the same sequences each time; a nightly run uses others. */
const seed = isNightly ? {} : { seed: 20_261_122 };

type Step =
  | { do: 'buy' | 'order'; quantity: number }
  | { do: 'pay' | 'cancel'; which: number }
  | { do: 'wait'; minutes: number }
  | { do: 'tidy' }
  | { do: 'adjust'; pieces: number };

const quantity = fc.integer({ min: 1, max: 3 });
const which = fc.nat(4);
const kind = <T extends string>(what: T) => fc.constant(what);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: kind('buy'), quantity }) },
  { weight: 2, arbitrary: fc.record({ do: kind('order'), quantity }) },
  { weight: 4, arbitrary: fc.record({ do: kind('pay'), which }) },
  { weight: 2, arbitrary: fc.record({ do: kind('cancel'), which }) },
  { weight: 3, arbitrary: fc.record({ do: kind('wait'), minutes: fc.constantFrom(1, 10, 29, 31, 31) }) },
  { weight: 3, arbitrary: fc.record({ do: kind('tidy') }) },
  { weight: 1, arbitrary: fc.record({ do: kind('adjust'), pieces: fc.integer({ min: -2, max: 3 }) }) },
);

/** Sequences with rare cases, in addition to the random ones. */
const examples: [number, Step[]][] = [
  [
    1,
    [
      { do: 'buy', quantity: 1 },
      { do: 'wait', minutes: 31 },
      { do: 'buy', quantity: 1 },
      { do: 'pay', which: 0 },
      { do: 'cancel', which: 1 },
    ],
  ],
  [
    3,
    [
      { do: 'buy', quantity: 2 },
      { do: 'order', quantity: 1 },
      { do: 'pay', which: 0 },
      { do: 'wait', minutes: 31 },
      { do: 'tidy' },
      { do: 'buy', quantity: 1 },
    ],
  ],
];

/** The known facts about one order: a checkout with a page, or an order that the shop created with its own reservation. */
interface Promised {
  quantity: number;
  until: number;
  /** The time at which its page must be closed; null without a page. */
  pageEnds: number | null;
  isPageOpen: boolean;
  state: 'pending' | 'paid' | 'expired' | 'cancelled' | 'waits';
}

/** The expected stock of one product. */
class Shelf {
  readonly orders: Promised[] = [];
  constructor(
    public stock: number,
    readonly now: () => number,
  ) {}

  promised(): number {
    const held = this.orders.filter(({ state, until }) => state === 'pending' && until > this.now());
    return held.reduce((sum, { quantity }) => sum + quantity, 0);
  }

  free(): number {
    return this.stock - this.promised();
  }

  reserve(quantity: number, minutes: number, page: number | null): 'ok' | 'insufficientStock' {
    if (quantity > this.free()) return 'insufficientStock';
    const until = this.now() + minutes * minute;
    const pageEnds = page === null ? null : this.now() + page * minute;
    this.orders.push({ quantity, until, pageEnds, isPageOpen: page !== null, state: 'pending' });
    return 'ok';
  }

  pay(order: Promised): void {
    if (!order.isPageOpen) return;
    order.isPageOpen = false;
    const own = order.state === 'pending' && order.until > this.now() ? order.quantity : 0;
    if (this.free() + own < order.quantity) {
      order.state = 'waits';
      return;
    }
    order.state = 'paid';
    this.stock -= order.quantity;
  }

  tidy(): void {
    for (const order of this.orders) {
      const isOver = order.until <= this.now() || (order.pageEnds !== null && order.pageEnds <= this.now());
      if (!isOver) continue;
      order.isPageOpen = false;
      if (order.state === 'pending') order.state = 'expired';
    }
  }
}

forEachStorage('stock that is promised', (database, dialect) => {
  const selling = useSelling(database);
  const { clock, stub, openShop, pageOf, ended } = selling;
  const runs = repeats(dialect === 'sqlite' ? { suite: 30, nightly: 5000 } : { suite: 8, nightly: 500 });

  async function verdictOf(work: () => Promise<unknown>): Promise<string> {
    return work().then(
      () => 'ok',
      (error: unknown) => (error instanceof CommerceError ? error.kind : Promise.reject(error)),
    );
  }

  async function play({ shop, product, input }: Selling, shelf: Shelf, steps: readonly Step[]): Promise<void> {
    const ids: { orderId: string; checkoutId: string | null }[] = [];
    const adjusted = { ...product };
    for (const step of steps) {
      clock.advance(1);
      switch (step.do) {
        case 'buy': {
          const items = [{ productId: product.id, quantity: step.quantity }];
          const customerNote = `${ids.length}`;
          const verdict = await verdictOf(async () => {
            const { id, orderId } = await createCheckout(shop, input({ items, customerNote }));
            ids.push({ orderId, checkoutId: id });
          });
          expect(verdict).toBe(shelf.reserve(step.quantity, 31, 29));
          break;
        }
        case 'order': {
          const items = [{ productId: product.id, quantity: step.quantity }];
          const verdict = await verdictOf(async () => {
            const { id } = await createOrder(shop, { items, reserveMinutes: 10 });
            ids.push({ orderId: id, checkoutId: null });
          });
          expect(verdict).toBe(shelf.reserve(step.quantity, 10, null));
          break;
        }
        case 'pay': {
          const [id, order] = [ids[step.which], shelf.orders[step.which]];
          if (!id?.checkoutId || !order) break;
          await stub().act('stripe', await pageOf(shop, id.checkoutId), 'pay');
          await stub().settled();
          shelf.pay(order);
          break;
        }
        case 'cancel': {
          const [id, order] = [ids[step.which], shelf.orders[step.which]];
          if (!id || !order) break;
          const { checkoutId } = id;
          // Received money is not returned by a cancellation.
          if (order.state === 'paid' || order.state === 'waits') {
            if (checkoutId) expect(await verdictOf(() => cancelCheckout(shop, checkoutId))).toBe('conflict');
            break;
          }
          if (checkoutId) await cancelCheckout(shop, checkoutId);
          else await updateOrder(shop, id.orderId, { status: 'cancelled' });
          await stub().settled();
          Object.assign(order, { state: 'cancelled', isPageOpen: false });
          break;
        }
        case 'wait':
          clock.advance(step.minutes * minute);
          break;
        case 'tidy':
          await ended(shop);
          await stub().settled();
          shelf.tidy();
          break;
        case 'adjust':
          // Promised pieces are not taken away: the shelf is counted, and only unpromised pieces are missing.
          if (step.pieces === 0 || shelf.free() + step.pieces < 0) break;
          await adjustStock(shop, product.id, { adjustment: step.pieces });
          shelf.stock += step.pieces;
          adjusted.stock += step.pieces;
      }
      await expectSame(shop, product.id, shelf);
      await expectSound({ shop, product: adjusted });
    }
  }

  async function expectSame(shop: Context, productId: string, shelf: Shelf): Promise<void> {
    const rows = shop.engine.storage.db.selectFrom('reservations').selectAll();
    const held = await rows.where('store_id', '=', shop.store.id).where('expires_at', '>', clock.now()).execute();
    const promised = held.reduce((sum, one) => sum + one.quantity, 0);
    expect({ stock: (await getProduct(shop, productId)).stock, promised }).toEqual({
      stock: shelf.stock,
      promised: shelf.promised(),
    });
    expect(shelf.free()).toBeGreaterThanOrEqual(0);
  }

  it('is never more than there is, whatever is bought, paid, cancelled, adjusted or left until its time is over', {
    timeout: repeats({ suite: 300_000, nightly: 7_200_000 }),
  }, async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { minLength: 8, maxLength: 24, size: 'max' }),
        async (stock, steps) => {
          const opened = await openShop(['stripe'], { stock });
          const shelf = new Shelf(stock, () => clock.now());
          await play(opened, shelf, steps);
          for (const { state } of shelf.orders) met.add(state);
        },
      ),
      { numRuns: runs, examples, ...seed },
    );
    // Otherwise some of it was not tried.
    expect([...met].sort()).toEqual(['cancelled', 'expired', 'paid', 'pending', 'waits']);
  });
});
