import type { Context } from '../engine/context.ts';
import { type Entity, made, written } from '../fields/entity.ts';
import { choice, madeTimeOrNone, nullable, reference, slug, text } from '../fields/kinds.ts';
import type { PublishedTable } from '../kernel/nouns.ts';
import type { Db } from '../storage/storage.ts';
import { listCounts } from './counts.ts';

/** The statuses that a client can set; only a deletion sets `deleted`. */
export const publishingStatuses = ['draft', 'published', 'archived'] as const;
export type PublishingStatus = (typeof publishingStatuses)[number];

/**
 * The fields that products, categories and pages share.
 * @param exampleSlug for the OpenAPI document
 */
export function publishedFields(exampleSlug: string) {
  return {
    /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. */
    slug: written(slug(), {
      words:
        'Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind.',
      example: exampleSlug,
      required: true,
      public: true,
      csv: { isKept: true },
    }),
    /** Any change among draft, published and archived is allowed. `deleted` is set only by DELETE, and appears only in events. */
    status: written(choice(publishingStatuses, ['deleted']), {
      words:
        'Any change among draft, published and archived is allowed. `deleted` is set only by DELETE, and appears only in events.',
      example: 'published',
      input: { words: 'Defaults to `draft` on creation.', example: 'published' },
      initial: 'draft',
      public: true,
    }),
    /** Time of the first publication; never changes afterwards. */
    publishedAt: made(madeTimeOrNone, {
      words: 'Time of the first publication; never changes afterwards.',
      example: '2026-11-20T12:00:00.000Z',
      public: true,
    }),
  };
}

/** Fields for search engines, shared by products, categories and pages. */
export const seoFields = {
  /** The title for search engines. */
  seoTitle: written(nullable(text(255)), { words: 'The title for search engines.', public: true }),
  /** The description for search engines. */
  seoDescription: written(nullable(text(5000)), { words: 'The description for search engines.', public: true }),
  /** Keywords for search engines. */
  seoKeywords: written(nullable(text(5000)), { words: 'Keywords for search engines.', public: true }),
  /** The image shown with links to it, which might have been deleted. */
  seoImageId: written(nullable(reference('media')), {
    words: 'The image shown with links to it, which might have been deleted.',
    input: { words: 'The image shown with links to it; it must exist when it is added.' },
    public: true,
    csv: { name: 'seoImage', kind: 'image' },
  }),
};

/** An item with a slug and a status. */
export type Published = Entity<ReturnType<typeof publishedFields>>;

/** The status that filters a list for its reader; `none` if a public actor asks for a status that it cannot see. */
export function seenStatus({ actor }: Pick<Context, 'actor'>, asked: PublishingStatus | undefined) {
  if (!actor.isPublic) return asked;
  return asked === undefined || asked === 'published' ? ('published' as const) : ('none' as const);
}

/** The number of living items of a list, in one status or in all. */
export async function countByStatus(
  db: Db,
  storeId: string,
  list: `${PublishedTable}.status`,
  status?: PublishingStatus,
): Promise<number> {
  const counts = await listCounts(db, storeId, list);
  const counted: readonly string[] = status ? [status] : publishingStatuses;
  return counted.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
}

/** The status under which an item is counted; undefined if it is deleted. */
export function livingStatus({ status }: Published): PublishingStatus | undefined {
  return status === 'deleted' ? undefined : status;
}
