import { capture, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { notificationUrl, sendSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commerce, type Context, configureProvider, openCommerce, type Storage } from '../index.ts';
import { openSecretBox } from './secrets.ts';

const key = 'a key of the tests, long enough';
const place = 'store-1 stripe';

describe('a box of secrets', () => {
  const box = openSecretBox(key);

  it.each(['whsec_1', '', '{"a":"é ☕ 😀"}', 'x'.repeat(10_000), 'sealed:1:looks like one'])(
    'gives back what it sealed, which does not show in it: %#',
    (text) => {
      const sealed = box.seal(text, place);
      expect(sealed).toMatch(/^sealed:1:[A-Za-z0-9+/]+=*$/);
      if (text !== '') expect(sealed).not.toContain(text);
      expect(Buffer.from(sealed.slice(9), 'base64').includes(Buffer.from(text === '' ? '\0none' : text))).toBe(false);
      expect(box.open(sealed, place)).toBe(text);
      expect(openSecretBox(key).open(sealed, place)).toBe(text);
    },
  );

  it('seals the same text to another one each time', () => {
    expect(box.seal('whsec_1', place)).not.toBe(box.seal('whsec_1', place));
  });

  it('does not open with another key, nor elsewhere, nor without a key', () => {
    const sealed = box.seal('whsec_1', place);
    const another = /^the secrets in the database were encrypted with another secret key$/;
    const refused = (work: () => unknown, message: RegExp) =>
      expect(work).toThrow(expect.objectContaining({ kind: 'unavailable', message: expect.stringMatching(message) }));
    refused(() => openSecretBox(`${key}!`).open(sealed, place), another);
    refused(() => box.open(sealed, 'store-2 stripe'), another);
    refused(() => box.open(sealed, 'store-1 paypal'), another);
    refused(() => openSecretBox(undefined).open(sealed, place), /no secret key is set/);
  });

  it('does not open what was changed by a bit, cut short or made up', () => {
    const sealed = Buffer.from(box.seal('whsec_1', place).slice(9), 'base64');
    const open = (bytes: Buffer) => () => box.open(`sealed:1:${bytes.toString('base64')}`, place);
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(open(changed), `byte ${i}`).toThrow(/another secret key/);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(open(sealed.subarray(0, length)), `${length} bytes`).toThrow(/another secret key/);
    }
  });

  it.each(['sealed:1:', 'sealed:1:AAAA', 'plain:1:x', 'plain:1:sealed:1:x'])(
    'gives back what looks sealed and is not, with a key and without one: %s',
    (text) => {
      const without = openSecretBox(undefined);
      expect(without.open(without.seal(text, place), place)).toBe(text);
      expect(box.open(without.seal(text, place), place)).toBe(text);
    },
  );

  it('opens what was stored before there was a key, and stores as it is without one', () => {
    expect(box.open('{"webhookSecret":"whsec_1"}', place)).toBe('{"webhookSecret":"whsec_1"}');
    expect(openSecretBox(undefined).seal('whsec_1', place)).toBe('whsec_1');
  });

  it.each(['', 'short', 'x'.repeat(15)])(
    'wants a key of sixteen characters, not %j, and does not repeat it',
    (short) => {
      const open = () => openSecretBox(short);
      expect(open).toThrow(expect.objectContaining({ kind: 'validation' }));
      expect(open).toThrow(/^secretKey: must have at least 16 characters/);
      if (short !== '') expect(open).not.toThrow(short);
      expect(() => openSecretBox('x'.repeat(16))).not.toThrow();
    },
  );
});

