import { metadataFilterRule } from '../fields/metadata.ts';
import { maxTag } from '../kernel/limits.ts';
import { text } from '../kernel/parse.ts';

/** Begins the name of a parameter that names a key of metadata. */
export const metadataPrefix = 'metadata.';

export const metadataFilter = {
  /** Keys of metadata with the exact values that an item must have, all of them. In a URL each is a parameter, as in `metadata.erp.id=4711`. Rejected for storefront keys. */
  metadata: metadataFilterRule
    .optional()
    .describe(
      'Keys of metadata with the exact values that an item must have, all of them. In a URL each is a parameter, as in `metadata.erp.id=4711`. Rejected for storefront keys.',
    ),
};

export const tagFilter = {
  /** Items with this tag. */
  tag: text(maxTag).trim().optional().describe('Items with this tag.'),
};

/** A query with its keys of metadata in one place: `metadata.<key>`, as in a URL, is the value of that key. */
export function withMetadata(given: object): Record<string, unknown> {
  const entries = Object.entries(given);
  const isNamed = ([name]: [string, unknown]) => name.startsWith(metadataPrefix);
  // A text is not a filter, but a parameter without a meaning.
  const isFilter = ([name, value]: [string, unknown]) => name !== 'metadata' || typeof value === 'object';
  const named = entries.filter(isNamed).map(([name, value]) => [name.slice(metadataPrefix.length), value]);
  if (named.length === 0 && entries.every(isFilter)) return { ...given };
  const query = Object.fromEntries(entries.filter((entry) => !isNamed(entry) && isFilter(entry)));
  if (named.length === 0) return query;
  return { ...query, metadata: Object.fromEntries([...Object.entries(query.metadata ?? {}), ...named]) };
}
