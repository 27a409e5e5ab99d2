import type { Context, Engine } from '../engine/context.ts';
import { breathe } from '../kernel/breathe.ts';
import { checkProvider } from '../payments/endpoint-check.ts';
import type { EndpointCheck } from '../payments/fields.ts';
import { reading } from '../storage/run.ts';
import { requireStore } from '../stores/stores.ts';
import type { Finding } from './doctor.ts';

/** Results that need no action here: a shop can have no key, and another check tells of settings that cannot be opened. */
const quiet: readonly EndpointCheck['status'][] = ['ok', 'noKey', 'unreadable'];
/** Results that can pass by themselves, or that a caller who knows more does not get. */
const mild: readonly EndpointCheck['status'][] = ['unreachable', 'unknown'];

/** Faults named in the message. */
const maxNamed = 5;

/**
 * Compares the endpoints of the payment providers of every store with what the service needs, and tries the rights of their keys. Asks the
 * providers.
 * @param options.publicUrl public address of the service
 * @returns null without any configured provider
 */
export async function examineProviders(
  engine: Engine,
  options: { publicUrl?: string | undefined } = {},
): Promise<Finding | null> {
  const check = 'providers';
  const stores = await reading(engine.storage, (db) => db.selectFrom('stores').select('id').orderBy('id').execute());
  const faults: string[] = [];
  let asked = 0;
  let isProblem = false;
  for (const { id } of stores) {
    const rows = await reading(engine.storage, (db) =>
      db.selectFrom('payment_providers').select('provider').where('store_id', '=', id).orderBy('provider').execute(),
    );
    const ctx: Context | undefined =
      rows.length === 0
        ? undefined
        : { engine, store: await requireStore(engine, id), actor: { type: 'system', id: 'doctor' }, requestId: null };
    for (const { provider } of rows) {
      if (!ctx) break;
      const { status, message } = await checkProvider(ctx, provider, options);
      asked++;
      if (quiet.includes(status)) continue;
      isProblem ||= !mild.includes(status);
      faults.push(`${provider} of store ${id}: ${message}`);
    }
    await breathe();
  }
  if (asked === 0) return null;
  if (faults.length === 0)
    return { check, status: 'ok', message: 'the payment providers send every event that is read' };
  const more = faults.length > maxNamed ? `; and ${faults.length - maxNamed} more` : '';
  const message = `${faults.slice(0, maxNamed).join('; ')}${more}; run \`commerce payments connect\``;
  return { check, status: isProblem ? 'problem' : 'warning', message };
}
