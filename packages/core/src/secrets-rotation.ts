import type { Engine } from './engine/context.ts';
import { perEngine } from './engine/per-engine.ts';
import { refuseInUnit } from './engine/transaction.ts';
import { breathe } from './kernel/breathe.ts';
import { CommerceError, type Reason } from './kernel/errors.ts';
import { isClear, type SecretBox } from './kernel/secrets.ts';
import { placeOf } from './payments/settings.ts';
import { lockRows } from './storage/locks.ts';
import { reading, runTransaction } from './storage/run.ts';
import type { Db } from './storage/storage.ts';
import type { ProviderName } from './storage/tables/payments.ts';
import { placeOfPassword } from './stores/mail-settings.ts';
import { placeOf as placeOfWebhook } from './webhooks/sealed-secrets.ts';

/** The number of rows with secrets, and how many of them were encrypted again. */
export interface RotationReport {
  paymentProviders: { total: number; sealed: number };
  webhooks: { total: number; sealed: number };
  mailServers: { total: number; sealed: number };
}

/** Rows per transaction: other writers wait no longer than it takes. */
const batch = 100;

/**
 * Encrypts every secret in the database with the current key, including secrets in clear text and secrets under the previous key. Each
 * batch is a separate transaction and finished rows are skipped, so it can be stopped and restarted. Secrets written while it runs are
 * encrypted with the current key anyway.
 * @throws CommerceError `unavailable` for a secret that neither key opens; earlier batches are committed
 */
export async function rotateSecrets(engine: Engine): Promise<RotationReport> {
  refuseInUnit(engine, 'rotateSecrets runs many transactions');
  const { storage } = engine;
  const report: RotationReport = {
    paymentProviders: { total: 0, sealed: 0 },
    webhooks: { total: 0, sealed: 0 },
    mailServers: { total: 0, sealed: 0 },
  };
  const stores = await reading(storage, (db) => db.selectFrom('stores').select('id').orderBy('id').execute());
  for (const { id } of stores) {
    const providers = await runTransaction(storage, (db) => sealProviders(engine.secrets, db, id));
    report.paymentProviders.total += providers.total;
    report.paymentProviders.sealed += providers.sealed;
    const mail = await runTransaction(storage, (db) => sealPassword(engine.secrets, db, id));
    report.mailServers.total += mail.total;
    report.mailServers.sealed += mail.sealed;
    for (let after = '', more = true; more; ) {
      const done = await runTransaction(storage, (db) => sealWebhooks(engine.secrets, db, id, after));
      report.webhooks.total += done.total;
      report.webhooks.sealed += done.sealed;
      after = done.last ?? after;
      more = done.total === batch;
    }
  }
  return report;
}

/** A store has only as many rows as providers. */
async function sealProviders(secrets: SecretBox, db: Db, storeId: string) {
  const rows = await lockRows(
    db,
    db
      .selectFrom('payment_providers')
      .select(['provider', 'settings', 'previous'])
      .where('store_id', '=', storeId)
      .orderBy('provider'),
  ).execute();
  let sealed = 0;
  for (const { provider, settings, previous } of rows) {
    const place = `${storeId} ${provider}`;
    const columns = {
      settings: resealed(secrets, settings, place),
      // An empty list is not a secret, and is stored as clear text.
      previous: previous === '[]' ? previous : resealed(secrets, previous, place),
    };
    if (columns.settings === settings && columns.previous === previous) continue;
    await db
      .updateTable('payment_providers')
      .set(columns)
      .where('store_id', '=', storeId)
      .where('provider', '=', provider)
      .execute();
    sealed++;
  }
  return { total: rows.length, sealed };
}

/** A store has one mail server. */
async function sealPassword(secrets: SecretBox, db: Db, storeId: string) {
  const row = await lockRows(
    db,
    db.selectFrom('stores').select('smtp_password').where('id', '=', storeId),
  ).executeTakeFirst();
  const stored = row?.smtp_password ?? null;
  if (stored === null) return { total: 0, sealed: 0 };
  const smtp_password = resealed(secrets, stored, placeOfPassword(storeId));
  if (smtp_password === stored) return { total: 1, sealed: 0 };
  await db.updateTable('stores').set({ smtp_password }).where('id', '=', storeId).execute();
  return { total: 1, sealed: 1 };
}

async function sealWebhooks(secrets: SecretBox, db: Db, storeId: string, after: string) {
  const rows = await lockRows(
    db,
    db
      .selectFrom('webhooks')
      .select(['id', 'secret', 'previous_secret'])
      .where('store_id', '=', storeId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch),
  ).execute();
  let sealed = 0;
  for (const { id, secret, previous_secret } of rows) {
    const place = placeOfWebhook({ store_id: storeId, id });
    const columns = {
      secret: resealed(secrets, secret, place),
      previous_secret: previous_secret === null ? null : resealed(secrets, previous_secret, place),
    };
    if (columns.secret === secret && columns.previous_secret === previous_secret) continue;
    await db.updateTable('webhooks').set(columns).where('store_id', '=', storeId).where('id', '=', id).execute();
    sealed++;
  }
  return { total: rows.length, sealed, last: rows.at(-1)?.id };
}

