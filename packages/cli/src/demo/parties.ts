import { CommerceError, type Context, getSettings, updateSettings } from '@commerce/core';
import { parties } from './catalogue.ts';

/** Adds the missing makers to those of the settings. */
export async function makeParties(shop: Context): Promise<void> {
  const { parties: before } = await getSettings(shop);
  const missing = parties.filter(({ id }) => !before.some((party) => party.id === id));
  if (missing.length > 0) await updateSettings(shop, { parties: [...before, ...missing] });
}

/** Removes the makers of the demonstration from the settings. Those that the shop has changed, and those that its own products name, stay. */
export async function removeParties(shop: Context): Promise<void> {
  for (const made of parties) {
    const { parties: before } = await getSettings(shop);
    const isOurs = ({ id, name, address }: (typeof before)[number]) =>
      id === made.id && name === made.name && address === made.address;
    const kept = before.filter((party) => !isOurs(party));
    if (kept.length === before.length) continue;
    try {
      await updateSettings(shop, { parties: kept });
    } catch (error) {
      if (!(error instanceof CommerceError && error.kind === 'conflict')) throw error;
    }
  }
}
