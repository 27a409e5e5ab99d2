import * as z from 'zod';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Context } from '../engine/context.ts';
import { type SellingSettings, type ShippingMethod, toSellingSettings } from '../engine/selling.ts';
import { transact } from '../engine/transaction.ts';
import { money, taxRate } from '../fields/money.ts';
import { notFound } from '../kernel/errors.ts';
import { toJson } from '../kernel/json.ts';
import { maxCountries, maxReturnUrls, maxShippingMethods } from '../kernel/limits.ts';
import { definedOnly, documented, fields, flag, integer, parse, requiredText, text } from '../kernel/parse.ts';
import { parseOrigin } from '../kernel/url.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { StoreTable } from '../storage/tables/stores.ts';
import { storeChanged } from './changes.ts';
import { timeZone } from './time-zone.ts';

/** A shop's own decisions about how it sells, in the form that every interface answers. Amounts are decimal strings. */
export interface Settings extends SellingSettings {
  name: string;
  /** ISO 4217; fixed at creation. */
  currency: string;
  /** Allows recording payments that did not come through a provider, such as a bank transfer. */
  manualPayments: boolean;
}

/** Region codes that are not countries, and private codes. */
const notCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The reason why a two-letter code is not a country's; undefined if it is. */
function countryProblem(code: string): string | undefined {
  // The European Union's code for Greece. Other replaced codes are in the data of Intl.
  const right = code === 'EL' ? 'GR' : new Intl.Locale(`und-${code}`).region;
  if (right !== code) return `must be "${right}", not "${code}"`;
  if (regions.of(code) !== undefined && !notCountries.has(code)) return undefined;
  return `must be the code of a country, such as "DE"; no country has the code "${code}"`;
}

/** Code of a country, ISO 3166-1 alpha-2. */
const country = documented(
  text(2)
    .transform((code) => code.toUpperCase())
    .refine((code) => /^[A-Z]{2}$/.test(code), 'must be a country code of two letters, such as "DE"')
    .superRefine((code, context) => {
      const message = /^[A-Z]{2}$/.test(code) ? countryProblem(code) : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  { pattern: '^[A-Za-z]{2}$' },
);

const origin = documented(
  text(2048, 1)
    .refine(
      (address) => parseOrigin(address) !== undefined,
      'must be an origin such as "https://shop.example", without a path',
    )
    .refine((address) => !address.includes('*'), 'must be one origin, such as "https://shop.example", without *')
    .transform((address) => new URL(address).origin),
  { format: 'uri' },
);

function schemaFor(decimals: number) {
  const method = fields({
    /** The id, which orders name. */
    id: documented(
      text(64).refine((id) => /^[\w-]+$/.test(id), 'must be of letters, digits, - and _'),
      { pattern: '^[\\w-]+$' },
    ).optional(),
    /** The name that buyers see. */
    name: requiredText(100),
    /** A decimal string with at most the currency's decimals. */
    price: money(decimals).meta({
      description: "A decimal string with at most the currency's decimals.",
      examples: ['4.90'],
    }),
    /** Subtotal before discounts from which it costs nothing. A decimal string with at most the currency's decimals. */
    freeFrom: money(decimals)
      .nullable()
      .default(null)
      .describe(
        "Subtotal before discounts from which it costs nothing. A decimal string with at most the currency's decimals.",
      ),
    /** ISO 3166 codes of two letters; null for everywhere. */
    countries: z
      .array(country, 'must be a list of country codes, or null for everywhere')
      .min(1, 'must name at least one country, or be null for everywhere')
      .max(maxCountries, `must have at most ${maxCountries} countries`)
      .nullable()
      .default(null)
      .describe('ISO 3166 codes of two letters; null for everywhere.'),
  });
  return fields({
    /** The name of the shop. */
    name: requiredText(255),
    /** A fraction: "0.08" is 8 %. An order may state another. */
    taxRate,
    /** Whether prices and shipping hold the tax. */
    taxIncluded: flag,
    /** Replaced as a whole. An entry with an `id` keeps it, one without gets one. The usual one first. */
    shippingMethods: z
      .array(method, 'must be a list of shipping methods')
      .max(maxShippingMethods, `must have at most ${maxShippingMethods} methods`)
      .refine((methods) => {
        const ids = methods.flatMap(({ id }) => id ?? []);
        return new Set(ids).size === ids.length;
      }, 'must not have two methods of one id')
      .describe('Replaced as a whole. An entry with an `id` keeps it, one without gets one. The usual one first.'),
    /** Minutes for which a checkout holds its stock. */
    reservationMinutes: integer(31, 1410),
    /** Pieces of one product that a checkout with a storefront key may have. */
    maxQuantity: integer(1, 1_000_000),
    /** Origins of the pages that may call with a storefront key, and to which a buyer may come back from paying. */
    returnUrls: z
      .array(origin, 'must be a list of origins')
      .max(maxReturnUrls, `must have at most ${maxReturnUrls} origins`),
    /** Whether payments that reached the shop in another way may be recorded. */
    manualPayments: flag,
    /** Zone in which the shop counts its days, by its name in the IANA database. */
    timeZone,
  }).partial();
}

const schemas = new Map<number, ReturnType<typeof schemaFor>>();

/** Schema for changes of settings in a currency with that many decimals. */
export function settingsFields(decimals: number): ReturnType<typeof schemaFor> {
  const schema = schemas.get(decimals) ?? schemaFor(decimals);
  schemas.set(decimals, schema);
  return schema;
}

export type SettingsChanges = z.input<ReturnType<typeof schemaFor>>;

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
  const { shippingMethods, ...given } = definedOnly(parse(settingsFields(ctx.store.decimals), input));
  const settings = await transact(ctx, async (tx) => {
    const row = await lockRows(tx.db, rowOf(tx.db, tx.store.id)).executeTakeFirstOrThrow();
    const before = toSettings(row);
    requireVersion(tx, tx.store.id, () => toJson(before));
    const after: Settings = {
      ...before,
      ...given,
      ...(shippingMethods && {
        shippingMethods: shippingMethods.map(
          ({ id, name, price, freeFrom, countries }): ShippingMethod => ({
            id: id ?? tx.engine.ids.next(tx.now),
            name,
            price,
            freeFrom,
            countries,
          }),
        ),
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
