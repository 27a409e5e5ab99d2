// Moves the catalogue of another shop into a store, page by page. It can be run again: what has not changed is not written.
import { type Context, type ImportRow, importRows } from '@commerce/core';

/** A product as the other shop's interface answers it. */
export interface Foreign {
  code: string;
  name: string;
  /** In minor units. */
  cents: number;
  inStock: number | null;
  group: string;
  photos: string[];
  online: boolean;
}

/** Answers a page of the other shop's products; none after the last one. */
export type ReadPage = (page: number) => Promise<readonly Foreign[]>;

export interface Result {
  created: number;
  updated: number;
  unchanged: number;
  /** What was refused, with the code of its product. */
  refused: string[];
}

export async function migrate(shop: Context, readPage: ReadPage): Promise<Result> {
  /** The code of each row, because problems name rows by their number. */
  const codes: string[] = [];
  async function* rows(): AsyncGenerator<ImportRow<'products'>> {
    for (let page = 1; ; page++) {
      const products = await readPage(page);
      if (products.length === 0) return;
      for (const product of products) {
        codes.push(product.code);
        yield rowOf(product);
      }
    }
  }
  const { created, updated, unchanged, problems } = await importRows(shop, 'products', rows(), {
    match: 'sku',
    onError: 'skip',
  });
  return {
    ...{ created, updated, unchanged },
    refused: problems.map(({ line, column, reason }) => `${codes[line - 1]}: ${column ?? 'product'} ${reason}`),
  };
}

function rowOf({ code, name, cents, inStock, group, photos, online }: Foreign): ImportRow<'products'> {
  return {
    sku: code,
    slug: slugOf(`${name} ${code}`),
    title: name,
    // A decimal string, never a float.
    price: `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    status: online ? 'published' : 'draft',
    trackStock: inStock !== null,
    ...(inStock !== null && { stock: inStock }),
    categories: [group],
    images: photos.map((url) => ({ url })),
  };
}

function slugOf(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .toLowerCase();
  return plain
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
}
