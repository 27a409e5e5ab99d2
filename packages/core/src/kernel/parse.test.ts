import { expect, it } from 'vitest';
import * as z from 'zod';
import { CancelFields } from '../checkouts/fields.ts';
import { PaymentProviderFields } from '../payments/fields.ts';
import { adapterOf } from '../payments/settings.ts';
import { SignInFields } from '../users/fields.ts';
import { RotationFields, webhookFields } from '../webhooks/fields.ts';
import { fields, isSecretField, parse, secretOf, text } from './parse.ts';

const value = `sk_live_do_not_repeat ${'x'.repeat(3000)}`;

function messagesOf(schema: z.ZodType, input: unknown): string {
  try {
    parse(schema, input);
  } catch (error) {
    const { message, details } = error as { message: string; details: unknown };
    return message + JSON.stringify(details);
  }
  throw new Error('was taken');
}

it('a message quotes what was refused, and never a secret, wherever its schema is', () => {
  const secret = secretOf(text(20, 1)).refine((given) => given !== 'a', 'must not be a');
  const shapes: [schema: z.ZodType, of: (given: unknown) => unknown][] = [
    [fields({ unheardOf: secret }), (given) => ({ unheardOf: given })],
    [fields({ a: fields({ b: secret.nullish() }).optional() }), (given) => ({ a: { b: given } })],
    [fields({ a: fields({ b: secret }) }), (given) => ({ a: given })],
    [fields({ a: z.array(secret) }), (given) => ({ a: [given] })],
    [fields({ a: z.record(z.string(), secret) }), (given) => ({ a: { b: given } })],
    [fields({ a: z.union([z.boolean(), secret.transform((given) => given)]) }), (given) => ({ a: given })],
  ];
  for (const [schema, of] of shapes) {
    expect(messagesOf(schema, of(value))).not.toContain('do_not_repeat');
    expect(messagesOf(schema, of({ deeper: value }))).not.toContain('do_not_repeat');
  }
  // The shared schema behind the secret is unchanged.
  expect(messagesOf(fields({ a: text(20, 1) }), { a: value })).toContain('do_not_repeat');
});

it('no setting of a provider is repeated that is not known to be public', () => {
  const shown = ['apiBase', 'clientId', 'locationId', 'merchantId', 'notificationUrl', 'webhookId'];
  const choices = ['makeOrders', 'methods', 'allowDelayed'];
  const settings = Object.keys(PaymentProviderFields.shape).filter((name) => !choices.includes(name));
  const quoted = settings.filter((name) => messagesOf(PaymentProviderFields, { [name]: value }).includes('do_not'));
  expect(quoted.sort()).toEqual(shown);
  for (const provider of ['stripe', 'paypal', 'square']) {
    const { settings: schema } = adapterOf(provider);
    for (const name of settings.filter((setting) => !shown.includes(setting))) {
      expect(isSecretField(schema, name), `${provider} ${name}`).toBe(true);
    }
    expect(isSecretField(schema, 'apiBase')).toBe(false);
  }
});

it('secrets of subscriptions, checkouts and signing in are not repeated', () => {
  const { update } = webhookFields(null);
  for (const schema of [update, RotationFields, CancelFields])
    expect(messagesOf(schema, { secret: value })).not.toContain('do_not_repeat');
  expect(messagesOf(SignInFields, { code: value })).not.toContain('do_not_repeat');
});
