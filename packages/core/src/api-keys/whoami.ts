import type { Context } from '../engine/context.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { ApiKeyTable } from '../storage/tables/api-keys.ts';
import type { Plan } from '../storage/tables/stores.ts';
import type { ApiKey } from './api-keys.ts';

/** Store and key of a request, for programs that received only a key. */
export interface WhoAmI {
  store: { id: string; name: string; currency: string; plan: Plan; timeZone: string };
  /** Null if the actor is the command line or an application that embeds the store. */
  key: Pick<ApiKey, 'id' | 'name' | 'kind' | 'scopes' | 'expiresAt'> | null;
}

const keyById = prepared<{ storeId: string; id: string }, ApiKeyTable>((db, p) =>
  db.selectFrom('api_keys').selectAll().where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/** Returns the caller's store and key. A key that has just been revoked is null. */
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
  };
}
