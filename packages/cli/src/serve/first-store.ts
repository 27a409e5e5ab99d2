import { type Engine, listStores } from '@commerce/core';
import { ask, canAsk } from '../input/confirm.ts';

/** Name and currency of the first store of a database. */
export interface FirstStoreOptions {
  name?: string;
  currency?: string;
  json?: boolean;
}

/**
 * Name and currency of the store that a first start creates: from the options, else asked on the terminal, else `My shop` and USD. Asks
 * nothing if a store exists.
 */
export async function firstStoreFor(
  engine: Engine,
  { name, currency, json }: FirstStoreOptions,
): Promise<{ name: string; currency: string }> {
  const isAsking = canAsk() && !json && (name === undefined || currency === undefined);
  if (!isAsking || (await listStores(engine)).total > 0)
    return { name: name ?? 'My shop', currency: currency ?? 'USD' };
  process.stderr.write('This database is new. Its first store is created now.\n');
  const called = name ?? ((await ask('What is it called? [My shop] ')) || 'My shop');
  let code = currency;
  while (code === undefined) {
    const answer = (await ask('What is its currency? It cannot be changed later. [USD] ')) || 'USD';
    if (isCurrency(answer)) code = answer.toUpperCase();
    else process.stderr.write(`${JSON.stringify(answer)} is not a currency; enter a three-letter code, such as EUR.\n`);
  }
  return { name: called, currency: code };
}

function isCurrency(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text.toUpperCase());
}
