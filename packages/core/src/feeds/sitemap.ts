import { sql } from 'kysely';
import type { Context, Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { breathe } from '../kernel/breathe.ts';
import { listCounts } from '../resources/counts.ts';
import { reading, storageError } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { findStore } from '../stores/stores.ts';
import { anonymous, noFeed } from './feed.ts';
import { escapeXml } from './print.ts';
import type { FeedPlace } from './read.ts';
import { pageAddress } from './row.ts';
import { sitemapVersion } from './version.ts';

/** Addresses and bytes of a file, by sitemaps.org. */
const maxAddresses = 50_000;
const maxBytes = 50 * 1024 * 1024;

/** Bytes of an entry without its address, and of the longest slug. */
const entryBytes = 120;
const slugBytes = 255;

/** Rows per read, few enough not to block other callers: a page has up to half a million characters. */
const pageRows = 50;

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A file of the sitemap that is about to be read. */
export interface OpenSitemap {
  /** Changes with the addresses, not with each sale: the times of changes alone are no other content. */
  tag: string;
  text(): AsyncGenerator<string>;
}

/** A table whose published items have pages, and the setting of their addresses. */
interface Listed {
  table: 'products' | 'pages';
  address: string;
}

/** A file: the published items of a table behind a place, up to another. */
interface Part extends Listed {
  after: FeedPlace | undefined;
  upTo: FeedPlace | undefined;
}

/**
 * Opens the sitemap of a store, for anyone: the addresses of its published products and pages. Above 50,000 addresses it is an index of files.
 * @param base the address of the folder of the sitemap, for the index
 * @param file the number of one of these files, from 1; undefined for the sitemap itself
 * @param most addresses of a file
 * @throws CommerceError `notFound` for a store without addresses of products and pages, for one that does not exist, and for a file that the
 * index does not name
 */
export async function openSitemap(
  engine: Engine,
  storeId: string,
  base: string,
  file?: number,
  most = maxAddresses,
): Promise<OpenSitemap> {
  const store = await findStore(engine, storeId);
  const { productUrl = null, pageUrl = null } = store?.settings ?? {};
  if (!store || (productUrl === null && pageUrl === null)) throw noFeed();
  const ctx = anonymous(engine, store);
  const listed: Listed[] = [
    ...(productUrl === null ? [] : [{ table: 'products' as const, address: productUrl }]),
    ...(pageUrl === null ? [] : [{ table: 'pages' as const, address: pageUrl }]),
  ];
  const version = await sitemapVersion(ctx);
  const perFile = Math.min(most, ...listed.map(({ address }) => addressesPerFile(address)));
  const isWhole = (await publishedCount(ctx, listed)) <= perFile;
  if (isWhole) {
    if (file !== undefined) throw noFeed();
    const all = listed.map((one) => ({ ...one, after: undefined, upTo: undefined }));
    return { tag: version, text: () => urlset(ctx, all, perFile) };
  }
  const parts = await partsOf(ctx, listed, perFile, version);
  if (file === undefined) return { tag: version, text: () => index(base, parts.length) };
  const part = parts[file - 1];
  if (!part) throw noFeed();
  return { tag: version, text: () => urlset(ctx, [part], perFile) };
}

/** Addresses that surely fit into a file. Each sign of an address can become an entity. */
function addressesPerFile(address: string): number {
  return Math.min(maxAddresses, Math.floor(maxBytes / (address.length * 6 + slugBytes + entryBytes)));
}

async function publishedCount({ engine, store }: Context, listed: readonly Listed[]): Promise<number> {
  let sum = 0;
  for (const { table } of listed) {
    const counts = await reading(engine.storage, (db) => listCounts(db, store.id, `${table}.status`, ['published']));
    sum += Number(counts.get('published') ?? 0);
  }
  return sum;
}

const published = (db: Db, storeId: string, { table }: Listed, after: FeedPlace | undefined) => {
  const query = db
    // Both tables have these columns; the type checker knows one of them.
    .selectFrom(table as 'products')
    .where('store_id', '=', storeId)
    // A literal, as in the index.
    .where('status', '=', sql.lit('published'))
    .orderBy('created_at')
    .orderBy('id');
  if (!after) return query;
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('created_at', 'id'), '>', tuple(after.created_at, after.id)),
  );
};

