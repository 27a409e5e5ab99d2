import type * as z from 'zod';
import { fields, flag, oneOf, text } from '../parse.ts';
import type * as described from '../schemas/described.ts';
import { descriptionForms, repeatedSkus } from './options.ts';
import { importedResources } from './own.ts';
import { encodings } from './text.ts';

/** A switch in a query, where there are only texts. */
const switched = flag.or(
  oneOf(['true', 'false', '1', '0', 'yes', 'no']).transform((word) => ['true', '1', 'yes'].includes(word)),
);

/** What an import over HTTP may say in its query. */
export const ImportQuery = fields({
  resource: oneOf(importedResources).default('products'),
  format: oneOf(['csv', 'jsonl']).optional(),
  encoding: oneOf(encodings).optional(),
  match: oneOf(['slug', 'sku', 'id', 'email']).optional(),
  onError: oneOf(['stop', 'skip']).optional(),
  dryRun: switched.optional(),
  events: switched.optional(),
  images: switched.optional(),
  overwriteStock: switched.optional(),
  repeatedSku: oneOf(repeatedSkus).optional(),
  descriptions: oneOf(descriptionForms).optional(),
  /** JSON of our columns by those of the file. */
  map: text(10_000).optional(),
});
export type ImportQueryInput = described.ImportQueryInput & z.input<typeof ImportQuery>;
