import * as z from 'zod';
import { apiKeyAnswer } from '../api-keys/api-keys.ts';
import type { Context } from '../engine/context.ts';
import { id, once, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { ApiKeyTable } from '../storage/tables/api-keys.ts';
import { plans } from '../storage/tables/stores.ts';
import { whoAmIUser } from './fields.ts';
import { hasCredentials } from './people.ts';
import { userRow } from './users.ts';

export const whoAmIAnswer = once(() =>
  z
    .object({
      store: z
        .object({
          id: id('The id of the store.', exampleIds.store),
          name: words('The name of the shop.', 'Tea & Co'),
          currency: words('ISO 4217.', 'EUR'),
          plan: z.enum(plans).meta({ description: 'The plan of the store.', examples: ['enterprise'] }),
          timeZone: words('Zone in which the shop counts its days, by its name in the IANA database.', 'Europe/Berlin'),
        })
        .meta({ description: 'The store of the key.' }),
      key: apiKeyAnswer()
        .pick({ id: true, name: true, kind: true, scopes: true, expiresAt: true })
        .nullable()
        .meta({ description: 'The key; null for a user, and if it has just been revoked.' }),
      user: whoAmIUser(),
    })
    .meta({ description: "The caller's store, and its key or user." }),
);

/** Store of a request, and its key or user. */
export type WhoAmI = z.output<ReturnType<typeof whoAmIAnswer>>;

const keyById = prepared<{ storeId: string; id: string }, ApiKeyTable>((db, p) =>
  db.selectFrom('api_keys').selectAll().where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/** Returns the caller's store, and its key or user. A key that has just been revoked is null. */
export async function whoAmI({ engine, store, actor }: Context): Promise<WhoAmI> {
  const { id, name, currency, plan, settings } = store;
  const keyId = actor.type === 'apiKey' ? actor.id : null;
  const [row] = keyId === null ? [] : await reading(engine.storage, (db) => keyById(db, { storeId: id, id: keyId }));
  return {
    store: { id, name, currency, plan, timeZone: settings.timeZone },
    key: row
      ? {
          id: row.id,
          name: row.name,
          kind: row.kind,
          scopes: JSON.parse(row.scopes),
          expiresAt: row.expires_at === null ? null : toTimestamp(row.expires_at),
        }
      : null,
    user: await userOf({ engine, store, actor }),
  };
}

async function userOf({ engine, store, actor }: Pick<Context, 'engine' | 'store' | 'actor'>): Promise<WhoAmI['user']> {
  const { type, id, scopes = new Set(), session } = actor;
  if (type !== 'user') return null;
  const held = [...scopes];
  if (id === null) return { id, email: null, name: null, role: 'owner', canSignIn: false, scopes: held };
  return reading(engine.storage, async (db) => {
    const { email, name, person_id } = await userRow(db, store.id, id);
    // A person exists only with a password or a passkey, or after the last passkey was removed.
    const canSignIn = person_id !== null && (await hasCredentials(db, person_id));
    return { id, email, name, role: session?.role ?? 'reader', canSignIn, scopes: held };
  });
}
