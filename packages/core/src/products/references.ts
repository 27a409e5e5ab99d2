import type { TxContext } from '../context.ts';
import { CommerceError, type ErrorDetail, quote } from '../errors.ts';
import type { Product } from './fields.ts';

/**
 * Checks that the ids a product newly names exist in its store. Ids it named before may dangle: media are deleted
 * without asking who shows them.
 * @throws CommerceError `validation` on the field
 */
export async function checkReferences(tx: TxContext, product: Product, before?: Product): Promise<void> {
  const details: ErrorDetail[] = [];
  const check = async (
    kind: 'category' | 'media',
    field: keyof Product,
    ids: readonly (string | null)[],
    had: readonly (string | null)[],
  ) => {
    const added = ids.filter((id): id is string => id !== null && !had.includes(id));
    if (added.length === 0) return;
    const found = await existing(tx, kind, added);
    for (const id of added) {
      if (!found.has(id)) details.push({ field, reason: `there is no ${kind} ${quote(id)} in this store` });
    }
  };
  await check('category', 'categoryIds', product.categoryIds, before?.categoryIds ?? []);
  await check('media', 'mediaIds', product.mediaIds, before?.mediaIds ?? []);
  await check('media', 'primaryMediaId', [product.primaryMediaId], [before?.primaryMediaId ?? null]);
  await check('media', 'seoImageId', [product.seoImageId], [before?.seoImageId ?? null]);
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
}

async function existing(tx: TxContext, kind: 'category' | 'media', ids: readonly string[]): Promise<Set<string>> {
  const rows =
    kind === 'category'
      ? await tx.db
          .selectFrom('categories')
          .select('id')
          .where('store_id', '=', tx.store.id)
          .where('id', 'in', ids)
          .where('status', '<>', 'deleted')
          .execute()
      : await tx.db
          .selectFrom('media')
          .select('id')
          .where('store_id', '=', tx.store.id)
          .where('id', 'in', ids)
          .execute();
  return new Set(rows.map((row) => row.id));
}
