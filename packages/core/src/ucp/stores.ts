import type { Context, Engine } from '../engine/context.ts';
import type { StoreContext } from '../engine/store.ts';
import { CommerceError } from '../kernel/errors.ts';
import { hostKey } from '../kernel/url.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { findStore } from '../stores/stores.ts';

/** The same answer for a store that does not exist and for one without a catalogue for agents. */
const noCatalogue = () => new CommerceError('notFound', 'there is no catalogue for agents at this address');

/**
 * The store whose catalogue agents read.
 * @throws CommerceError `notFound` for a store whose settings do not enable it, and for one that does not exist
 */
export async function openUcp(engine: Engine, storeId: string): Promise<StoreContext> {
  const store = await findStore(engine, storeId);
  if (!store?.settings.ucp.enabled) throw noCatalogue();
  return store;
}

const ofHost = prepared<{ host: string }, { id: string }>((db, p) =>
  db.selectFrom('stores').select('id').where('ucp_host', '=', p('host')),
);

const firstTwo = prepared<object, { id: string }>((db) =>
  db.selectFrom('stores').select('id').orderBy('number').limit(2),
);

/**
 * The store that a host names to agents. A store without a host of its own is found on every host while it is the only one of the service.
 * @param host as the client sent it, with or without a port; undefined if it is not known
 * @throws CommerceError `notFound` if there is none, or if its settings do not enable it
 */
export async function findUcpStore(engine: Engine, host: string | undefined): Promise<StoreContext> {
  const key = host === undefined ? undefined : hostKey(host);
  const [named] = key === undefined ? [] : await reading(engine.storage, (db) => ofHost(db, { host: key }));
  if (named) return openUcp(engine, named.id);
  const [only, other] = await reading(engine.storage, (db) => firstTwo(db, {}));
  if (!only || other) throw noCatalogue();
  const store = await openUcp(engine, only.id);
  if (store.settings.ucp.host !== null) throw noCatalogue();
  return store;
}

/** The context of an agent, which sees what a storefront key sees. */
export function agentContext(engine: Engine, store: StoreContext, requestId: string | null): Context {
  return { engine, store, actor: { type: 'system', id: null, isPublic: true }, requestId };
}