/** The parts of a sitemap: a promise while they are looked for. */
interface Divided {
  version: string;
  parts: readonly Part[] | Promise<readonly Part[]>;
}

/** The parts of the sitemaps that were asked for last, by store. */
const known = perEngine(() => new Map<string, Divided>());
const maxKnown = 200;

/**
 * The files of a sitemap. Their places are found in the index of the table, and remembered until an address comes or goes. Anyone can ask for
 * them, so a store's are looked for once at a time.
 */
async function partsOf(
  ctx: Context,
  listed: readonly Listed[],
  perFile: number,
  first: string,
): Promise<readonly Part[]> {
  const { engine, store } = ctx;
  const remembered = known(engine);
  let version = `${first} ${perFile}`;
  for (;;) {
    const kept = remembered.get(store.id);
    if (kept?.version === version) return kept.parts;
    if (!(kept?.parts instanceof Promise)) break;
    await kept.parts.catch(() => {});
    // All who waited ask for the present version, and so for the same.
    version = `${await sitemapVersion(ctx)} ${perFile}`;
  }
  const found: Divided = { version, parts: findParts(ctx, listed, perFile) };
  remembered.delete(store.id);
  remembered.set(store.id, found);
  const [oldest] = remembered.keys();
  if (remembered.size > maxKnown && oldest !== undefined) remembered.delete(oldest);
  try {
    found.parts = await found.parts;
  } catch (error) {
    if (remembered.get(store.id) === found) remembered.delete(store.id);
    throw error;
  }
  return found.parts;
}

function findParts({ engine, store }: Context, listed: readonly Listed[], perFile: number): Promise<readonly Part[]> {
  const find = async (db: Db) => {
    const parts: Part[] = [];
    for (const one of listed) {
      let after: FeedPlace | undefined;
      do {
        const next: FeedPlace | undefined = await published(db, store.id, one, after)
          .select(['created_at', 'id'])
          .limit(1)
          .offset(perFile - 1)
          .executeTakeFirst();
        // No file is without an address.
        if (next || (await published(db, store.id, one, after).select('id').limit(1).executeTakeFirst())) {
          parts.push({ ...one, after, upTo: next });
        }
        after = next;
      } while (after);
    }
    return parts;
  };
  return engine.storage.scan(store.id, find).catch((error) => {
    throw storageError(engine.storage, error);
  });
}

async function* index(base: string, files: number): AsyncGenerator<string> {
  const folder = escapeXml(base);
  const names = Array.from(
    { length: files },
    (_, i) => `<sitemap><loc>${folder}/sitemap-${i + 1}.xml</loc></sitemap>\n`,
  );
  yield `${head}<sitemapindex ${namespace}>\n${names.join('')}</sitemapindex>\n`;
}

async function* urlset(ctx: Context, parts: readonly Part[], perFile: number): AsyncGenerator<string> {
  const { engine, store } = ctx;
  yield `${head}<urlset ${namespace}>\n`;
  for (const part of parts) {
    let last = part.after;
    for (let left = perFile; left > 0; left -= pageRows) {
      const rows = await reading(engine.storage, (db) =>
        published(db, store.id, part, last)
          .select(['id', 'slug', 'created_at', 'json'])
          .limit(Math.min(pageRows, left))
          .execute(),
      );
      const shown = rows.filter((row) => !part.upTo || isUpTo(row, part.upTo));
      if (shown.length > 0) yield shown.map((row) => entry(part.address, row)).join('');
      if (shown.length < pageRows) break;
      last = rows.at(-1);
      await breathe();
    }
  }
  yield '</urlset>\n';
}

/** Ids sort as the databases sort them: they are ASCII. */
function isUpTo({ created_at, id }: FeedPlace, end: FeedPlace): boolean {
  return created_at < end.created_at || (created_at === end.created_at && id <= end.id);
}

function entry(address: string, { id, slug, json }: { id: string; slug: string; json: string }): string {
  const { updatedAt } = JSON.parse(json) as { updatedAt: string };
  return `<url><loc>${escapeXml(pageAddress(address, { id, slug }))}</loc><lastmod>${updatedAt}</lastmod></url>\n`;
}
