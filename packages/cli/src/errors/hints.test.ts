import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Commerce,
  CommerceError,
  type Context,
  configureProvider,
  createProduct,
  createWebhook,
  openCommerce,
  requireStore,
} from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { simulateNotification } from '@commerce/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeError } from './tell.ts';

describe('What the command line prints for errors of core', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-hints-'));
  const open = (secretKey?: string) =>
    openCommerce({ storage: openSqlite({ file: join(folder, 'shop.db') }), secretKey });
  let commerce: Commerce;
  let shop: Context;
  beforeAll(async () => {
    commerce = await open('a key of the tests, long enough');
  });
  afterAll(async () => {
    await commerce.close();
    rmSync(folder, { recursive: true });
  });

  /** The printed line; the error's own message names no commands, flags or variables. */
  const printed = async (work: () => Promise<unknown>): Promise<string> => {
    const error = await work().then(
      () => expect.fail('nothing was refused'),
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(CommerceError);
    expect((error as CommerceError).message).not.toMatch(/`|--|COMMERCE_/);
    return describeError(error);
  };
  const simulate = (provider: string, input: object) => () =>
    simulateNotification(shop, { provider, event: 'succeeded', ...input });
  const items = { items: [{ sku: 'MUG', quantity: 1 }] };

  it('names `init` while there is no store, and `stores list` when there are several', async () => {
    expect(await printed(() => requireStore(commerce.engine))).toBe(
      'there is no store yet; run `commerce init` to create one',
    );
    const { id } = await commerce.createStore({ name: 'Shop', currency: 'EUR' });
    await commerce.createStore({ name: 'Second', currency: 'EUR' });
    shop = await commerce.store(id);
    await createProduct(shop, { title: 'Mug', slug: 'mug', sku: 'MUG', price: '5', status: 'published' });
    expect(await printed(() => requireStore(commerce.engine))).toMatch(
      /several stores; run `commerce stores list` to see/,
    );
  });

  it('names `payments configure` with the options that are missing', async () => {
    const call = '`commerce payments configure --provider';
    const notification = { headers: {}, body: Buffer.from('{}') };
    expect(await printed(() => commerce.receiveNotification('stripe', notification))).toContain(
      `; ${call} stripe\` sets it up`,
    );
    expect(await printed(simulate('stripe', items))).toContain(`; ${call} stripe\` sets it up`);
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_1' });
    expect(await printed(simulate('stripe', items))).toContain(`; ${call} stripe --make-orders\` sets it up`);
    const square = { signatureKey: 'k', notificationUrl: 'https://shop.example.com/square', makeOrders: true };
    await configureProvider(shop, 'square', square);
    expect(await printed(simulate('square', items))).toContain(`; ${call} square --access-token …\` sets it up`);
    await configureProvider(shop, 'square', { ...square, accessToken: 't' });
    expect(await printed(simulate('square', items))).toMatch(
      /; `commerce .* square --signature-key .* --api-base http/,
    );
    await configureProvider(shop, 'paypal', { clientId: 'c', clientSecret: 's', webhookId: 'W', makeOrders: true });
    expect(await printed(simulate('paypal', items))).toMatch(
      /; `commerce .* paypal --client-id test .* --api-base http/,
    );
  });

  it('names the variables of the secret key', async () => {
    for (const [key, hint] of [
      [undefined, /; set COMMERCE_SECRET_KEY to the key/],
      ['another key of the tests', /; set COMMERCE_SECRET_KEY to that key, or COMMERCE_SECRET_KEY_PREVIOUS/],
    ] as const) {
      const other = await open(key);
      const its = await other.store(shop.store.id);
      const work = () => simulateNotification(its, { provider: 'stripe', event: 'succeeded', ...items });
      expect(await printed(work)).toMatch(hint);
      await other.close();
    }
  });

  it.each([
    ['https://10.0.0.5/hook', '10.0.0.5/32'],
    ['https://[fd00::5]/hook', 'fd00::5/128'],
    ['https://localhost/hook', '127.0.0.1/32'],
  ])('names the option that lets %s through', async (url, range) => {
    const line = await printed(() => createWebhook(shop, { url, events: ['order.paid'] }));
    expect(line).toContain(`; \`commerce serve --webhook-allow ${range}\` allows this address`);
  });

  it('asks the reason of an error, and never its sentence', () => {
    const message = 'there is no store yet';
    expect(describeError(new CommerceError('notFound', message))).toBe(message);
    const moved = new CommerceError('notFound', 'this database has no store', { reason: 'noStore' });
    expect(describeError(moved)).toBe('this database has no store; run `commerce init` to create one');
  });

  it('adds nothing to a message that says enough', async () => {
    const work = () => createProduct(shop, { title: 'Mug', slug: 'mug', price: '5' });
    expect(await printed(work)).toBe('slug "mug" already exists on another product');
  });
});
