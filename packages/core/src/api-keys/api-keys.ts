import * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Context, Engine, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { readScope, type Scope, scopes, storefrontScopes, unknownScope } from '../engine/scopes.ts';
import { transact } from '../engine/transaction.ts';
import { id, once, optionalTime, optionalWords, time, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, invalid, notFound, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type List, toJson } from '../kernel/json.ts';
import { maxApiKeys } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, given, oneOf, parse, requiredText } from '../kernel/parse.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { reading, snapshot } from '../storage/run.ts';
import type { ApiKeyTable } from '../storage/tables/api-keys.ts';
import { keyKinds } from '../storage/tables/api-keys.ts';
import { identities } from './identities.ts';
import { hashKey, newKey } from './key.ts';

/** The fields of the answer about a key. */
const keyFields = () => ({
  id: id('The id of the key, which is not a secret.', exampleIds.apiKey),
  storeId: id('The store it belongs to.', exampleIds.store),
  kind: z.enum(keyKinds).meta({
    description:
      '`secret`, or `storefront` for a key that can be published in a page: it sees only published items, and its scopes are fixed.',
    examples: ['secret'],
  }),
  name: words("The shop's name for it.", 'Storefront'),
  prefix: words('The first 12 characters of the key, to recognise it.', 'ck_live_9fXa'),
  scopes: z.array(z.enum(scopes)).meta({
    description: 'Its permissions. `write` does not imply `read`. `order.delete` guards nothing.',
    examples: [['product.read', 'category.read']],
  }),
  lastUsedAt: optionalTime('Time of the last use, written once a minute; null before the first.'),
  expiresAt: optionalTime('Time from which it is refused; null for never.'),
  createdAt: time('Time of creation, UTC.'),
  createdBy: optionalWords(
    'The id of the key that created this one, which expires no later than that key and is revoked with it. Null when no key created it.',
    exampleIds.apiKey,
  ),
});

export const apiKeyAnswer = once(() => z.object(keyFields()).meta({ description: 'An API key without its secret.' }));

/** An API key without its secret. `createdBy` is the key that created it; revoking that key revokes this one too. */
export type ApiKey = z.output<ReturnType<typeof apiKeyAnswer>>;

export const createdApiKeyAnswer = once(() =>
  z
    .object({
      ...keyFields(),
      key: words(
        'The whole key, readable only in this answer: the store keeps only its hash.',
        'ck_live_9fXaT0mWq3ZsK7yBv1LrC5uJd8HgN2pEiR4oVwMxYtQk',
      ),
    })
    .meta({ description: 'A newly created API key.' }),
);

/** A new key, with the whole key: the store keeps only its hash. */
export type CreatedApiKey = z.output<ReturnType<typeof createdApiKeyAnswer>>;

const scopeList = z
  .array(z.string('must be a text'), 'must be a list of scopes')
  .min(1, 'must name at least one scope')
  .transform((spellings, check) =>
    [
      ...new Set(
        spellings.map((spelling, i) => {
          const scope = readScope(spelling);
          if (!scope)
            check.addIssue({
              code: 'custom',
              message: unknownScope(spelling),
              path: [i],
              input: spelling,
              params: { code: 'NOT_OFFERED', limits: { values: scopes } },
            });
          return scope;
        }),
      ),
    ].filter((scope) => scope !== undefined),
  );

export const ApiKeyFields = noted(
  fields({
    /** By default `secret`. A `storefront` key can be published in a page; its scopes are fixed. */
    kind: oneOf(keyKinds)
      .default('secret')
      .describe('By default `secret`. A `storefront` key can be published in a page; its scopes are fixed.'),
    /** The shop's name for it. */
    name: requiredText(255),
    /** Its permissions, such as `product.read`; `product:read` and `products:read` mean the same. Limited to the permissions of the creating key. Required for a secret key, omitted for a storefront key. */
    scopes: given<readonly Scope[]>()(scopeList)
      .optional()
      .meta({
        description:
          'Its permissions, such as `product.read`; `product:read` and `products:read` mean the same. Limited to the permissions of the creating key. Required for a secret key, omitted for a storefront key.',
        examples: [['product.read', 'category.read']],
      }),
    /** Time from which it is refused, with its offset from UTC; null for never. */
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time such as "2030-01-31T00:00:00Z"' })
      .nullable()
      .default(null)
      .meta({
        description: 'Time from which it is refused, with its offset from UTC; null for never.',
        examples: ['2030-01-31T00:00:00Z'],
      }),
  }),
  {
    description: 'A new API key.',
    like: 'ApiKey',
    fields: { expiresAt: { pattern: undefined } },
    example: { name: 'Storefront', scopes: ['product.read', 'category.read'] },
  },
);
export type ApiKeyInput = z.input<typeof ApiKeyFields>;

