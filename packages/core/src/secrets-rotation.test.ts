import { newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Commerce,
  type CommerceOptions,
  configureProvider,
  createWebhook,
  examine,
  findUnreadableSecrets,
  getWebhook,
  hasClearSecrets,
  openCommerce,
  requireReadableSecrets,
  rotateSecrets,
  rotateWebhookSecret,
  type UnreadableSecret,
  updateSettings,
  updateWebhook,
} from './index.ts';
import { providerSettings } from './payments/settings.ts';
import { smtpServerOf } from './stores/mail-settings.ts';
import { fakeClock } from './testing/index.ts';
import { forgetReplacedSecrets } from './webhooks/sealed-secrets.ts';

const [first, second] = ['the first key of the tests', 'the second key of the tests'];
const secrets = [
  'whsec_of_stripe_one',
  'whsec_of_stripe_two',
  'secret of a webhook, one',
  'secret of a webhook, two',
  'password of a mail server',
] as const;

forEachStorage('the secrets of a database', (database) => {
  const clock = fakeClock();
  async function withCommerce<T>(options: Partial<CommerceOptions>, work: (commerce: Commerce) => Promise<T>) {
    const commerce = await openCommerce({ storage: database.open(), clock, ...options });
    try {
      return await work(commerce);
    } finally {
      await commerce.close();
    }
  }

  const made: { storeId: string; webhooks: string[] }[] = [];

  /** A store with a provider and subscriptions, each with a secret that replaced another one. */
  async function setUp(commerce: Commerce, webhooks: number): Promise<void> {
    const shop = await newShop(commerce);
    await configureProvider(shop, 'stripe', { webhookSecret: secrets[0] });
    await configureProvider(shop, 'stripe', { webhookSecret: secrets[1] }, { keepPrevious: 100_000 });
    const smtp = { host: 'smtp.example.com', user: 'shop', password: secrets[4] };
    await updateSettings(shop, { mail: { smtp } });
    const ids: string[] = [];
    for (let i = 0; i < webhooks; i++) {
      const { id } = await createWebhook(shop, {
        url: `https://example.com/${i}`,
        events: ['order.paid'],
        secret: secrets[2] as string,
      });
      await rotateWebhookSecret(shop, id, { secret: secrets[3] as string });
      ids.push(id);
    }
    made.push({ storeId: shop.store.id, webhooks: ids });
  }

  /** Every text of the database that is a secret or contains one. */
  async function stored(commerce: Commerce): Promise<string[]> {
    const { db } = commerce.engine.storage;
    const providers = await db
      .selectFrom('payment_providers')
      .select(['settings', 'previous'])
      .orderBy('store_id')
      .orderBy('provider')
      .execute();
    const rows = await db
      .selectFrom('webhooks')
      .select(['secret', 'previous_secret'])
      .orderBy('store_id')
      .orderBy('id')
      .execute();
    const servers = await db.selectFrom('stores').select('smtp_password').orderBy('id').execute();
    const passwords = servers.flatMap(({ smtp_password }) => smtp_password ?? []);
    return [...[...providers, ...rows].flatMap((row) => Object.values(row) as string[]), ...passwords];
  }

  async function expectAllThere(commerce: Commerce): Promise<void> {
    for (const { storeId, webhooks } of made) {
      const shop = await commerce.store(storeId);
      const settings = await providerSettings(commerce.engine, 'stripe', storeId);
      expect(settings.map((one) => one.settings)).toMatchObject([
        { webhookSecret: secrets[1] },
        { webhookSecret: secrets[0] },
      ]);
      for (const id of webhooks) expect((await getWebhook(shop, id)).secret).toBe(secrets[3]);
      expect((await smtpServerOf(commerce.engine, storeId)).password).toBe(secrets[4]);
    }
  }

  it('are sealed where they stood in the clear, and are told of until then', async () => {
    await withCommerce({}, async (commerce) => {
      expect(await hasClearSecrets(commerce.engine)).toBe(false);
      await setUp(commerce, 3);
      expect(await hasClearSecrets(commerce.engine)).toBe(true);
    });
    await withCommerce({ secretKey: first }, async (commerce) => {
      expect(await hasClearSecrets(commerce.engine)).toBe(true);
      expect(await rotateSecrets(commerce.engine)).toEqual({
        paymentProviders: { total: 1, sealed: 1 },
        webhooks: { total: 3, sealed: 3 },
        mailServers: { total: 1, sealed: 1 },
      });
      expect(await hasClearSecrets(commerce.engine)).toBe(false);
      const texts = await stored(commerce);
      expect(texts).toHaveLength(9);
      expect(texts.every((text) => text.startsWith('sealed:1:'))).toBe(true);
      await expectAllThere(commerce);
    });
  });

  it('are sealed with another key, of which nothing is lost when it is broken off and started anew', async () => {
    await withCommerce({ secretKey: first }, (commerce) => setUp(commerce, 100));
    await withCommerce({ secretKey: second, previousSecretKey: first }, async (commerce) => {
      // Before the rotation, both keys are available, and everything can be read and changed.
      await expectAllThere(commerce);
      const { storeId, webhooks } = made[0] as (typeof made)[number];
      await updateWebhook(await commerce.store(storeId), webhooks[0] as string, { retries: 1 });
      // It stops in the middle of the second store: the statement that would write the 50th row fails.
      const { storage } = commerce.engine;
      let left = 50;
      const failing: typeof commerce.engine.secrets = {
        ...commerce.engine.secrets,
        seal(text, place) {
          if (left-- === 0) throw new Error('the process was ended');
          return commerce.engine.secrets.seal(text, place);
        },
      };
      await expect(rotateSecrets({ ...commerce.engine, secrets: failing })).rejects.toThrow('the process was ended');
      const after = await stored(commerce);
      const isNew = (text: string, i: number) => commerce.engine.secrets.isCurrent(text, places[i] as string);
      const rows = await storage.db
        .selectFrom('webhooks')
        .select(['store_id', 'id'])
        .orderBy('store_id')
        .orderBy('id')
        .execute();
      const providers = await storage.db
        .selectFrom('payment_providers')
        .select(['store_id', 'provider'])
        .orderBy('store_id')
        .orderBy('provider')
        .execute();
      const places = [
        ...providers.flatMap(({ store_id, provider }) => Array(2).fill(`${store_id} ${provider}`)),
        ...rows.flatMap(({ store_id, id }) => Array(2).fill(`webhook ${store_id} ${id}`)),
        ...made.map(({ storeId: id }) => `${id} smtp`),
      ];
      const done = after.filter(isNew).length;
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(after.length);
      await expectAllThere(commerce);
      const { paymentProviders, webhooks: report } = await rotateSecrets(commerce.engine);
      expect([paymentProviders.total, report.total]).toEqual([2, 103]);
      expect(await rotateSecrets(commerce.engine)).toEqual({
        paymentProviders: { total: 2, sealed: 0 },
        webhooks: { total: 103, sealed: 0 },
        mailServers: { total: 2, sealed: 0 },
      });
    });
    await withCommerce({ secretKey: second }, expectAllThere);
    await withCommerce({ secretKey: first }, async (commerce) => {
      await expect(expectAllThere(commerce)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(rotateSecrets(commerce.engine)).rejects.toMatchObject({ kind: 'unavailable' });
    });
    await withCommerce({ secretKey: second }, expectAllThere);
  });

  it('that were replaced are erased when they sign no more', async () => {
    await withCommerce({ secretKey: second }, async (commerce) => {
      const left = async () =>
        (await stored(commerce)).slice(4, -made.length).filter((text, i) => i % 2 === 1 && text !== null).length;
      await forgetReplacedSecrets(commerce.engine);
      expect(await left()).toBe(103);
      clock.advance(24 * 60 * 60 * 1000);
      await forgetReplacedSecrets(commerce.engine);
      expect(await left()).toBe(0);
    });
  });

  it('are named that the present key does not open, and a key that opens none is refused', async () => {
    let storeId = '';
    await withCommerce({ secretKey: first }, async (commerce) => {
      const shop = await newShop(commerce);
      storeId = shop.store.id;
      await configureProvider(shop, 'stripe', { webhookSecret: secrets[0] });
    });
    const ofStore = (unreadable: readonly UnreadableSecret[]) => unreadable.filter((one) => one.storeId === storeId);
    await withCommerce({ secretKey: second }, async (commerce) => {
      const found = await findUnreadableSecrets(commerce.engine);
      expect(ofStore(found.unreadable)).toEqual([{ storeId, of: 'stripe' }]);
      const [finding] = (await examine(commerce.engine)).filter(({ check }) => check === 'secrets');
      expect(finding).toMatchObject({ status: 'problem', message: expect.stringMatching(/cannot be read/) });
    });
    const neither = 'a third key, which sealed nothing';
    await withCommerce({ secretKey: neither }, async (commerce) => {
      await expect(requireReadableSecrets(commerce.engine)).rejects.toMatchObject({ kind: 'unavailable' });
    });
    await withCommerce({ secretKey: first, previousSecretKey: second }, async (commerce) => {
      expect(ofStore(await requireReadableSecrets(commerce.engine))).toEqual([]);
    });
  });
});
