import type { Page } from '../../api/types.ts';
import type { Product } from './values.ts';

/** A row of the list of products: a product, or a group of variants that folds out. */
export interface ProductRow {
  /** The product; of a group, the one that its row links to. */
  product: Product;
  /** The variants of a group, the oldest first. */
  members?: readonly Product[];
  isOpen?: boolean;
  /** Whether it is shown below its group. */
  isMember?: boolean;
}

/** Most products of a list that is folded. In a longer one, variants are rows. */
export const maxFolded = 1000;

/** One row for each product and each group of variants; the variants of an open group follow it. */
export function foldedRows(products: readonly Product[], open: ReadonlySet<string>): ProductRow[] {
  const groups = Map.groupBy(products, ({ id, variantGroupId }) => variantGroupId ?? id);
  return [...groups].flatMap(([group, found]): ProductRow[] => {
    const members = [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
    const [product] = members;
    if (!product) return [];
    if (members.length === 1) return [{ product }];
    const isOpen = open.has(group);
    const head = { product, members, isOpen };
    return isOpen ? [head, ...members.map((one) => ({ product: one, isMember: true }))] : [head];
  });
}

/** The variants that count in the row of their group: archived ones only if no others are left. */
export function countedOf(members: readonly Product[]): readonly Product[] {
  const sold = members.filter(({ status }) => status !== 'archived');
  return sold.length > 0 ? sold : members;
}

type Load = (window: { limit: number; offset: number }, signal: AbortSignal) => Promise<Page<Product>>;

/** The products of a folded list. All of them are loaded, because a group is only known with its last variant. */
export class FoldedProducts {
  #key: string | undefined;
  #products: Product[] | undefined;
  readonly #open = new Set<string>();

  /** The number of products, of which there are more than rows; undefined if the list is not folded. */
  get count(): number | undefined {
    return this.#products?.length;
  }

  /**
   * A page of rows. Products are loaded with the first page, and kept until `forget`.
   * @param key names the question: another one has other products
   */
  async page(
    key: string,
    window: { limit: number; offset: number },
    load: Load,
    signal: AbortSignal,
  ): Promise<Page<ProductRow>> {
    if (key !== this.#key) this.forget();
    const products = this.#products ?? (await loadAll(load, signal));
    if (products === undefined) {
      const page = await load(window, signal);
      return { items: page.items.map((product) => ({ product })), total: page.total };
    }
    this.#key = key;
    this.#products = products;
    const rows = foldedRows(products, this.#open);
    return { items: rows.slice(window.offset, window.offset + window.limit), total: rows.length };
  }

  toggle(group: string): void {
    if (!this.#open.delete(group)) this.#open.add(group);
  }

  /** Keeps a changed product. */
  replace(product: Product): void {
    this.#products = this.#products?.map((one) => (one.id === product.id ? product : one));
  }

  /** Loads the products again with the next page. */
  forget(): void {
    this.#products = undefined;
  }
}

/** All products; undefined if there are too many. */
async function loadAll(load: Load, signal: AbortSignal): Promise<Product[] | undefined> {
  const products: Product[] = [];
  for (let total = 1; products.length < total; ) {
    const page = await load({ limit: 200, offset: products.length }, signal);
    if (page.total > maxFolded) return undefined;
    if (page.items.length === 0) break;
    products.push(...page.items);
    total = page.total;
  }
  return products;
}
