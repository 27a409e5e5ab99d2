import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDelayed, stripeMethodNames, stripeMethods, usualMethods } from './methods.ts';
import { stripe } from './stripe.ts';

/** Methods of Stripe that no page of ours offers, and why. */
const notOffered = {
  acss_debit: 'needs terms of a mandate',
  customer_balance: 'needs a customer at Stripe',
  wechat_pay: 'needs an option of its own',
  giropay: 'ended by its operator',
  sofort: 'ended by its operator',
};

describe('the methods of Stripe', () => {
  it("are those of Stripe's own types, but for the ones named here", () => {
    const main = createRequire(import.meta.url).resolve('stripe');
    const types = readFileSync(`${dirname(main)}/resources/Checkout/Sessions.d.ts`, 'utf8');
    const union = /type AllowedPaymentMethodType = ([^;]*);/.exec(types)?.[1] ?? '';
    const theirs = [...union.matchAll(/'([a-z0-9_]+)'/g)].map(([, name]) => name);
    expect(theirs.length).toBeGreaterThan(30);
    expect([...stripeMethodNames, ...Object.keys(notOffered)].sort()).toEqual(theirs.sort());
  });

  it('are immediate or delayed', () => {
    expect(stripeMethodNames.filter(isDelayed)).toContain('sepa_debit');
    expect(usualMethods.some(isDelayed)).toBe(false);
    expect(Object.values(stripeMethods).every((speed) => ['immediate', 'delayed'].includes(speed))).toBe(true);
  });
});

it("asks Stripe only for events of Stripe's own types", () => {
  const main = createRequire(import.meta.url).resolve('stripe');
  const types = readFileSync(`${dirname(main)}/resources/WebhookEndpoints.d.ts`, 'utf8');
  const union = /type EnabledEvent = ([^;]*);/.exec(types)?.[1] ?? '';
  const theirs = new Set([...union.matchAll(/'([a-z0-9_.*]+)'/g)].map(([, name]) => name));
  expect(stripe.events.length).toBeGreaterThan(15);
  expect(stripe.events.filter((event) => !theirs.has(event))).toEqual([]);
});
