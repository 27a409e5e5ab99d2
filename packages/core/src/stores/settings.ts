import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Context, TxContext } from '../engine/context.ts';
import type { Party } from '../engine/settings/parties.ts';
import { type PaymentSetting, usualHoldDays } from '../engine/settings/payments.ts';
import { type Settings, type SettingsChanges, sellingEntity, settingsEntity } from '../engine/settings/settings.ts';
import type { ShippingMethod } from '../engine/settings/shipping.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { CommerceError, invalid, notFound, quote } from '../kernel/errors.ts';
import { toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { masked } from '../kernel/secrets.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { StoreTable } from '../storage/tables/stores.ts';
import { storeChanged } from './changes.ts';
import { changedMail, shownPassword } from './mail-settings.ts';
import { newLinkSecret } from './stores.ts';

const rowOf = (db: Db, storeId: string) => db.selectFrom('stores').selectAll().where('id', '=', storeId);

/** The current settings of the store. */
export async function getSettings(ctx: Context): Promise<Settings> {
  const row = await reading(ctx.engine.storage, (db) => rowOf(db, ctx.store.id).executeTakeFirst());
  if (!row) throw notFound('store', ctx.store.id);
  return toSettings(ctx, row);
}

/**
 * Changes settings; absent ones keep their value. `shippingMethods`, `paymentMethods`, `pages`, `seller`, `ucp` and `mail` are replaced as a whole: a
 * method with an `id` keeps it, one without gets one. The currency cannot be changed. Takes effect at once in this process, and within a second in others.
 * @throws CommerceError `validation`; `conflict` when the caller expects another version, and when another
 * store has the host for agents
 */
export async function updateSettings(ctx: Context, input: SettingsChanges): Promise<Settings> {
  const { shippingMethods, paymentMethods, parties, mail, ...given } = definedOnly(
    parse(settingsEntity.inputs(ctx.store.decimals).update, input),
  );
  const settings = await transact(
    ctx,
    async (tx) => {
      const row = await lockRows(tx.db, rowOf(tx.db, tx.store.id)).executeTakeFirstOrThrow();
      const before = toSettings(tx, row);
      requireVersion(tx, tx.store.id, () => toJson(before));
      if (given.pages) await checkPages(tx, given.pages, before.pages);
      const sending = mail && (await changedMail(tx, row, before.mail, mail));
      // Prints null for each field that a method, `pages` or `seller` leaves out.
      const after = settingsEntity.of({
        ...before,
        ...(given as Partial<Settings>),
        ...(sending && { mail: sending.mail }),
        ...(shippingMethods && {
          shippingMethods: shippingMethods.map(
            ({ id = tx.engine.ids.next(tx.now), ...method }) => ({ id, ...method }) as ShippingMethod,
          ),
        }),
        ...(parties && {
          parties: parties.map(({ id = tx.engine.ids.next(tx.now), ...party }) => ({ id, ...party }) as Party),
        }),
        ...(paymentMethods && {
          paymentMethods: paymentMethods.map(({ id = tx.engine.ids.next(tx.now), ...method }) => {
            const holdDays = method.kind === 'transfer' ? (method.holdDays ?? usualHoldDays) : null;
            return { id, ...method, holdDays } as PaymentSetting;
          }),
        }),
      });
      checkTogether(before, after);
      await checkDroppedParties(tx, before, after);
      const token = row.feed_token ?? (after.feed.enabled ? newFeedToken() : null);
      const shown = { ...after, feed: { ...after.feed, token: shownToken(tx, token) } };
      const changes = changedFields(withoutToken(before), withoutToken(after));
      // Another password of the same length can end in the same characters.
      const keepsPassword = sending === undefined || sending.password === row.smtp_password;
      if (Object.keys(changes).length === 0 && keepsPassword) return before;
      await tx.db
        .updateTable('stores')
        .set({
          name: after.name,
          manual_payments: after.manualPayments ? 1 : 0,
          settings: printed(after),
          feed_token: token,
          ucp_host: after.ucp.host,
          ...(sending && { smtp_password: sending.password }),
          updated_at: tx.now,
        })
        .where('id', '=', tx.store.id)
        .execute();
      audit(tx, { action: 'settings.updated', resourceType: 'store', resourceId: tx.store.id, changes });
      return shown;
    },
    uniqueHost(given.ucp?.host),
  );
  storeChanged(ctx.engine);
  return settings;
}

/**
 * Ends every link to a buyer's page of an order that was sent or shown so far. New links are made with another key.
 * @returns the settings, which do not change
 */
export async function rotateOrderLinks(ctx: Context): Promise<Settings> {
  return transact(ctx, async (tx) => {
    const row = await lockRows(tx.db, rowOf(tx.db, tx.store.id)).executeTakeFirstOrThrow();
    await tx.db.updateTable('stores').set({ link_secret: newLinkSecret() }).where('id', '=', tx.store.id).execute();
    audit(tx, { action: 'settings.order_links_rotated', resourceType: 'store', resourceId: tx.store.id });
    return toSettings(tx, row);
  });
}

/**
 * Ends the addresses of the product feeds, which get another token.
 * @returns the settings with the new token
 */
export async function rotateFeedToken(ctx: Context): Promise<Settings> {
  return transact(ctx, async (tx) => {
    const row = await lockRows(tx.db, rowOf(tx.db, tx.store.id)).executeTakeFirstOrThrow();
    const token = newFeedToken();
    await tx.db.updateTable('stores').set({ feed_token: token }).where('id', '=', tx.store.id).execute();
    audit(tx, { action: 'settings.feed_token_rotated', resourceType: 'store', resourceId: tx.store.id });
    return toSettings(tx, { ...row, feed_token: token });
  });
}

const uniqueHost = (host: string | null | undefined): UniqueRules => ({
  'stores.ucp_host': { field: 'ucp.host', value: host, taken: 'is the host of another store of this service' },
});

/** A token that cannot be guessed: 256 random bits. */
const newFeedToken = () => randomBytes(32).toString('base64url');

/** What an actor sees of the token of the feeds: whoever has it can read them. */
function shownToken({ actor }: Context, token: string | null): string | null {
  if (token === null || actor.scopes === undefined || actor.scopes.has('settings.write')) return token;
  return masked(token);
}

const withoutToken = (settings: Settings): Settings => ({ ...settings, feed: { ...settings.feed, token: null } });

/** The text of the settings for the store's row, which has columns for the others. Nothing of the password or the token is in it. */
function printed(settings: Settings): string {
  const { mail } = settings;
  const smtp = mail.smtp && { ...mail.smtp, password: null };
  return toJson(sellingEntity.of({ ...withoutToken(settings), mail: { ...mail, smtp } }));
}

function toSettings(ctx: Context, row: StoreTable): Settings {
  const { engine } = ctx;
  const selling = sellingEntity.read(row.settings);
  const { mail, feed } = selling;
  return settingsEntity.of({
    name: row.name,
    currency: row.currency,
    manualPayments: row.manual_payments === 1,
    ...selling,
    mail: { ...mail, smtp: mail.smtp && { ...mail.smtp, password: shownPassword(engine, row) } },
    feed: { ...feed, token: shownToken(ctx, row.feed_token) },
  });
}

/**
 * Checks that no product names a party that is left out.
 * @throws CommerceError `conflict` with the number of products
 */
async function checkDroppedParties(tx: TxContext, before: Settings, after: Settings): Promise<void> {
  const kept = new Set(after.parties.map(({ id }) => id));
  for (const { id, name } of before.parties.filter((party) => !kept.has(party.id))) {
    let count = 0;
    for (const column of ['manufacturer_id', 'responsible_person_id'] as const) {
      const naming = tx.db
        .selectFrom('products')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('store_id', '=', tx.store.id)
        .where(column, '=', id)
        // Literals, as in the conditions of the indexes.
        .where(column, 'is not', null)
        .where('status', '<>', sql.lit('deleted'));
      // A product that names it as both counts once.
      const counted = column === 'manufacturer_id' ? naming : naming.where('manufacturer_id', 'is distinct from', id);
      const { n } = await counted.executeTakeFirstOrThrow();
      count += Number(n);
    }
    if (count === 0) continue;
    const reason = `${quote(name)} (${id}) cannot be left out: ${count === 1 ? '1 product names' : `${count} products name`} it`;
    throw new CommerceError('conflict', `parties: ${reason}`, {
      details: [{ field: 'parties', reason, code: 'CONFLICTING' }],
    });
  }
}

/**
 * Checks settings that need others.
 * @throws CommerceError `validation` on the setting that was changed
 */
function checkTogether(before: Settings, after: Settings): void {
  const isKept = (field: 'country' | 'seller' | 'productUrl') => after[field] !== null || before[field] === null;
  if (after.taxes !== null && after.country === null) {
    if (isKept('country'))
      throw invalid('taxes', 'need the setting country: the country of the shop', { code: 'CONFLICTING' });
    throw invalid('country', 'must not be null while the setting taxes is set', { code: 'REQUIRED' });
  }
  if (after.feed.enabled && after.productUrl === null) {
    if (isKept('productUrl'))
      throw invalid('feed.enabled', 'needs the setting productUrl: the address of the page of a product', {
        code: 'CONFLICTING',
      });
    throw invalid('productUrl', 'must not be null while the feeds are enabled', { code: 'REQUIRED' });
  }
  if (after.invoices.enabled && after.seller === null) {
    if (isKept('seller'))
      throw invalid('invoices.enabled', 'needs the setting seller: who sells', { code: 'CONFLICTING' });
    throw invalid('seller', 'must not be null while invoices are enabled', { code: 'REQUIRED' });
  }
}

/**
 * Checks that newly named pages exist in the store. Pages named before can have been deleted.
 * @throws CommerceError `validation` on the page
 */
async function checkPages(
  tx: TxContext,
  given: NonNullable<SettingsChanges['pages']>,
  before: Settings['pages'],
): Promise<void> {
  const known = new Set(Object.values(before));
  const added = Object.entries(given).filter((entry): entry is [string, string] => !!entry[1] && !known.has(entry[1]));
  if (added.length === 0) return;
  const found = await tx.db
    .selectFrom('pages')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where(
      'id',
      'in',
      added.map(([, id]) => id),
    )
    .where('status', '<>', 'deleted')
    .execute();
  const ids = new Set(found.map(({ id }) => id));
  for (const [name, id] of added) {
    if (!ids.has(id)) throw invalid(`pages.${name}`, `no page ${quote(id)} in this store`, { code: 'NOT_FOUND' });
  }
}
