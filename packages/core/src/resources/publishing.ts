import { toTimestamp } from '../clock.ts';
import type { Context, TxContext } from '../context.ts';
import { oneOf, text } from '../parse.ts';
import type { Db } from '../storage/storage.ts';
import { listCounts } from './counts.ts';

/** The statuses a client can set; `deleted` is reached by deleting alone. */
export const publishingStatuses = ['draft', 'published', 'archived'] as const;
export type PublishingStatus = (typeof publishingStatuses)[number];

/** What products, categories and pages have alike: an address, a status, and what search engines are told. */
export interface Published {
  slug: string;
  status: PublishingStatus | 'deleted';
  /** When it was first published; never changes afterwards. */
  publishedAt: string | null;
  seoTitle: string | null;
  seoDescription: string | null;
  seoKeywords: string | null;
  /** A media id; it may dangle. */
  seoImageId: string | null;
}

const slug = text(255, 1).regex(
  /^[a-z0-9]+(-[a-z0-9]+)*$/,
  'must be lower-case letters and digits with single dashes between them, such as "blue-mug"',
);

/** The fields that a client writes, without defaults. */
export const publishedFields = {
  slug,
  status: oneOf(publishingStatuses),
  seoTitle: text(255).nullable(),
  seoDescription: text(5000).nullable(),
  seoKeywords: text(5000).nullable(),
  seoImageId: text(64, 1).nullable(),
};

export const publishedDefaults = {
  status: 'draft',
  seoTitle: null,
  seoDescription: null,
  seoKeywords: null,
  seoImageId: null,
} as const;

/** What a new one gets that no client writes. */
export function newlyMade(tx: TxContext, status: Published['status']) {
  const now = toTimestamp(tx.now);
  return {
    id: tx.engine.ids.next(tx.now),
    storeId: tx.store.id,
    publishedAt: status === 'published' ? now : null,
    createdAt: now,
    updatedAt: now,
  };
}

/** One that was changed, with the times that follow from it. */
export function changedNow<T extends Published & { updatedAt: string }>(tx: TxContext, before: Published, after: T): T {
  const now = toTimestamp(tx.now);
  const publishedAt = before.publishedAt ?? (after.status === 'published' ? now : null);
  return { ...after, publishedAt, updatedAt: now };
}

/** Status by which a list is filtered for its reader; `none` where a public actor asks for what it does not see. */
export function seenStatus({ actor }: Pick<Context, 'actor'>, asked: PublishingStatus | undefined) {
  if (!actor.isPublic) return asked;
  return asked === undefined || asked === 'published' ? ('published' as const) : ('none' as const);
}

/** How many living items a list has in a status, or in all. */
export async function countByStatus(
  db: Db,
  storeId: string,
  list: 'products.status' | 'categories.status' | 'pages.status',
  status?: PublishingStatus,
): Promise<number> {
  const counts = await listCounts(db, storeId, list);
  const counted: readonly string[] = status ? [status] : publishingStatuses;
  return counted.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
}

/** The status under which an item is counted; undefined once it is deleted. */
export function livingStatus({ status }: Published): PublishingStatus | undefined {
  return status === 'deleted' ? undefined : status;
}
