import { capture, deliver, paypalOrderOf } from '@commerce/test-support/fixtures/paypal';
import { usePayPalShops } from '@commerce/test-support/fixtures/paypal-shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { anonymiseCustomer, type Context, createCustomer, createOrder, getOrder, updateCustomer } from '../../index.ts';
import type { OpenTransaction } from '../../storage/storage.ts';

const payer = { email_address: 'ada@analytical.example', name: { given_name: 'Ada', surname: 'Lovelace' } };

forEachStorage('a notification about an order of an anonymised customer', (database, dialect) => {
  const { commerce, paypal, openShop } = usePayPalShops(database);

  /** An order of Ada, and her payment at PayPal, which names her. */
  async function ordered() {
    const { shop, product } = await openShop();
    const { id: customerId } = await createCustomer(shop, { email: payer.email_address, name: 'Ada Lovelace' });
    const { id } = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }], customerId });
    const paid = capture(id, '43.59');
    const source = { payment_source: { paypal: { ...payer, account_status: 'VERIFIED' } }, payer };
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, { custom_id: id }, source));
    return { shop, customerId, id, paid };
  }

  /** Rows of the store that name the person. */
  async function remembered({ store }: Context): Promise<string[]> {
    const rows = Object.values(await snapshot(commerce())).flat();
    return rows.filter((row) => row.includes(store.id) && /ada@|lovelace/i.test(row));
  }

  async function expectForgotten(shop: Context, orderId: string): Promise<void> {
    const { status, paymentDetails } = await getOrder(shop, orderId);
    expect({ status, paymentDetails }).toEqual({ status: 'paid', paymentDetails: { payerStatus: 'VERIFIED' } });
    expect(await remembered(shop)).toEqual([]);
  }

  it('names the person while the customer is known', async () => {
    const { shop, id, paid } = await ordered();
    await deliver(shop, paid.completed());
    expect((await getOrder(shop, id)).paymentDetails).toMatchObject({ payerEmail: payer.email_address });
    expect(await remembered(shop)).not.toEqual([]);
  });

  it('is stored without the person where it comes later', async () => {
    const { shop, customerId, id, paid } = await ordered();
    await anonymiseCustomer(shop, customerId);
    expect(await deliver(shop, paid.completed({ payer }))).toMatchObject({ outcome: 'paid' });
    await expectForgotten(shop, id);
    expect(await deliver(shop, paid.refunded('43.59', { payer }))).toMatchObject({ outcome: 'recorded' });
    expect(await getOrder(shop, id)).toMatchObject({ paymentStatus: 'refunded' });
    expect(await remembered(shop)).toEqual([]);
  });

  it('is stored without the person where it was being worked on', async () => {
    const { shop, customerId, id, paid } = await ordered();
    const { storage } = shop.engine;
    const { takeTurn } = storage;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    Object.assign(storage, {
      takeTurn: async (storeId: string) => {
        Object.assign(storage, { takeTurn });
        isHeld = true;
        await held;
        return takeTurn(storeId);
      },
    });
    const delivering = deliver(shop, paid.completed({ payer }));
    await until('it was read and is about to be written', () => isHeld);
    await anonymiseCustomer(shop, customerId);
    release();
    expect(await delivering).toMatchObject({ outcome: 'paid' });
    await expectForgotten(shop, id);
  });

  it('is stored without the person where it was written and not committed', async () => {
    const { shop, customerId, id, paid } = await ordered();
    const { storage } = shop.engine;
    const { takeTurn, begin } = storage;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const heldBegin = async (): Promise<OpenTransaction> => {
      Object.assign(storage, { begin });
      const transaction = await begin();
      const commit = async () => {
        isHeld = true;
        await held;
        await transaction.commit();
      };
      return {
        db: transaction.db,
        runOwn: (query) => transaction.runOwn(query),
        commit,
        rollback: () => transaction.rollback(),
        savepoint: () => transaction.savepoint(),
      };
    };
    // The transaction of the notification, and not a concurrent one that tidies up.
    Object.assign(storage, {
      takeTurn: async (storeId: string) => {
        const endTurn = await takeTurn(storeId);
        Object.assign(storage, { takeTurn, begin: heldBegin });
        return endTurn;
      },
    });
    const delivering = deliver(shop, paid.completed({ payer }));
    await until('it is about to be committed', () => isHeld);
    const anonymising = anonymiseCustomer(shop, customerId);
    if (dialect === 'postgres') {
      await until('the order is waited for', async () => {
        const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(storage.reads);
        return (rows[0]?.n ?? 0) > 0;
      });
    }
    release();
    expect(await delivering).toMatchObject({ outcome: 'paid' });
    await anonymising;
    await expectForgotten(shop, id);
  });

  it('names the person again who has given a name since', async () => {
    const { shop, customerId, id, paid } = await ordered();
    await anonymiseCustomer(shop, customerId);
    await updateCustomer(shop, customerId, { email: 'ada@analytical.test' });
    await deliver(shop, paid.completed());
    expect((await getOrder(shop, id)).paymentDetails).toMatchObject({ payerEmail: payer.email_address });
  });
});