const SecretKeyFields = ApiKeyFields.required({ scopes: true });

/**
 * Creates a key of the store with the given scopes; a storefront key has `storefrontScopes`. A key created by another key expires no later
 * than that key, and is revoked with it.
 * @throws CommerceError `validation` for an unknown scope, for scopes that a storefront key cannot have, or for an expiry that has passed
 * or is after the creating key's; `forbidden` if the creating key lacks a scope that it would grant; `conflict` if the store has
 * `maxApiKeys`
 */
export async function createApiKey(ctx: Context, input: ApiKeyInput): Promise<CreatedApiKey> {
  const given = readApiKey(input);
  refusePublic(ctx);
  const { actor } = ctx;
  const beyond = actor.scopes ? given.scopes.filter((scope) => !actor.scopes?.has(scope)) : [];
  if (beyond.length > 0) {
    throw new CommerceError(
      'forbidden',
      `insufficient permissions: this key does not hold ${beyond.join(', ')} itself`,
    );
  }
  return transact(ctx, (tx) => insertApiKey(tx, given));
}

type NewApiKey = Omit<z.output<typeof ApiKeyFields>, 'scopes'> & { scopes: readonly Scope[] };

/** The fields of a new key, with its scopes. @throws CommerceError `validation` */
export function readApiKey(input: ApiKeyInput): NewApiKey {
  if ((input as ApiKeyInput | undefined)?.kind !== 'storefront') return parse(SecretKeyFields, input);
  const given = parse(ApiKeyFields, input);
  const { scopes } = given;
  const fixed: readonly Scope[] = storefrontScopes;
  if (scopes && !(scopes.length === fixed.length && scopes.every((scope) => fixed.includes(scope)))) {
    throw invalid('scopes', `must be left out for a storefront key, which always has ${fixed.join(', ')}`, {
      code: 'CONFLICTING',
    });
  }
  return { ...given, scopes: fixed };
}

/** @throws CommerceError `validation` if the expiry has passed; `conflict` if the store has `maxApiKeys` */
export async function insertApiKey(tx: TxContext, given: NewApiKey): Promise<CreatedApiKey> {
  const { kind, name, scopes, expiresAt } = given;
  const key = newKey(kind);
  const parent = await lockParent(tx);
  await requireRoom(tx);
  const row: ApiKeyTable = {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    kind,
    name,
    prefix: key.slice(0, 12),
    hash: hashKey(key),
    scopes: JSON.stringify(scopes),
    last_used_at: null,
    expires_at: expiresAt === null ? (parent?.expires_at ?? null) : Date.parse(expiresAt),
    created_at: tx.now,
    created_by: parent?.id ?? null,
  };
  if (row.expires_at !== null && row.expires_at <= tx.now) {
    throw invalid('expiresAt', `must be in the future, not ${quote(expiresAt)}`, { code: 'IN_THE_PAST' });
  }
  if (parent && parent.expires_at !== null && row.expires_at !== null && row.expires_at > parent.expires_at) {
    throw invalid(
      'expiresAt',
      `must not be later than ${toTimestamp(parent.expires_at)}, when the key of this request expires`,
      { code: 'TOO_LARGE', limits: { max: toTimestamp(parent.expires_at) } },
    );
  }
  await tx.db.insertInto('api_keys').values(row).execute();
  audit(tx, {
    action: 'apiKey.created',
    resourceType: 'apiKey',
    resourceId: row.id,
    changes: { kind, name, prefix: row.prefix, scopes },
  });
  return { ...toApiKey(row), key };
}

/**
 * The key that creates another, locked against being revoked before the transaction ends.
 * @throws CommerceError `forbidden` if it was revoked after the request was authenticated
 */
async function lockParent(tx: TxContext): Promise<Pick<ApiKeyTable, 'id' | 'expires_at'> | undefined> {
  const { id, type, scopes } = tx.actor;
  // An actor without scopes is the embedding application, whatever type it states.
  if (type !== 'apiKey' || id === null || !scopes) return undefined;
  const parent = await lockRows(
    tx.db,
    tx.db.selectFrom('api_keys').select(['id', 'expires_at']).where('store_id', '=', tx.store.id).where('id', '=', id),
  ).executeTakeFirst();
  if (!parent) throw new CommerceError('forbidden', 'insufficient permissions: this key was revoked');
  return parent;
}

