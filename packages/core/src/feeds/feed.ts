import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Engine } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { StoreContext } from '../engine/store.ts';
import { refuseInUnit } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { CommerceError, invalid } from '../kernel/errors.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { withCurrentStore } from '../stores/current.ts';
import { findStore } from '../stores/stores.ts';
import { type FeedFormat, printerOf } from './print.ts';
import { feedPages } from './read.ts';
import { feedEntry } from './row.ts';
import { marketsOf } from './shipping.ts';
import { feedTag } from './version.ts';

const tokenOf = prepared<{ id: string }, { feed_token: string | null }>((db, p) =>
  db.selectFrom('stores').select('feed_token').where('id', '=', p('id')),
);

/** A feed that is about to be read. */
export interface OpenFeed {
  /** Changes with everything that the feed shows. */
  tag: string;
  /** The text, in parts; each page of products is read when it is asked for. */
  text(): AsyncGenerator<string>;
}

/** What is answered to a wrong token, to a store without feeds, and to one that does not exist. */
export const noFeed = () => new CommerceError('notFound', 'there is no feed at this address');

/**
 * Opens a feed of a store for whoever has its token.
 * @throws CommerceError `notFound` for a wrong token, a store without feeds, and one that does not exist
 */
export async function openFeed(engine: Engine, storeId: string, token: string, format: FeedFormat): Promise<OpenFeed> {
  const store = await findStore(engine, storeId);
  const [row] = store ? await reading(engine.storage, (db) => tokenOf(db, { id: store.id })) : [];
  if (!isSame(row?.feed_token ?? '', token) || !store?.settings.feed.enabled) throw noFeed();
  const ctx = anonymous(engine, store);
  return { tag: await feedTag(ctx, format), text: () => feedText(ctx, format) };
}

/** Compares two tokens in a time that tells nothing of them. An empty one equals none. */
function isSame(wanted: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(wanted), digest(given)) && wanted !== '';
}

/** The context of a reader without a key. */
export function anonymous(engine: Engine, store: StoreContext): Context {
  return { engine, store, actor: { type: 'system', id: null }, requestId: null };
}

/**
 * The text of a feed for a file, in parts.
 * @throws CommerceError `validation` without the setting `productUrl`
 */
export async function exportFeed(given: Context, format: FeedFormat): Promise<AsyncGenerator<string>> {
  refusePublic(given);
  refuseInUnit(given.engine, 'exportFeed reads for as long as its reader takes');
  const ctx = await withCurrentStore(given);
  if (ctx.store.settings.productUrl === null) {
    const reason = 'is required: feeds show the address of the page of each product';
    throw invalid('productUrl', reason, { code: 'REQUIRED' });
  }
  return feedText(ctx, format);
}

async function* feedText(ctx: Context, format: FeedFormat): AsyncGenerator<string> {
  const { store } = ctx;
  const markets = marketsOf(store);
  const printer = printerOf(format, store, markets);
  yield printer.head;
  for await (const { products } of feedPages(ctx)) {
    let text = '';
    for (const product of products) {
      const { row } = feedEntry(product, store, markets);
      if (row) text += printer.row(row);
    }
    if (text !== '') yield text;
    await breathe();
  }
  if (printer.end !== '') yield printer.end;
}
