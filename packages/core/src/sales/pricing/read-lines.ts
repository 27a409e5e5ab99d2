import { sql } from 'kysely';
import { CommerceError, detailOf, type ErrorKind, maxDetails, type ProblemCode } from '../../kernel/errors.ts';
import { type Product, productEntity } from '../../products/fields.ts';
import { preparedPerLength } from '../../storage/prepared.ts';
import type { Db } from '../../storage/storage.ts';
import type { CartLine, Problem } from './cart.ts';

const living = (db: Db, storeId: string) =>
  db
    .selectFrom('products')
    .select('json')
    .where('store_id', '=', storeId)
    // A literal, as in the condition of the index of SKUs.
    .where('status', '<>', sql.lit('deleted'));

const productsById = preparedPerLength<{ storeId: string }, { json: string }>((db, p, ids) =>
  living(db, p('storeId')).where('id', 'in', ids),
);

const productsBySku = preparedPerLength<{ storeId: string }, { json: string }>((db, p, skus) =>
  living(db, p('storeId')).where('sku', 'in', skus),
);

/** A line of an input. */
interface AskedLine {
  productId?: string | undefined;
  sku?: string | undefined;
  quantity: number;
  lineDiscount?: string | undefined;
}

/**
 * The lines of an input with their products, in its order.
 * @param publishedOnly treats unpublished products as if they did not exist
 */
export async function readLines(
  db: Db,
  storeId: string,
  lines: readonly AskedLine[],
  publishedOnly: boolean,
): Promise<CartLine[]> {
  const ids = lines.flatMap((line) => line.productId ?? []);
  const skus = lines.flatMap((line) => line.sku ?? []);
  // By two indexes: with one condition for both, every product would be looked at.
  const rows = [
    ...(ids.length > 0 ? await productsById(db, { storeId }, ids) : []),
    ...(skus.length > 0 ? await productsBySku(db, { storeId }, skus) : []),
  ];
  const products = rows
    .map((row) => productEntity.read(row.json))
    .filter(({ status }) => !publishedOnly || status === 'published');
  const byId = new Map<string | null | undefined, Product>(products.map((product) => [product.id, product]));
  const bySku = new Map<string | null | undefined, Product>(
    products.filter(({ sku }) => sku !== null).map((product) => [product.sku, product]),
  );
  return lines.map(({ productId, sku, quantity, lineDiscount }) => {
    const named =
      productId === undefined ? ({ by: 'sku', value: sku } as const) : ({ by: 'productId', value: productId } as const);
    const product = (named.by === 'sku' ? bySku : byId).get(named.value) ?? null;
    return { ...named, quantity, lineDiscount, product };
  });
}

/** The kinds of errors of problems that no change of the input repairs. */
const kinds: Partial<Record<ProblemCode, ErrorKind>> = {
  DISCOUNT_USED_UP: 'discountUsedUp',
  INSUFFICIENT_STOCK: 'insufficientStock',
};

/**
 * Refuses a cart with problems.
 * @throws CommerceError `validation`, `discountUsedUp`, `insufficientStock` or `conflict`, as the first problem says, with a detail for each
 */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first] = problems;
  if (!first) return;
  const { code, field, message, reason } = first;
  const kind = reason === undefined ? (kinds[code] ?? 'validation') : 'conflict';
  const details = problems.slice(0, maxDetails).map((one) => detailOf(one.field, one.message, one));
  const text = kind === 'validation' ? `${field}: ${message}` : message;
  throw new CommerceError(kind, text, { details, ...(reason && { reason }) });
}
