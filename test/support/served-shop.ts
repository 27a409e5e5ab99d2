import Stripe from 'stripe';
import { commerceJson } from './processes.ts';

export const stripeSecret = 'whsec_test_of_the_shop';

/** A store with a key and Stripe set up, made at the command line as a shop would. */
export async function initShop(address: string, currency = 'EUR'): Promise<{ storeId: string; key: string }> {
  const { store, apiKey } = await commerceJson(['init', '--db', address, '--name', 'Shop', '--currency', currency]);
  const configure = ['payments', 'configure', '--provider', 'stripe', '--webhook-secret', stripeSecret];
  await commerceJson([...configure, '--db', address]);
  return { storeId: store.id, key: apiKey.key };
}

/** Sends an event as Stripe does, signed by Stripe's own library. */
export async function sendStripe(
  url: string,
  event: object | string,
  options: { secret?: string; timestamp?: number; path?: string } = {},
) {
  const payload = typeof event === 'string' ? event : JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? stripeSecret,
    ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp }),
  });
  const response = await fetch(`${url}${options.path ?? '/api/webhooks/stripe'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: payload,
  });
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is for the test to say
  return { status: response.status, body: (await response.json()) as any };
}

/** A client of the interface, with one store's key. */
export function client(url: string, { storeId, key }: { storeId: string; key: string }) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/stores/${storeId}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: what the service answers is for the test to say
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
  };
}
