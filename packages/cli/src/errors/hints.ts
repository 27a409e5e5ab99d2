import type { CommerceError, Reason } from '@commerce/core';

/** Values to try a provider with, together with an `--api-base` on this machine. */
const trial: Record<string, string> = {
  paypal: '--client-id test --client-secret test --webhook-id test',
  square: '--signature-key … --notification-url … --access-token test',
};

/** The command, flag or variable that helps: core does not know what its caller would type. */
const hints: Partial<Record<Reason, (about: string) => string>> = {
  noStore: () => 'run `commerce init` to create one',
  severalStores: () => 'run `commerce stores list` to see them',
  noDatabaseFile: () => 'run `commerce init` or `commerce serve` to create one',
  noTables: () => 'run `commerce init` or `commerce serve` to create them',
  migrationsPending: () => 'run `commerce migrate` or `commerce serve` to apply them',
  secretKeyTooShort: () => 'it is the value of COMMERCE_SECRET_KEY',
  secretKeyMissing: () => 'set COMMERCE_SECRET_KEY to the key they were encrypted with',
  otherSecretKey: () =>
    'set COMMERCE_SECRET_KEY to that key, or COMMERCE_SECRET_KEY_PREVIOUS while it is being replaced',
  providerNotConfigured: (provider) => configure(provider),
  makeOrdersOff: (provider) => configure(provider, '--make-orders'),
  accessTokenMissing: () => configure('square', '--access-token …'),
  apiBaseNotLocal: (provider) =>
    configure(provider, `${trial[provider]} --api-base http://127.0.0.1:8765`, 'does that'),
  wouldReplaceSettings: () => 'use `--replace` to allow it',
  manualPaymentsOff: () => 'run `commerce settings update --manual-payments` to enable them',
  webhookInactive: () => 'run `commerce webhooks update … --is-active yes` to do that',
  addressRefused: (address) =>
    `\`commerce serve --webhook-allow ${address}/${address.includes(':') ? 128 : 32}\` allows this address`,
  tooManySignIns: () => 'run `commerce open` to sign in by a link',
};

function configure(provider: string, options = '', verb = 'sets it up'): string {
  return `\`commerce payments configure --provider ${provider}${options && ` ${options}`}\` ${verb}`;
}

/** A remedy for an error; undefined if its message says enough. */
export function hintFor({ reason, about = '' }: CommerceError): string | undefined {
  return reason && hints[reason]?.(about);
}
