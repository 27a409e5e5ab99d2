import type * as z from 'zod';
import { type Changes, type Entity, entity, type Input, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { nullable, requiredText, text } from '../fields/kinds.ts';
import { identity, stamps } from '../fields/stamps.ts';
import { maxSearch } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, oneOf, text as textRule } from '../kernel/parse.ts';
import { publishedFields, publishingStatuses, seoFields } from '../resources/publishing.ts';

const shape = {
  ...identity(exampleIds.page),
  /** The title of the page. */
  title: written(requiredText(255), {
    words: 'The title of the page.',
    example: 'Imprint',
    required: true,
    public: true,
  }),
  ...publishedFields('imprint'),
  /** Text or markup for the storefront, stored unchanged. */
  content: written(nullable(text(500_000)), {
    words: 'Text or markup for the storefront, stored unchanged.',
    example: '<p>Shop Ltd.</p>',
    public: true,
  }),
  ...seoFields,
  ...stamps,
};

export const pageEntity = entity(shape, {
  words: 'A page of content, such as an imprint.',
  create: {
    words: 'A new page.',
    example: { title: 'Imprint', slug: 'imprint', content: '<p>Shop Ltd.</p>', status: 'published' },
  },
  update: {
    words: 'Changes of a page: absent fields keep their values.',
    example: { content: '<p>Shop Ltd., London</p>' },
  },
});

/** A page of content, such as an imprint, as every interface answers it. */
export type Page = Entity<typeof shape>;
export type PageInput = Input<typeof shape>;
export type PageChanges = Changes<typeof shape>;

export const PageQuery = fields({
  ...paging,
  /** If omitted, pages of every status. */
  status: oneOf(publishingStatuses).optional().describe('If omitted, pages of every status.'),
  /** Exact. */
  slug: textRule(255).optional().describe('Exact.'),
  /** A substring of title or content, in any case; no character is a wildcard. */
  search: textRule(maxSearch)
    .optional()
    .describe('A substring of title or content, in any case; no character is a wildcard.'),
});
export type PageQueryInput = z.input<typeof PageQuery>;
