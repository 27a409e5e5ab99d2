import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import type { StoreContext } from '../engine/store.ts';
import type { PublishedTable } from '../kernel/nouns.ts';
import { listCounts } from '../resources/counts.ts';
import { feedVersion } from '../resources/feed-version.ts';
import { snapshot } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

/** Raised with every change of how feeds and sitemaps are written. */
const formVersion = 1;

/** The products that track stock, every piece of which orders hold. Reservations end by themselves, so no version counts them. */
function heldProducts(storeId: string, now: number): RawBuilder<{ id: string }> {
  // Begins with the few reservations: `cross join` keeps SQLite from beginning with all products.
  return sql<{ id: string }>`
    select p.id from (
      select product_id, sum(quantity) as held from reservations
      where store_id = ${storeId} and expires_at > ${now} group by product_id
    ) as r cross join products as p where p.store_id = ${storeId} and p.id = r.product_id
    and +p.track_stock = 1 and +p.stock > 0 and r.held >= p.stock order by p.id`;
}

/** The settings that feeds show something of. */
function shownSettings({ name, currency, settings }: StoreContext) {
  const { feed, productUrl, shippingMethods, country } = settings;
  return { name, currency, feed, productUrl, shippingMethods, country };
}

/** The tag of a feed: another one after any change of what it shows. Reads a few rows, whatever the number of products. */
export async function feedTag(ctx: Context, format: string): Promise<string> {
  const { engine, store } = ctx;
  const now = engine.clock.now();
  const read = async (db: Db) => ({
    versions: await feedVersion(db, store.id, ['products', 'categories']),
    media: [...(await listCounts(db, store.id, 'media.version'))],
    held: (await heldProducts(store.id, now).execute(db)).rows.map(({ id }) => id),
  });
  const addresses = [engine.media.url(), engine.publicUrl?.()];
  return tagOf([format, store.id, shownSettings(store), addresses, await snapshot(engine.storage, read)]);
}

const sitemapTables = ['products', 'pages'] as const satisfies readonly PublishedTable[];

/** The tag of a file of the sitemap, and the version of the addresses that it has. */
export async function sitemapVersion({ engine, store }: Context): Promise<string> {
  const { productUrl, pageUrl } = store.settings;
  const versions = await snapshot(engine.storage, (db) => feedVersion(db, store.id, sitemapTables));
  return tagOf(['sitemap', store.id, productUrl, pageUrl, versions]);
}

function tagOf(parts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([formVersion, ...parts]))
    .digest('base64url')
    .slice(0, 27);
}
