import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProviderName, providerNames } from '@commerce/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findProvider } from '../packages/core/src/payments/settings.ts';
import { squareVersion } from '../packages/core/src/providers/square/api.ts';
import { stripeVersion } from '../packages/core/src/providers/stripe/api.ts';

// People who set a provider up by hand read its events in the dashboard or in docs/payments.md. Neither can read the list of core.

const root = join(import.meta.dirname, '..');

describe('the setting up of a provider by hand', () => {
  let setups: Record<ProviderName, { events: readonly string[]; place: string }>;
  beforeAll(async () => {
    // Its types belong to browsers.
    const file: string = join(root, 'packages/dashboard/src/screens/payments/setups.ts');
    ({ setups } = await import(file));
  });

  it.each(providerNames)('names every event of %s that the service reads, and no other', (provider) => {
    const { events } = findProvider(provider);
    expect([...setups[provider].events].sort()).toEqual([...events].sort());
    const page = readFileSync(join(root, 'docs/payments.md'), 'utf8');
    const [, section = ''] = new RegExp(`^## ${provider}\n(.*?)^## `, 'ims').exec(page) ?? [];
    const [, table = ''] = /^\| Events \|.*?\n(.*?)\n\n/ms.exec(section) ?? [];
    const named = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)]);
    expect(named.map(([, event]) => event).sort()).toEqual([...events].sort());
  });

  it('names the versions of the notifications that the service reads', () => {
    expect(setups.stripe.place).toContain(stripeVersion);
    expect(setups.square.place).toContain(squareVersion);
  });
});
