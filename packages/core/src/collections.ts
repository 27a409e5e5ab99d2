import { categoryResource } from './categories/categories.ts';
import type { Resource } from './collection/resource.ts';
import { customerResource } from './customers/customers.ts';
import type { Entity } from './fields/entity.ts';
import type { Noun } from './kernel/nouns.ts';
import { pageResource } from './pages/pages.ts';
import { productResource } from './products/products.ts';

const all = {
  product: productResource,
  customer: customerResource,
  category: categoryResource,
  page: pageResource,
} as const satisfies Record<Noun, Resource>;

/** An item of a resource. */
export type ItemOf<N extends Noun> = Entity<(typeof all)[N]['entity']['shape']>;

/** What a new item of a resource is made of. */
export type InputOf<N extends Noun> = Parameters<(typeof all)[N]['create']>[1];

/** The operations and fields of every resource of `kernel/nouns.ts`. */
export const collections: Readonly<Record<Noun, Resource>> = all;