function resealed(secrets: SecretBox, stored: string, place: string): string {
  return secrets.isCurrent(stored, place) ? stored : secrets.seal(secrets.open(stored, place), place);
}

/** True if the database contains secrets that can be read without a key. */
export async function hasClearSecrets({ storage }: Engine): Promise<boolean> {
  return reading(storage, async (db) => {
    const stores = await db.selectFrom('stores').select('id').execute();
    for (const { id } of stores) {
      const settings = await db
        .selectFrom('payment_providers')
        .select('settings as stored')
        .where('store_id', '=', id)
        .execute();
      const secrets = await db.selectFrom('webhooks').select('secret as stored').where('store_id', '=', id).execute();
      const passwords = await db.selectFrom('stores').select('smtp_password as stored').where('id', '=', id).execute();
      if ([...settings, ...secrets, ...passwords].some(({ stored }) => stored !== null && isClear(stored))) return true;
    }
    return false;
  });
}

/** A secret of a store that none of the current keys opens. */
export interface UnreadableSecret {
  storeId: string;
  /** Name of a payment provider, `webhook <id>`, or `mail server`. */
  of: string;
}

/**
 * Finds the secrets that none of the current keys opens with the reason, and the number of encrypted secrets.
 * @param only the stores to look at; all by default
 */
export async function findUnreadableSecrets(
  { storage, secrets }: Engine,
  only?: ReadonlySet<string>,
): Promise<{ encrypted: number; unreadable: UnreadableSecret[]; reason: Reason | undefined }> {
  const stores =
    only ??
    (await reading(storage, (db) => db.selectFrom('stores').select('id').orderBy('id').execute())).map(({ id }) => id);
  const unreadable: UnreadableSecret[] = [];
  let encrypted = 0;
  let reason: Reason | undefined;
  // While a replaced secret is kept, the current one also fails if the replaced one cannot be opened.
  const look = (storeId: string, of: string, stored: (string | null)[], place: string) => {
    const sealed = stored.filter((text) => text !== null && !isClear(text)) as string[];
    if (sealed.length === 0) return;
    encrypted++;
    try {
      for (const text of sealed) secrets.open(text, place);
    } catch (error) {
      reason = error instanceof CommerceError ? error.reason : reason;
      unreadable.push({ storeId, of });
    }
  };
  for (const id of stores) {
    await reading(storage, async (db) => {
      const providers = db
        .selectFrom('payment_providers')
        .select(['provider', 'settings', 'previous'])
        .where('store_id', '=', id);
      for (const { provider, settings, previous } of await providers.orderBy('provider').execute()) {
        look(id, provider, [settings, previous], placeOf(id, provider as ProviderName));
      }
      const store = await db.selectFrom('stores').select('smtp_password').where('id', '=', id).executeTakeFirst();
      look(id, 'mail server', [store?.smtp_password ?? null], placeOfPassword(id));
      const webhooks = db.selectFrom('webhooks').select(['id', 'secret', 'previous_secret']).where('store_id', '=', id);
      for (const webhook of await webhooks.orderBy('id').execute()) {
        const place = placeOfWebhook({ store_id: id, id: webhook.id });
        look(id, `webhook ${webhook.id}`, [webhook.secret, webhook.previous_secret], place);
      }
    });
    await breathe();
  }
  return { encrypted, unreadable, reason };
}

/**
 * Refuses a key that opens none of the encrypted secrets, because every notification of a payment provider would be lost.
 * @returns the secrets that it does not open, if it opens others
 * @throws CommerceError `unavailable`
 */
export async function requireReadableSecrets(engine: Engine): Promise<UnreadableSecret[]> {
  const { encrypted, unreadable, reason } = await findUnreadableSecrets(engine);
  Object.assign(looks(engine), { last: Promise.resolve(unreadable), at: engine.clock.now() });
  if (encrypted === 0 || unreadable.length < encrypted) return unreadable;
  const isMissing = reason === 'secretKeyMissing';
  const why = isMissing
    ? 'they are encrypted, and no secret key is set'
    : 'they were encrypted with another secret key';
  const message = `none of the ${encrypted} secrets in the database can be read: ${why}`;
  throw new CommerceError('unavailable', message, { reason: isMissing ? 'secretKeyMissing' : 'otherSecretKey' });
}

/** Milliseconds before stores with unreadable secrets are looked at again, because any caller can trigger the look. */
const lookInterval = 10_000;

/** A process's last look at secrets that it cannot read. */
const looks = perEngine((): { last: Promise<UnreadableSecret[]> | undefined; at: number } => ({
  last: undefined,
  at: 0,
}));

/**
 * Secrets that this process cannot read. The first call looks at every store. Later calls look only at stores that had some, because a
 * process writes no secret that it cannot read.
 */
export function unreadableSecrets(engine: Engine): Promise<UnreadableSecret[]> {
  const state = looks(engine);
  const now = engine.clock.now();
  if (state.last && now - state.at < lookInterval) return state.last;
  const before = state.last;
  const look = (async () => {
    const stores = before && new Set((await before).map(({ storeId }) => storeId));
    return (await findUnreadableSecrets(engine, stores)).unreadable;
  })();
  Object.assign(state, { last: look, at: now });
  look.catch(() => {
    if (state.last === look) state.last = undefined;
  });
  return look;
}
