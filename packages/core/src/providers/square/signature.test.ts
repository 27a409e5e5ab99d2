import { existsSync, readFileSync } from 'node:fs';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import {
  configureSquare,
  notificationUrl,
  sendSquare,
  sendSquareBare,
  signatureKey,
  signSquare,
  squarePayment,
  withSignature,
} from '@commerce/test-support/fixtures/square';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { WebhooksHelper } from 'square';
import { describe, expect, it } from 'vitest';
import { configureProvider } from '../../index.ts';
import { receiveNotification } from '../../sales/notifications/receive.ts';
import { square } from './square.ts';

const order = '0190a5c8-0000-7000-8000-000000000001';
const body = JSON.stringify(squarePayment(order, 2000).completed());
const right = signSquare(body);

/** Square's own library, as a second opinion. */
const official = (
  requestBody: string,
  signatureHeader: string | undefined,
  key = signatureKey,
  url = notificationUrl,
) =>
  WebhooksHelper.verifySignature({
    requestBody,
    signatureHeader: signatureHeader as string,
    signatureKey: key,
    notificationUrl: url,
  });

forEachStorage("the signature of Square's notifications", (database) => {
  const commerce = useCommerce(database);

  async function receive(sent: string, signature: string | undefined, settings: Record<string, string> = {}) {
    const shop = await newShop(commerce());
    await configureSquare(shop, settings);
    return () =>
      receiveNotification(commerce().engine, 'square', withSignature(sent, signature), { storeId: shop.store.id });
  }

  const unicode = '{"event_id":"e","type":"x","note":"caf\u00e9 \u2615 \\u00e9"}';
  it.each<[string, string, string]>([
    ['as Square makes it', body, right],
    ['over a body with other white space, as long as that body is signed', `${body} \n`, signSquare(`${body} \n`)],
    ['over letters beyond ASCII', unicode, signSquare(unicode)],
  ])('is accepted %s, as by Square’s own library', async (_, sent, signature) => {
    expect(await official(sent, signature)).toBe(true);
    const receiving = await receive(sent, signature);
    expect(await receiving()).toMatchObject({ received: true });
  });

  it.each<[string, string, string | undefined]>([
    ['missing', body, undefined],
    ['empty', body, ''],
    ['words', body, 'hello'],
    ['of another key', body, signSquare(body, 'another key')],
    ['over the body alone, without the address', body, signSquare(body, signatureKey, '')],
    ['over the address with a slash at its end', body, signSquare(body, signatureKey, `${notificationUrl}/`)],
    [
      'over the address with another scheme',
      body,
      signSquare(body, signatureKey, notificationUrl.replace('https', 'http')),
    ],
    ['over the address with a query', body, signSquare(body, signatureKey, `${notificationUrl}?x=1`)],
    ['cut short', body, right.slice(0, -1)],
    ['longer by a byte', body, `${right}=`],
    ['of one letter in another case', body, swapCase(right)],
    ['in hex instead of base64', body, Buffer.from(right, 'base64').toString('hex')],
    ['in the alphabet for addresses', body, right.replace(/.$/, '-')],
    ['over the same JSON printed otherwise', JSON.stringify(JSON.parse(body), null, 2), right],
    ['over a body of which one byte was changed', body.replace('2000', '2001'), right],
    ['over a body that lost its last byte', body.slice(0, -1), right],
    ['over nothing', '', right],
  ])('is refused when it is %s, as by Square’s own library', async (_, sent, signature) => {
    expect(await official(sent, signature)).toBe(false);
    await expectDenied(commerce(), await receive(sent, signature), { kind: 'validation', message: /signature/ });
  });

  it('does not count in the old header, which was SHA-1 without a secret of the subscription', async () => {
    const shop = await newShop(commerce());
    await configureSquare(shop);
    const sent = { body: Buffer.from(body), headers: { 'x-square-signature': right } };
    const receiving = () => receiveNotification(commerce().engine, 'square', sent, { storeId: shop.store.id });
    await expectDenied(commerce(), receiving, { kind: 'validation', message: /signature/ });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"event_id":"e"}',
    '{"type":"payment.created"}',
    '{"event_id":1,"type":"x"}',
    '{"a":',
  ])('is right but the body is not an event: %j', async (sent) => {
    const receiving = await receive(sent, signSquare(sent));
    await expectDenied(commerce(), receiving, invalid('body'));
  });

  it.each([
    '{"event_id":"e1","type":"customer.created"}',
    '{"event_id":"e2","type":"payment.updated","data":null}',
    '{"event_id":"e3","type":"__proto__","data":{"object":{"payment":{}}}}',
    '{"event_id":"e4","type":"payment.created.x","data":{"object":{"payment":{"status":"COMPLETED"}}}}',
  ])('lets an event through that says nothing of a payment: %s', async (sent) => {
    expect(await (await receive(sent, signSquare(sent)))()).toEqual({ received: true, outcome: 'ignored' });
  });

  it('is required: a store without a key refuses everything', async () => {
    const shop = await newShop(commerce());
    await expectDenied(commerce(), () => sendSquare(shop, body, ''), { kind: 'validation', message: /not configured/ });
  });

  it("does not open one store with another store's key, and at the bare address counts for its own store", async () => {
    const [ours, theirs] = [await newShop(commerce()), await newShop(commerce())];
    await configureSquare(ours, { signatureKey: 'key-of-ours' });
    await configureSquare(theirs, { signatureKey: 'key-of-theirs' });
    await expectDenied(commerce(), () => sendSquare(ours, body, 'key-of-theirs'), { kind: 'validation' });
    await expectDenied(commerce(), () => sendSquareBare(commerce(), JSON.parse(body), 'key-of-nobody'), {
      kind: 'validation',
    });
    await sendSquareBare(commerce(), JSON.parse(body), 'key-of-theirs');
    const kept = await commerce()
      .engine.storage.db.selectFrom('payment_notifications')
      .select(['store_id', 'payload'])
      .where('store_id', 'in', [ours.store.id, theirs.store.id])
      .execute();
    expect(kept).toEqual([{ store_id: theirs.store.id, payload: body }]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no key', { notificationUrl }, 'signatureKey'],
    ['an empty key', { signatureKey: '', notificationUrl }, 'signatureKey'],
    ['a key with a blank', { signatureKey: 'key-with-a blank', notificationUrl }, 'signatureKey'],
    ['no address', { signatureKey }, 'notificationUrl'],
    ['a malformed address', { signatureKey, notificationUrl: 'shop' }, 'notificationUrl'],
    ['a token with a line end', { signatureKey, notificationUrl, accessToken: 'token\n' }, 'accessToken'],
    ['an interface without TLS', { signatureKey, notificationUrl, apiBase: 'http://example.com' }, 'apiBase'],
    ['an interface below a path', { signatureKey, notificationUrl, apiBase: 'https://example.com/v2' }, 'apiBase'],
    ['credentials in the address', { signatureKey, notificationUrl, apiBase: 'https://u:p@example.com' }, 'apiBase'],
  ])('cannot be configured with %s', async (_, settings, field) => {
    const shop = await newShop(commerce());
    const before = await snapshot(commerce());
    const error = await configureProvider(shop, 'square', settings as never).catch((error: unknown) => error);
    expect(error).toMatchObject({ kind: 'validation', details: [{ field }] });
    expect((error as Error).message).not.toMatch(/key-with-a|token\\n/);
    expect(await snapshot(commerce())).toEqual(before);
  });
});

const vectors = new URL('../../../../../../shared/payments/square/real/signed-vectors.json', import.meta.url);
const have = existsSync(vectors);
const missing = have ? '' : ' (skipped: the collection of sample bodies is not beside the repository)';

describe.skipIf(!have)(`vectors with a known answer${missing}`, () => {
  interface Vector {
    body_raw: string;
    signature_header: string;
    signature_key: string;
    notification_url: string;
  }
  const known: Vector[] = have ? JSON.parse(readFileSync(vectors, 'utf8')).vectors : [];

  it.each(known)('come out as published: $signature_header', async (vector) => {
    const settings = {
      signatureKey: vector.signature_key,
      notificationUrl: vector.notification_url,
      apiBase: 'https://connect.squareup.com',
      accessToken: undefined,
      locationId: undefined,
    };
    const verify = (sent: string) => square.verify(withSignature(sent, vector.signature_header), settings, 0);
    expect(await verify(vector.body_raw)).toBe(true);
    expect(await verify(`${vector.body_raw} `)).toBe(false);
    expect(signSquare(vector.body_raw, vector.signature_key, vector.notification_url)).toBe(vector.signature_header);
  });
});

function swapCase(text: string): string {
  return text.replace(/[a-zA-Z]/, (c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()));
}
