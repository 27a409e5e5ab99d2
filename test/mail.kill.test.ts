import { setTimeout as sleep } from 'node:timers/promises';
import { createProduct, listMails, openCommerce, updateSettings } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { startMailServer } from '@commerce/test-support/harness/mail-server';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expect, it } from 'vitest';

const origin = 'https://shop.example';
const kills = repeats({ suite: 4, nightly: 40 });
const buyers = kills * 15;
const smtpAllow = ['127.0.0.0/8'];

/** Mails of one store that a process sends at once: a kill can double no more. */
const atOnce = 2;

forEachStorage('mails of a server that is killed', (database) => {
  it(`all arrive, and those in between at most twice, over ${kills} kills`, {
    timeout: 60_000 + kills * 20_000,
  }, async () => {
    const post = await startMailServer();
    // Long enough to be killed in.
    post.beforeAnswer = () => sleep(Math.random() * 40);
    const { storeId, key } = await initShop(database.address);
    const setUp = await openCommerce({ storage: database.open(), smtpAllow });
    const ctx = await setUp.store(storeId);
    await updateSettings(ctx, {
      returnUrls: [origin],
      paymentMethods: [{ id: 'cod', name: 'Cash on delivery', kind: 'cash_on_delivery' }],
      mail: { from: 'shop@shop.example', smtp: post.smtp },
    });
    const mug = await createProduct(ctx, { title: 'Mug', slug: 'mug', price: '10', status: 'published' });
    await setUp.close();

    const start = () => startServer(database.address, ['--smtp-allow', smtpAllow.join()]);
    let server: RunningServer = await start();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const buying = inParallel(Array.from({ length: buyers }), 4, async (_, i) => {
      const sent = {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `buyer-${i}` },
        body: JSON.stringify({
          items: [{ productId: mug.id, quantity: 1 }],
          customer: { email: `buyer-${i}@shop.test` },
          ...{ successUrl: `${origin}/thanks`, cancelUrl: `${origin}/cart` },
        }),
      };
      for (let attempt = 0; attempt < 400; attempt++) {
        try {
          const response = await fetch(`${server.url}/stores/${storeId}/checkouts`, sent);
          await response.text();
          if (response.status === 201) return;
        } catch {
          // Killed meanwhile.
        }
        await sleep(50);
      }
      throw new Error('the order was never placed');
    });
    for (let kill = 0; kill < kills; kill++) {
      const from = post.arrived.length;
      await until('some mails arrived', () => post.arrived.length > from + 5, 30_000);
      await sleep(Math.random() * 60);
      await server.kill();
      server = await start();
    }
    await buying;
    expect(await server.stop()).toBe(0);

    // The claims of killed processes have ended by then.
    const commerce = await openCommerce({
      storage: database.open(),
      smtpAllow,
      clock: fakeClock(Date.now() + 10 * 60_000),
    });
    const shop = await commerce.store(storeId);
    while ((await commerce.sendDueMails()) > 0);
    expect(await listMails(shop, { limit: 1, kind: 'order.confirmed' })).toMatchObject({ total: buyers });
    expect(await listMails(shop, { limit: 1, status: 'succeeded' })).toMatchObject({ total: buyers });
    const byBuyer = new Map<string, Set<string | undefined>>();
    for (const { to, mail } of post.arrived) {
      const ids = byBuyer.get(to.join()) ?? new Set();
      byBuyer.set(to.join(), ids.add(mail.messageId));
    }
    expect(byBuyer.size).toBe(buyers);
    // A mail that arrived twice has the same Message-ID, so mail programs show it once.
    expect([...byBuyer.values()].every((ids) => ids.size === 1)).toBe(true);
    expect(post.arrived.length - buyers).toBeLessThanOrEqual(kills * atOnce);
    await commerce.close();
    await post.close();
  });
});
