import {
  type Context,
  checkFeeds,
  exportFeed,
  type FeedFormat,
  feedFormats,
  type ReportedProduct,
} from '@commerce/core';
import { refuseDatabase } from '../../database-files.ts';
import { openProgress } from '../../progress.ts';
import { writeFile } from '../../transfer/export.ts';
import { UsageError } from '../../usage-error.ts';

/** Writes a feed to a file, in the form that its ending names. */
export async function writeFeed(
  file: string,
  shop: Context,
  { db, quiet }: { db: string; quiet?: boolean },
): Promise<void> {
  refuseDatabase(file, db, 'the feed');
  const texts = await exportFeed(shop, formatOf(file));
  const progress = await openProgress({ quiet });
  const counted = async function* () {
    let parts = 0;
    for await (const text of texts) {
      // The head comes first, then 100 products at a time.
      progress.update(100 * parts++);
      yield text;
    }
  };
  await writeFile(file, counted());
  progress.end();
}

/** The form of a feed, from the ending of its file. @throws UsageError */
export function formatOf(file: string): FeedFormat {
  const format = feedFormats.find((one) => file.toLowerCase().endsWith(`.${one}`));
  if (!format) throw new UsageError(`file: must end in .tsv or .xml, not ${JSON.stringify(file)}`);
  return format;
}

/** The first products that something is wrong with, and the totals of all. */
export async function checkAll(shop: Context, { limit, warnings }: { limit: number; warnings: boolean }) {
  const items: ReportedProduct[] = [];
  const walk = checkFeeds(shop);
  for (;;) {
    const { done, value } = await walk.next();
    if (done) return { items, totals: value };
    if (items.length < limit && (warnings || value.isLeftOut)) items.push(value);
  }
}