forEachStorage('the secrets of payment providers', (database) => {
  let paypal: PayPalStub;
  const other = 'another key, also long enough';
  /** The database as three processes with different keys would open it. */
  const open = new Map<string | undefined, Commerce>();
  let spare: Storage;
  beforeAll(async () => {
    paypal = await startPayPal();
    for (const secretKey of [key, other, undefined]) {
      open.set(secretKey, await openCommerce({ storage: database.open(), secretKey }));
    }
    spare = database.open();
  });
  afterAll(async () => {
    for (const commerce of open.values()) await commerce.close();
    await paypal.close();
  });
  const withKey = (secretKey?: string) => open.get(secretKey) as Commerce;

  const words = ['whsec_first_word', 'whsec_second_word', 'client_id_word', 'client_secret_word', 'webhook_id_word'];
  words.push('signature_key_word', 'access_token_word');

  async function configureAll(shop: Context): Promise<void> {
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_first_word' });
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_second_word' }, { keepPrevious: 3_600_000 });
    await configureProvider(shop, 'paypal', {
      clientId: 'client_id_word',
      clientSecret: 'client_secret_word',
      webhookId: 'webhook_id_word',
      apiBase: paypal.url,
    });
    const square = { signatureKey: 'signature_key_word', notificationUrl, accessToken: 'access_token_word' };
    await configureProvider(shop, 'square', square);
  }

  async function receiveAll(shop: Context): Promise<void> {
    for (const secret of ['whsec_first_word', 'whsec_second_word']) {
      expect(await send(shop, payment(null, 1).intentSucceeded(), secret)).toMatchObject({ received: true });
    }
    expect(await deliver(shop, capture(null, '1').denied())).toMatchObject({ received: true });
    expect(await sendSquare(shop, squarePayment(null, 1).completed(), 'signature_key_word')).toMatchObject({
      received: true,
    });
  }

  const contextIn = (commerce: Commerce, shop: Context) => commerce.store(shop.store.id);

  it('are nowhere in the database and its audit log when there is a key, and work', async () => {
    const commerce = withKey(key);
    const shop = await newShop(commerce);
    await configureAll(shop);
    await receiveAll(shop);
    const dump = JSON.stringify(await snapshot(commerce));
    for (const word of [...words, key]) expect(dump.includes(word), word).toBe(false);
  });

  it('are plainly there without a key, which is what this test would see', async () => {
    const commerce = withKey();
    const shop = await newShop(commerce);
    await configureAll(shop);
    const dump = JSON.stringify((await snapshot(commerce)).payment_providers);
    for (const word of words) expect(dump.includes(word), word).toBe(true);
    // Even then, the audit log does not contain them.
    const log = JSON.stringify((await snapshot(commerce)).audit_logs);
    for (const word of words) expect(log.includes(word), word).toBe(false);
    // A key that is added later reads them, and encrypts them when they are set again.
    const later = withKey(key);
    const there = await contextIn(later, shop);
    await receiveAll(there);
    await configureAll(there);
    await receiveAll(there);
    const rows = await later.engine.storage.db
      .selectFrom('payment_providers')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(rows).toHaveLength(3);
    for (const word of words) expect(JSON.stringify(rows).includes(word), word).toBe(false);
  });

  it('cannot be read with another key or without one: 503 in so many words, and nothing is kept', async () => {
    const shop = await newShop(withKey(key));
    await configureAll(shop);
    for (const [wrong, message] of [
      [other, /were encrypted with another secret key/],
      [undefined, /are encrypted, and no secret key is set/],
    ] as const) {
      const commerce = withKey(wrong);
      const there = await contextIn(commerce, shop);
      for (const work of [
        () => send(there, payment(null, 1).intentSucceeded(), 'whsec_second_word'),
        () => deliver(there, capture(null, '1').completed()),
        () => sendSquare(there, squarePayment(null, 1).completed(), 'signature_key_word'),
        () => configureProvider(there, 'stripe', { webhookSecret: 'w' }, { keepPrevious: 1000 }),
      ]) {
        await expectDenied(commerce, work, { kind: 'unavailable', message });
        const error = (await work().catch((error: unknown) => error)) as Error;
        for (const word of [...words, key]) expect(error.message).not.toContain(word);
      }
    }
  });

  it('may be set again when the key is lost', async () => {
    const shop = await newShop(withKey(key));
    await configureAll(shop);
    const there = await contextIn(withKey(other), shop);
    await configureProvider(there, 'stripe', { webhookSecret: 'whsec_second_word' });
    expect(await send(there, payment(null, 1).intentSucceeded(), 'whsec_second_word')).toMatchObject({
      received: true,
    });
  });

  it("do not open in another store's row", async () => {
    const commerce = withKey(key);
    const [ours, theirs] = [await newShop(commerce), await newShop(commerce)];
    await configureProvider(ours, 'stripe', { webhookSecret: 'whsec_of_ours' });
    await configureProvider(theirs, 'stripe', { webhookSecret: 'whsec_of_theirs' });
    await commerce.engine.storage.db.transaction().execute(async (tx) => {
      const rows = tx.selectFrom('payment_providers').select('settings').where('provider', '=', 'stripe');
      const { settings } = await rows.where('store_id', '=', ours.store.id).executeTakeFirstOrThrow();
      await tx.updateTable('payment_providers').set({ settings }).where('store_id', '=', theirs.store.id).execute();
    });
    for (const secret of ['whsec_of_ours', 'whsec_of_theirs']) {
      await expectDenied(commerce, () => send(theirs, payment(null, 1).intentSucceeded(), secret), {
        kind: 'unavailable',
      });
    }
    expect(await send(ours, payment(null, 1).intentSucceeded(), 'whsec_of_ours')).toMatchObject({ received: true });
  });

  it('are not protected by a key that is too short, which opens no database', async () => {
    const opening = openCommerce({ storage: spare, secretKey: 'too short' });
    await expect(opening).rejects.toMatchObject({ kind: 'validation' });
    await spare.close();
  });
});
