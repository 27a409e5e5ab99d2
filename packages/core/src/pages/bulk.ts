import { bulkOf, requireFields } from '../collection/bulk.ts';
import type { TxContext } from '../engine/context.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { writeMediaUses } from '../media/uses.ts';
import { pendingCounts } from '../resources/counts.ts';
import { changedNow, livingStatus, newlyMade } from '../resources/publishing.ts';
import { type Page, pageEntity } from './fields.ts';
import { pageColumns } from './pages.ts';

/** Creates and changes many pages in one transaction, by the rules of `createPage` and `updatePage`. */
export const importPages = bulkOf<Page>({
  table: 'pages',
  noun: 'page',
  softDeleted: true,
  entity: pageEntity,
  keys: [{ column: 'slug', field: 'slug', of: ({ slug }) => slug, ofInput: ({ slug }) => slug as string | undefined }],
  parse: (_ctx, input) => parse(pageEntity.inputs().update, input),
  create(tx, given, kept) {
    requireFields(pageEntity, given);
    const stated = { ...pageEntity.initial, ...definedOnly(given) };
    return pageEntity.of({ ...stated, ...newlyMade(tx, stated.status), ...kept });
  },
  merge: (_tx, before, given) => pageEntity.of({ ...before, ...(definedOnly(given) as Partial<Page>) }),
  touch: (tx, before, merged) => changedNow(tx, before, merged),
  references: (page, before) => [
    { field: 'seoImageId', to: 'media', ids: [page.seoImageId], before: [before?.seoImageId ?? null] },
  ],
  columns: pageColumns,
  changed: ['status', 'slug', 'search', 'shape'],
  async list(tx: TxContext, written) {
    await writeMediaUses(tx, written);
    for (const { before, after } of written) {
      pendingCounts(tx).move('pages.status', before && livingStatus(before), livingStatus(after));
    }
  },
});
