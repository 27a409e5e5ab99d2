import { type Context, collections, type Noun, nouns, type Scope } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import { type AnswerForm, created, item, list, nothing, productList } from './answers.ts';
import { type Route, route } from './router.ts';

type Resource = Extract<Scope, `${string}.delete`> extends `${infer Name}.delete` ? Name : never;

/** Operations of core on one kind of resource. Items and lists come as objects or as their stored text. */
interface Operations {
  list(ctx: Context, query: never): Promise<unknown>;
  create(ctx: Context, input: never): Promise<object>;
  read(ctx: Context, id: string, query: never): Promise<string | object>;
  update(ctx: Context, id: string, changes: never): Promise<object>;
  delete(ctx: Context, id: string): Promise<void>;
}

/** Names of a resource: in operation ids, in sentences, and of its schemas. */
interface Naming {
  /** `Product`: the schema of the resource; `ProductInput`, `ProductChanges` and `ProductQuery` belong to it. */
  schema: Capitalize<Noun> | 'Webhook' | 'Discount';
  /** `Products`, in operation ids such as `listProducts`. */
  plural: string;
  /** `a product`. */
  one: string;
  many: string;
  /** Whether the list can have other orders. */
  isSorted?: boolean;
  /** Consequences of its deletion. */
  deletion: string;
  /** Like a route's `mayLag`; applies to the list and the single item. */
  mayLag?: boolean;
  /** Like a route's `isKept`; applies to the list and the single item. */
  isKept?: boolean;
  details?: Details | undefined;
}

/** The single item and the list, if their answers can have more than the item. */
interface Details {
  query: SchemaName;
  answer: SchemaName;
  description: string;
  list: AnswerForm;
  /** Like a route's `repeats`, for both. */
  repeats: boolean;
}

const detailed: Partial<Record<Noun, Details>> = {
  product: {
    query: 'ProductDetailsQuery',
    answer: 'ProductDetails',
    description:
      'With `include`, the `ETag` is that of the whole answer. `If-Match` of a change takes the one of an answer without `include`.',
    list: productList,
    repeats: true,
  },
};

/** The five routes that every resource of a store has. */
export function crudRoutes(
  path: `/${string}`,
  resource: Resource,
  { schema, plural, one, many, isSorted = false, deletion, mayLag = false, isKept = false, details }: Naming,
  operations: Operations,
): readonly Route[] {
  const byId = `${path}/{id}` as const;
  return [
    route('GET', path, `${resource}.read`, {
      name: `list${plural}`,
      summary: `List ${many}, newest first${isSorted ? ' unless `sort` says otherwise' : ''}`,
      query: `${schema}Query`,
      ...(details && { repeats: details.repeats }),
      mayLag,
      isKept,
      answer: details?.list ?? list(schema),
      run: operations.list,
    }),
    route('POST', path, `${resource}.write`, {
      name: `create${schema}`,
      summary: `Create ${one}`,
      body: `${schema}Input`,
      errors: ['conflict'],
      answer: created(schema),
      run: operations.create,
    }),
    route('GET', byId, `${resource}.read`, {
      name: `get${schema}`,
      summary: `Get ${one}`,
      ...(details && { query: details.query, repeats: details.repeats, description: details.description }),
      mayLag,
      isKept,
      answer: item(details?.answer ?? schema),
      run: operations.read,
    }),
    route('PUT', byId, `${resource}.write`, {
      name: `update${schema}`,
      summary: `Change ${one}: absent fields keep their values, null clears an optional one`,
      body: `${schema}Changes`,
      errors: ['conflict'],
      answer: item(schema),
      run: operations.update,
    }),
    route('DELETE', byId, `${resource}.delete`, {
      name: `delete${schema}`,
      summary: `Delete ${one}${deletion}`,
      errors: ['conflict'],
      answer: nothing,
      run: operations.delete,
    }),
  ];
}

/** What buyers read again and again; the other resources are read by few. */
const keptNouns: ReadonlySet<Noun> = new Set(['product', 'category', 'page']);

/** The routes of a resource of core's list. */
export function collectionRoutes(noun: Noun): readonly Route[] {
  const { words, query, list, create, read, update, remove } = collections[noun];
  const { table } = nouns[noun];
  const naming = {
    schema: capitalised(noun) as Capitalize<Noun>,
    plural: capitalised(table),
    one: words.one,
    many: table,
    isSorted: 'sort' in query.shape,
    deletion: words.deletion ?? '',
    mayLag: true,
    isKept: keptNouns.has(noun),
    details: detailed[noun],
  };
  return crudRoutes(`/${table}`, noun, naming, { list, create, read, update, delete: remove });
}

/** `Pages` of `pages`. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
