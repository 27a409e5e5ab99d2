import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { pendingCounts } from '../resources/counts.ts';
import { versionStep } from '../resources/feed-version.ts';
import { preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { Schema } from '../storage/schema.ts';
import type { MediaUseTable } from '../storage/tables/media.ts';

/** An item that names media: a product, a category or a page. */
export interface MediaUser {
  id: string;
  status: string;
  seoImageId: string | null;
  primaryMediaId?: string | null;
  mediaIds?: readonly string[];
}

const insertUses = preparedInsert<MediaUseTable>('media_uses');

const deleteUse = preparedChange<MediaUseTable>((db, p) =>
  db
    .deleteFrom('media_uses')
    .where('store_id', '=', p('store_id'))
    .where('media_id', '=', p('media_id'))
    .where('used_by', '=', p('used_by')),
);

/** Media that an item makes public: all that it names while it is published. */
export function mediaShownBy(user: MediaUser | undefined): Set<string> {
  if (user?.status !== 'published') return new Set();
  const { seoImageId, primaryMediaId = null, mediaIds = [] } = user;
  return new Set([...mediaIds, primaryMediaId, seoImageId].filter((id) => id !== null));
}

/** Records which media changed products, categories or pages show. Omit `before` for a new item, `after` for a deleted one. */
export async function writeMediaUses(
  tx: TxContext,
  changes: readonly { before?: MediaUser | undefined; after?: MediaUser | undefined }[],
): Promise<void> {
  const added: MediaUseTable[] = [];
  let isChanged = false;
  for (const { before, after } of changes) {
    const [had, has] = [mediaShownBy(before), mediaShownBy(after)];
    const used_by = (after ?? before)?.id ?? '';
    for (const media_id of has) if (!had.has(media_id)) added.push({ store_id: tx.store.id, media_id, used_by });
    for (const media_id of had) {
      if (has.has(media_id)) continue;
      await deleteUse(tx.db, { store_id: tx.store.id, media_id, used_by });
      isChanged = true;
    }
  }
  if (added.length > 0) await insertUses(tx.db, added);
  if (isChanged || added.length > 0) invalidateShownMedia(tx);
}

/** Invalidates counts of public media in every process when the transaction commits. */
export function invalidateShownMedia(tx: TxContext): void {
  pendingCounts(tx).add('media.version', '', versionStep());
}

/** The condition that something published names the media. */
export function isUsed(storeId: string, id: Expression<string>): Expression<SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Schema, never>();
  return exists(
    selectFrom('media_uses')
      .select(sql.lit(1).as('one'))
      .where('media_uses.store_id', '=', storeId)
      .where('media_uses.media_id', '=', id),
  );
}
