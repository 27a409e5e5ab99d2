import { can } from '../../api/session.ts';
import type { Schemas, Scope } from '../../api/types.ts';
import { t } from '../../words/words.ts';

export type Import = Schemas['Import'];

/** Resources that can be imported and exported, with the noun of their scopes. Orders are only exported. */
const nouns = {
  products: 'product',
  categories: 'category',
  customers: 'customer',
  pages: 'page',
  orders: 'order',
} as const;
export type Resource = keyof typeof nouns;
export type Imported = Import['resource'];

export const words: Record<Resource, string> = t.transfer.resources;

/** The resources that the key may read. */
export const readable = (): Resource[] => all().filter((one) => can(`${nouns[one]}.read` as Scope));

/** The resources that the key may import. */
export const writable = (): Imported[] =>
  all().filter((one): one is Imported => one !== 'orders' && can(`${nouns[one]}.write` as Scope));

const all = () => Object.keys(nouns) as Resource[];

/** Whether an import continues without a user. */
export const isUnderWay = ({ status }: Import): boolean => ['waiting', 'running', 'interrupted'].includes(status);
