import { can } from '../../api/session.ts';
import type { Schemas, Scope } from '../../api/types.ts';

export type Import = Schemas['Import'];

/** What can be moved in and out, with the noun of its scopes. Orders only go out. */
const nouns = {
  products: 'product',
  categories: 'category',
  customers: 'customer',
  pages: 'page',
  orders: 'order',
} as const;
export type Resource = keyof typeof nouns;
export type Imported = Import['resource'];

export const words: Record<Resource, string> = {
  products: 'Products',
  categories: 'Categories',
  customers: 'Customers',
  pages: 'Pages',
  orders: 'Orders',
};

/** The resources that the key may read. */
export const readable = (): Resource[] => all().filter((one) => can(`${nouns[one]}.read` as Scope));

/** The resources that the key may import. */
export const writable = (): Imported[] =>
  all().filter((one): one is Imported => one !== 'orders' && can(`${nouns[one]}.write` as Scope));

const all = () => Object.keys(nouns) as Resource[];

/** Whether an import goes on by itself. */
export const isUnderWay = ({ status }: Import): boolean => ['waiting', 'running', 'interrupted'].includes(status);
