import { bulkOf, missingFields } from '../bulk/bulk.ts';
import type { TxContext } from '../context.ts';
import { writeMediaUses } from '../media/uses.ts';
import { definedOnly, parse } from '../parse.ts';
import { pendingCounts } from '../resources/counts.ts';
import { changedNow, livingStatus, newlyMade, publishedDefaults } from '../resources/publishing.ts';
import { type Page, PageChangeFields, type PageChanges, pageColumns, toPage } from './pages.ts';

/** Creates and changes many pages in one transaction, by the rules of `createPage` and `updatePage`. */
export const importPages = bulkOf<Page>({
  table: 'pages',
  noun: 'page',
  softDeleted: true,
  keys: [{ column: 'slug', field: 'slug', of: ({ slug }) => slug, ofInput: ({ slug }) => slug as string | undefined }],
  parse: (_ctx, input) => parse(PageChangeFields, input),
  create(tx, given, kept) {
    const { title, slug, ...optional } = given as PageChanges;
    if (title === undefined || slug === undefined) throw missingFields({ title, slug });
    const stated = { ...publishedDefaults, content: null, ...definedOnly(optional) };
    return toPage({ ...stated, ...newlyMade(tx, stated.status), ...kept, title, slug });
  },
  merge: (_tx, before, given) => toPage({ ...before, ...(definedOnly(given) as Partial<Page>) }),
  touch: (tx, before, merged) => changedNow(tx, before, merged),
  references: (page, before) => [
    { field: 'seoImageId', to: 'media', ids: [page.seoImageId], before: [before?.seoImageId ?? null] },
  ],
  columns: pageColumns,
  changed: ['status', 'slug', 'search'],
  async list(tx: TxContext, written) {
    await writeMediaUses(tx, written);
    for (const { before, after } of written) {
      pendingCounts(tx).move('pages.status', before && livingStatus(before), livingStatus(after));
    }
  },
});
