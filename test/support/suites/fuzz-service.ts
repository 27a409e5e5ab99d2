import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureProvider, createApiKey, openMediaFolder, scopes } from '@commerce/core';
import { type App, createApp, createServer } from '@commerce/server';
import { afterAll, beforeAll, expect } from 'vitest';
import { picture } from '../fixtures/media-images.ts';
import { configurePayPal } from '../fixtures/paypal.ts';
import { startPayPal } from '../fixtures/paypal-stub.ts';
import { newShop, useCommerce } from '../fixtures/shop.ts';
import type { TestDatabase } from '../harness/storages.ts';
import { Composer } from './fuzz-compose.ts';
import { Driver, handle } from './fuzz-driver.ts';
import { FuzzedShop } from './fuzz-shop.ts';

/** A service with all of its routes open, and one shop in it with every provider configured. */
export interface FuzzedService {
  app: App;
  shop: FuzzedShop;
  driver: Driver;
  /** A key with every scope. */
  key: string;
  /** Logged faults. */
  thrown: unknown[];
  /** Reads a path below the store; expects 200. */
  // biome-ignore lint/suspicious/noExplicitAny: each path answers with something else
  read(path: string): Promise<any>;
}

const stripeSecret = 'whsec_of_the_fuzz_test';
const square = { signatureKey: 'key-of-the-fuzz', notificationUrl: 'https://shop.example.com/square' };

/** Opens the service before the first test of the suite, and closes it after the last. */
export function useFuzzedService(database: TestDatabase): () => FuzzedService {
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  const media = { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' };
  const commerce = useCommerce(database, { media });
  const endings: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
  let service: FuzzedService | undefined;

  beforeAll(async () => {
    const thrown: unknown[] = [];
    const options = {
      ordersApi: true,
      dashboard: true,
      // All requests come from one address: the number allowed a minute would depend on the speed of the machine.
      storefrontLimits: { reads: 1_000_000, writes: 1_000_000 },
      onError: (error: unknown) => thrown.push(error),
    };
    const app = createApp(commerce(), options);
    const server = createServer(commerce(), { ...options, cors: ['*'], metrics: true });
    const { port } = await server.listen({ port: 0 });
    endings.unshift(() => server.stop());
    const paypal = await startPayPal();
    endings.unshift(() => paypal.close());
    const ctx = await newShop(commerce());
    const configureProviders = async () => {
      await configureProvider(ctx, 'stripe', { webhookSecret: stripeSecret, makeOrders: false });
      // It can be asked for refunds, and is never reached; without a location it opens no pages.
      const unreachable = { accessToken: 'EAAA_of_the_fuzz_test', apiBase: 'http://127.0.0.1:9' };
      await configureProvider(ctx, 'square', { ...square, ...unreachable, makeOrders: false });
      await configurePayPal(ctx, paypal.url, { makeOrders: false });
    };
    await configureProviders();
    const png = await picture('png');
    const shop = await FuzzedShop.open(ctx, { stripe: stripeSecret, square }, png);
    const { id, key } = await createApiKey(ctx, { name: 'fuzz', scopes: [...scopes] });
    // The key that sends all requests has to stay.
    shop.reserve(id);
    const composer = new Composer(shop, { key, stripe: stripeSecret, square }, png);
    const driver = new Driver({ app, port, shop, configureProviders, composer, thrown });
    endings.unshift(() => driver.close());
    const read = async (path: string) => {
      const url = `/stores/${ctx.store.id}${path}`;
      const headers = { authorization: `Bearer ${key}` };
      const answer = await handle(app, { method: 'GET', url, headers, body: Buffer.alloc(0) });
      expect([url, answer.status]).toEqual([url, 200]);
      return JSON.parse(answer.text);
    };
    service = { app, shop, driver, key, thrown, read };
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  return () => {
    if (!service) throw new Error('the service is opened before the first test, not before');
    return service;
  };
}
