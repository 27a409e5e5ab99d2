import type * as z from 'zod';
import type { Context } from '../engine/context.ts';
import type { AnyEntity } from '../fields/entity.ts';
import type { Json, List } from '../kernel/json.ts';
import type { BulkOptions } from './bulk.ts';
import type { BulkOutcome, BulkRow } from './kind.ts';

/** The words of the document about a resource. */
interface Words {
  /** `a page`. */
  one: string;
  /** The description of its operations. */
  description: string;
  /** Follows `Delete a page` if a deletion has consequences. */
  deletion?: string;
}

/** A resource of `collections.ts`, as import, export, schemas and routes use it. */
export interface Resource {
  readonly entity: AnyEntity;
  /** The filters of its list. */
  readonly query: z.ZodObject;
  /** Its unique fields; the first one finds the item of an imported row. */
  readonly keys: readonly { readonly field: string }[];
  /** The field from which a slug is made for a row without one. */
  readonly named?: string;
  readonly words: Words;
  list(ctx: Context, query: never): Promise<Json<List<unknown>>>;
  read(ctx: Context, id: string, query?: never): Promise<Json<unknown>>;
  create(ctx: Context, input: never): Promise<object>;
  update(ctx: Context, id: string, changes: never): Promise<object>;
  remove(ctx: Context, id: string): Promise<void>;
  importRows(ctx: Context, rows: readonly BulkRow[], options: BulkOptions): Promise<BulkOutcome[]>;
}
