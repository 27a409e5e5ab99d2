import type { Context } from '../engine/context.ts';
import type { Settings } from '../engine/settings/settings.ts';
import type { ShippingMethod } from '../engine/settings/shipping.ts';
import { CommerceError } from '../kernel/errors.ts';
import { paymentMethodsOf } from '../payments/methods.ts';
import { type ReadySettings, readyProviders } from '../payments/settings.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { withCurrentStore } from '../stores/current.ts';
import type { Shop } from './answer.ts';

/** What pages of a shop must know of it before they sell. Anyone may see it: it has no secret, and no number of the tax office. */
export async function getShop(given: Context): Promise<Shop> {
  const ctx = await withCurrentStore(given);
  const { name, currency, decimals, settings } = ctx.store;
  const shippingMethods = settings.shippingMethods.filter(({ active }) => active);
  const [slugs, ready] = await Promise.all([slugsOf(ctx, settings.pages), providersOf(ctx)]);
  return {
    name,
    currency,
    decimals,
    country: settings.country,
    locale: settings.locale,
    timeZone: settings.timeZone,
    taxIncluded: settings.taxIncluded,
    shippingMethods: shippingMethods.map(({ id, name, kind, countries, deliveryDays }) => ({
      id,
      name,
      kind,
      countries,
      deliveryDays,
    })),
    // Caches keep the answer for all keys, so it has what pages can offer to anyone.
    paymentMethods: paymentMethodsOf({ settings, ready, isPublic: true }).map(({ id, name, kind }) => ({
      id,
      name,
      kind,
    })),
    countries: servedBy(shippingMethods),
    minSubtotal: settings.minSubtotal,
    pages: slugs,
    productUrl: settings.productUrl,
    pageUrl: settings.pageUrl,
    seller: settings.seller && shownSeller(settings.seller),
    parties: settings.parties.map(({ id, name, address, email, url }) => ({ id, name, address, email, url })),
    reservationMinutes: settings.reservationMinutes,
  };
}

/** The seller field by field, so that a field that is added to the settings is not shown before somebody decides it. */
function shownSeller({
  name,
  address,
  email,
  phone,
  vatId,
  registration,
}: NonNullable<Settings['seller']>): Shop['seller'] {
  return { name, address, email, phone, vatId, registration };
}

/** All countries that goods are sent to; null for everywhere, also if a shop has no methods. */
function servedBy(methods: readonly ShippingMethod[]): string[] | null {
  const served = new Set<string>();
  // Whoever fetches the goods gives no address for them, wherever pickup is offered.
  const sent = methods.filter(({ kind }) => kind === 'ship');
  for (const { countries } of sent) {
    if (countries === null) return null;
    for (const country of countries) served.add(country);
  }
  return sent.length === 0 ? null : [...served];
}

/**
 * The providers that can open pages. A shop is shown even if the settings of its providers cannot be decrypted: it then has no way to pay,
 * instead of no pages.
 */
async function providersOf({ engine, store }: Context): Promise<ReadySettings[]> {
  try {
    return await readyProviders(engine, store.id);
  } catch (error) {
    const reason = error instanceof CommerceError ? error.reason : undefined;
    if (reason === 'secretKeyMissing' || reason === 'otherSecretKey') return [];
    throw error;
  }
}

const publishedSlugs = preparedPerLength<{ storeId: string }, { id: string; slug: string }>((db, p, ids) =>
  db
    .selectFrom('pages')
    .select(['id', 'slug'])
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where('status', '=', 'published'),
);

/** The slugs of these pages; null for each that is not published, or was deleted. */
async function slugsOf({ engine, store }: Context, pages: Settings['pages']): Promise<Shop['pages']> {
  const ids = [...new Set(Object.values(pages).filter((id) => id !== null))];
  const rows =
    ids.length === 0 ? [] : await reading(engine.storage, (db) => publishedSlugs(db, { storeId: store.id }, ids));
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]));
  const slugOf = (id: string | null) => (id === null ? null : (slugs.get(id) ?? null));
  return Object.fromEntries(Object.entries(pages).map(([name, id]) => [name, slugOf(id)])) as Shop['pages'];
}
