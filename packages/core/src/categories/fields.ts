import type * as z from 'zod';
import { maxSearch } from '../limits.ts';
import { paging } from '../paging.ts';
import { fields, oneOf, requiredText, text } from '../parse.ts';
import { type Published, publishedDefaults, publishedFields, publishingStatuses } from '../resources/publishing.ts';
import type * as described from '../schemas/described.ts';

/** A category as every interface answers it. */
export interface Category extends Published {
  id: string;
  storeId: string;
  name: string;
  description: string | null;
  /** Null for a root. */
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

export const CategoryChangeFields = fields({
  name: requiredText(255),
  ...publishedFields,
  description: text(100_000).nullable(),
  parentId: text(64, 1).nullable(),
}).partial();
export type CategoryChanges = described.CategoryChanges & z.input<typeof CategoryChangeFields>;

export const CategoryFields = CategoryChangeFields.required({ name: true, slug: true });
export type CategoryInput = described.CategoryInput & z.input<typeof CategoryFields>;

/** Values of a new category for the fields that its input leaves out. */
export const categoryDefaults = { ...publishedDefaults, description: null, parentId: null } as const;

export const CategoryQuery = fields({
  ...paging,
  status: oneOf(publishingStatuses).optional(),
  slug: text(255).optional(),
  /** Null, also as the text `null`, selects the roots. */
  parentId: text(64)
    .nullable()
    .transform((parentId) => (parentId === 'null' ? null : parentId))
    .optional(),
  /** A substring of name or description, in any case; no character is a wildcard. */
  search: text(maxSearch).optional(),
});
export type CategoryQueryInput = described.CategoryQueryInput & z.input<typeof CategoryQuery>;
