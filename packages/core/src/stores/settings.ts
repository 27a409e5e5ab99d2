import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Context } from '../engine/context.ts';
import {
  type Settings,
  type SettingsChanges,
  type ShippingMethod,
  settingsEntity,
  toSellingSettings,
} from '../engine/settings.ts';
import { transact } from '../engine/transaction.ts';
import { notFound } from '../kernel/errors.ts';
import { toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { StoreTable } from '../storage/tables/stores.ts';
import { storeChanged } from './changes.ts';

const rowOf = (db: Db, storeId: string) => db.selectFrom('stores').selectAll().where('id', '=', storeId);

/** The current settings of the store. */
export async function getSettings(ctx: Context): Promise<Settings> {
  const row = await reading(ctx.engine.storage, (db) => rowOf(db, ctx.store.id).executeTakeFirst());
  if (!row) throw notFound('store', ctx.store.id);
  return toSettings(row);
}

/**
 * Changes settings; absent ones keep their value. `shippingMethods` are replaced as a whole: an entry with an `id` keeps it, one without
 * gets one. The currency cannot be changed. Takes effect at once in this process, and within a second in others.
 * @throws CommerceError `validation`; `conflict` when the caller expects another version
 */
export async function updateSettings(ctx: Context, input: SettingsChanges): Promise<Settings> {
  const { shippingMethods, ...given } = definedOnly(parse(settingsEntity.inputs(ctx.store.decimals).update, input));
  const settings = await transact(ctx, async (tx) => {
    const row = await lockRows(tx.db, rowOf(tx.db, tx.store.id)).executeTakeFirstOrThrow();
    const before = toSettings(row);
    requireVersion(tx, tx.store.id, () => toJson(before));
    const after: Settings = {
      ...before,
      ...given,
      ...(shippingMethods && {
        shippingMethods: shippingMethods.map((method): ShippingMethod => {
          const { id = tx.engine.ids.next(tx.now), name, price, freeFrom = null, countries = null } = method;
          return { id, name, price, freeFrom, countries };
        }),
      }),
    };
    const changes = changedFields(before, after);
    if (Object.keys(changes).length === 0) return before;
    await tx.db
      .updateTable('stores')
      .set({ ...settingsColumns(after), updated_at: tx.now })
      .where('id', '=', tx.store.id)
      .execute();
    audit(tx, { action: 'settings.updated', resourceType: 'store', resourceId: tx.store.id, changes });
    return after;
  });
  storeChanged(ctx.engine);
  return settings;
}

function settingsColumns(settings: Settings) {
  return {
    name: settings.name,
    tax_rate: settings.taxRate,
    tax_included: settings.taxIncluded ? 1 : 0,
    shipping_methods: JSON.stringify(settings.shippingMethods),
    reservation_minutes: settings.reservationMinutes,
    max_quantity: settings.maxQuantity,
    return_urls: JSON.stringify(settings.returnUrls),
    manual_payments: settings.manualPayments ? 1 : 0,
    time_zone: settings.timeZone,
  } as const satisfies Partial<StoreTable>;
}

function toSettings(row: StoreTable): Settings {
  return {
    name: row.name,
    currency: row.currency,
    ...toSellingSettings(row),
    manualPayments: row.manual_payments === 1,
  };
}
