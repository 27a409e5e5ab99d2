import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStub, startProviderStub } from '@commerce/simulator';
import { type Commerce, openCommerce } from '../commerce.ts';
import type { CommerceOptions } from '../commerce-options.ts';
import type { Context } from '../engine/context.ts';
import type { SettingsChanges } from '../engine/settings/settings.ts';
import { CommerceError } from '../kernel/errors.ts';
import type { WholeMail } from '../mail/fields.ts';
import { getMail, listMails } from '../mail/mails.ts';
import type { Order } from '../orders/fields.ts';
import { getOrder } from '../orders/orders.ts';
import { configureProvider } from '../payments/configure.ts';
import { returnFromProvider } from '../sales/checkout/capture.ts';
import { openSqlite } from '../storage/sqlite/sqlite.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import { updateSettings } from '../stores/settings.ts';
import type { StoreInput } from '../stores/stores.ts';
import { type FakeClock, fakeClock } from './clock.ts';
import { catchMails } from './mail-catcher.ts';

export interface TestCommerceOptions extends Omit<CommerceOptions, 'clock' | 'storage'> {
  /** Where the data is: by default a SQLite file of its own, which `close` removes. */
  storage?: CommerceOptions['storage'];
  /** The time at the beginning, ISO 8601 or milliseconds; 2026-01-01 by default. */
  now?: string | number;
  /** The store; EUR by default. */
  store?: Partial<StoreInput>;
  /** Settings besides those for the stand-in of the providers and for mail. */
  settings?: SettingsChanges;
  /** Providers that are configured; Stripe by default. */
  providers?: readonly ProviderName[];
}

/** A store for the tests of an application. Nothing in it leaves the machine. */
export interface TestCommerce {
  readonly commerce: Commerce;
  readonly shop: Context;
  /** The time of the store, which stands still until `clock.advance` moves it. */
  readonly clock: FakeClock;
  /** The stand-in of the payment providers: its calls, notifications and refunds, and the faults that it can play. */
  readonly providers: RunningStub;
  /**
   * Pays the page of a checkout as its buyer, and waits until the notification was processed.
   * @returns the order as it is then
   * @throws CommerceError `conflict` for a checkout without a page
   */
  pay(checkout: { id: string; orderId: string; provider: ProviderName | null; url: string | null }): Promise<Order>;
  /** Sends what is due, and returns all mails so far with their texts, the oldest first. They go to a mail server of this process. */
  mails(): Promise<WholeMail[]>;
  /** Closes everything, and removes the file. */
  close(): Promise<void>;
}

const shopUrl = 'https://shop.test';

/**
 * Opens a store for tests: a database of its own, a clock that stands still, a stand-in of the payment providers, and a mail server that
 * keeps what it gets. Needs no network; takes about as long as opening a file.
 */
export async function openTestCommerce(options: TestCommerceOptions = {}): Promise<TestCommerce> {
  const { storage, now, store, settings, providers = ['stripe'], ...rest } = options;
  const clock = fakeClock(now);
  const ends: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const folder = storage ? undefined : await mkdtemp(join(tmpdir(), 'commerce-test-shop-'));
    if (folder !== undefined) ends.push(() => rm(folder, { recursive: true, force: true }));
    const commerce = await openCommerce({
      publicUrl: 'https://api.shop.test',
      ...rest,
      smtpAllow: ['127.0.0.0/8', ...(rest.smtpAllow ?? [])],
      clock,
      storage: storage ?? openSqlite({ file: join(folder ?? '', 'shop.db') }),
    });
    ends.push(() => commerce.close());
    const stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    ends.push(() => stub.close());
    const catcher = await catchMails();
    ends.push(() => catcher.close());
    const { id } = await commerce.createStore({ name: 'Test shop', currency: 'EUR', ...store });
    const shop = await commerce.store(id);
    await updateSettings(shop, {
      returnUrls: [shopUrl],
      ...settings,
      mail: { from: 'shop@shop.test', ownerAddress: 'owner@shop.test', ...settings?.mail, smtp: catcher.smtp },
    });
    for (const provider of providers) {
      await configureProvider(shop, provider, stub.account(provider, receiverOf(commerce, id, provider)));
    }
    return {
      commerce,
      // With the settings.
      shop: await commerce.store(id),
      clock,
      providers: stub,
      async pay({ id: checkoutId, orderId, provider, url }) {
        if (provider === null || url === null)
          throw new CommerceError('conflict', `the checkout ${checkoutId} has no page`);
        const page = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
        await stub.act(provider, page, 'pay');
        if (provider === 'paypal') await returnFromProvider(commerce.engine, { storeId: id, checkoutId, page });
        await stub.settled();
        return getOrder(shop, orderId);
      },
      async mails() {
        while ((await commerce.sendDueMails()) > 0);
        const all: WholeMail[] = [];
        for (let total = 1; all.length < total; ) {
          const page = await listMails(shop, { limit: 100, offset: all.length });
          total = page.items.length > 0 ? page.total : 0;
          all.push(...(await Promise.all(page.items.map((mail) => getMail(shop, mail.id)))));
        }
        return all.reverse();
      },
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Takes notifications of the stand-in as a server does. */
function receiverOf(commerce: Commerce, storeId: string, provider: ProviderName) {
  return async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    try {
      await commerce.receiveNotification(provider, { body: Buffer.from(body), headers: lower }, { storeId });
      return 200;
    } catch {
      return 500;
    }
  };
}