/** Makes room for another key by deleting expired ones. @throws CommerceError `conflict` */
async function requireRoom(tx: TxContext): Promise<void> {
  await tx.engine.storage.lockName(tx.db, `API keys of ${tx.store.id}`);
  if ((await countKeys(tx)) < maxApiKeys) return;
  const expired = await tx.db
    .deleteFrom('api_keys')
    .where('store_id', '=', tx.store.id)
    .where('expires_at', '<=', tx.now)
    .returning(['id', 'name', 'prefix'])
    .execute();
  for (const { id: resourceId, name, prefix } of expired) {
    audit(tx, {
      action: 'apiKey.deleted',
      resourceType: 'apiKey',
      resourceId,
      changes: { name, prefix, expired: true },
    });
  }
  if (expired.length > 0) return;
  throw new CommerceError('conflict', `the store has ${maxApiKeys} API keys, the most it can have: revoke some first`, {
    reason: 'tooMany',
  });
}

async function countKeys(tx: TxContext): Promise<number> {
  const { n } = await tx.db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('store_id', '=', tx.store.id)
    .executeTakeFirstOrThrow();
  return n;
}

export const ApiKeyQuery = fields(paging);
export type ApiKeyQueryInput = z.input<typeof ApiKeyQuery>;

/** The store's keys, newest first. */
export async function listApiKeys(ctx: Context, query: ApiKeyQueryInput = {}): Promise<List<ApiKey>> {
  refusePublic(ctx);
  const { limit, offset } = parse(ApiKeyQuery, query);
  return snapshot(ctx.engine.storage, async (db) => {
    const ofStore = db.selectFrom('api_keys').where('store_id', '=', ctx.store.id);
    const { total } = await ofStore.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await ofStore
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { items: rows.map(toApiKey), total };
  });
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's key */
export async function getApiKey(ctx: Context, id: string): Promise<ApiKey> {
  refusePublic(ctx);
  if (!isId(id)) throw notFound('API key', id);
  const row = await reading(ctx.engine.storage, (db) =>
    db.selectFrom('api_keys').selectAll().where('store_id', '=', ctx.store.id).where('id', '=', id).executeTakeFirst(),
  );
  if (!row) throw notFound('API key', id);
  return toApiKey(row);
}

/**
 * Revokes a key and every key that it created directly or indirectly. In this process, this takes effect at once, in every other within a
 * second.
 * @throws CommerceError `notFound`
 */
export async function revokeApiKey(ctx: Context, id: string): Promise<void> {
  refusePublic(ctx);
  if (!isId(id)) throw notFound('API key', id);
  const revoked = await transact(ctx, async (tx) => {
    const row = await tx.db
      .deleteFrom('api_keys')
      .where('store_id', '=', ctx.store.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('API key', id);
    requireVersion(tx, id, () => toJson(toApiKey(row)));
    const rows = [row, ...(await deleteCreatedBy(tx, [id]))];
    for (const { id: resourceId, name, prefix } of rows) {
      const changes = { name, prefix, ...(resourceId === id ? {} : { with: id }) };
      audit(tx, { action: 'apiKey.deleted', resourceType: 'apiKey', resourceId, changes });
    }
    return rows;
  });
  const forget = (engine: Engine) => {
    for (const row of revoked) identities(engine).forget(row.id);
  };
  forget(ctx.engine);
  ctx.engine.unit?.afterCommit(forget);
}

/** Deletes the keys created by the given ones, directly or indirectly. */
async function deleteCreatedBy(tx: TxContext, ids: readonly string[]): Promise<ApiKeyTable[]> {
  const deleted: ApiKeyTable[] = [];
  // The list fits into the parameters of either database, because a store has no more than `maxApiKeys`.
  for (let creators = ids; creators.length > 0; ) {
    const created = await tx.db
      .deleteFrom('api_keys')
      .where('store_id', '=', tx.store.id)
      .where('created_by', 'in', creators)
      .returningAll()
      .execute();
    deleted.push(...created);
    creators = created.map(({ id }) => id);
  }
  return deleted;
}

function toApiKey(row: ApiKeyTable): ApiKey {
  return {
    id: row.id,
    storeId: row.store_id,
    kind: row.kind,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes),
    lastUsedAt: row.last_used_at === null ? null : toTimestamp(row.last_used_at),
    expiresAt: row.expires_at === null ? null : toTimestamp(row.expires_at),
    createdAt: toTimestamp(row.created_at),
    createdBy: row.created_by,
  };
}
