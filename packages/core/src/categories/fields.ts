import type * as z from 'zod';
import { type Changes, type Entity, entity, type Input, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { nullable, reference, requiredText, text } from '../fields/kinds.ts';
import { metadata } from '../fields/metadata.ts';
import { identity, stamps } from '../fields/stamps.ts';
import { maxSearch } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, oneOf, text as textRule } from '../kernel/parse.ts';
import { publishedFields, publishingStatuses, seoFields } from '../resources/publishing.ts';

const shape = {
  ...identity(exampleIds.category),
  /** The name shown to customers. */
  name: written(requiredText(255), {
    words: 'The name shown to customers.',
    example: 'Mugs',
    required: true,
    public: true,
  }),
  ...publishedFields('mugs'),
  /** Text or markup, stored unchanged. */
  description: written(nullable(text(100_000)), { words: 'Text or markup, stored unchanged.', public: true }),
  /** The parent category; null for a root category. There are two levels. */
  parentId: written(nullable(reference()), {
    words: 'The parent category; null for a root category. There are two levels.',
    public: true,
    csv: { name: 'parent', kind: 'parent' },
  }),
  ...seoFields,
  ...metadata,
  ...stamps,
};

export const categoryEntity = entity(shape, {
  words: 'A category of products.',
  create: { words: 'A new category.', example: { name: 'Mugs', slug: 'mugs', status: 'published' } },
  update: { words: 'Changes of a category: absent fields keep their values.', example: { name: 'Mugs and cups' } },
});

/** A category as all interfaces answer it. */
export type Category = Entity<typeof shape>;
export type CategoryInput = Input<typeof shape>;
export type CategoryChanges = Changes<typeof shape>;

export const CategoryQuery = fields({
  ...paging,
  /** If omitted, categories of every status. */
  status: oneOf(publishingStatuses).optional().describe('If omitted, categories of every status.'),
  /** Exact. */
  slug: textRule(255).optional().describe('Exact.'),
  /** The children of a category; `null` for root categories. */
  parentId: textRule(64)
    .nullable()
    .transform((parentId) => (parentId === 'null' ? null : parentId))
    .optional()
    .describe('The children of a category; `null` for root categories.'),
  /** A substring of name or description, in any case; no character is a wildcard. */
  search: textRule(maxSearch)
    .optional()
    .describe('A substring of name or description, in any case; no character is a wildcard.'),
});
export type CategoryQueryInput = z.input<typeof CategoryQuery>;
