import type { TxContext } from '../engine/context.ts';
import type { EntityOf, GivenChanges, Printer, Shape } from '../fields/entity.ts';
import type { CommerceError } from '../kernel/errors.ts';
import type { CollectionTable, Noun } from '../kernel/nouns.ts';
import type { CountedList } from '../storage/tables/resources.ts';
import type { PublicView } from './items.ts';

/** Fields that every item of a collection has. */
export interface Item {
  id: string;
  createdAt: string;
  updatedAt: string;
}

/** A field that is unique in a store. */
export interface UniqueKey<T> {
  column: string;
  field: string;
  /** The value of the column; null if the item has none. */
  of(item: T): string | null;
  /** The value of the column for a given value of the field. The given value, if left out. */
  ofGiven?(value: string): string;
  /** Follows the value in messages; "already exists on another <noun>", if left out. */
  taken?: string;
}

/** Id and timestamps that an imported item keeps; clients cannot set them. */
export interface KeptFacts {
  id: string;
  createdAt?: string;
  updatedAt?: string;
  publishedAt?: string | null;
}

/** One row of a batch. */
export interface BulkRow {
  /** Fields of the resource; an absent one keeps the stored value. */
  input: Record<string, unknown>;
  /** Fields with texts by key that add to the stored ones; without this, they replace them. */
  adds?: readonly string[] | undefined;
  /** Fields that only a new item takes; an existing item ignores them. */
  onlyNew?: Record<string, unknown> | undefined;
  /** Refuses the row with this error, whatever its input. */
  refused?: CommerceError | undefined;
  /** For a new item, if the store has not used the id yet. */
  kept?: KeptFacts | undefined;
}

/** The result of one row of a batch. */
export type BulkOutcome =
  | {
      kind: 'created' | 'updated' | 'unchanged';
      id: string;
      /** What was written otherwise than the row says. */
      warnings: readonly { field: string; reason: string }[];
    }
  | { kind: 'refused'; error: CommerceError }
  | { kind: 'left' };

/** What is about to be written to one item. */
export interface Change<S extends Shape, T> {
  /** Undefined for a new item. */
  before: T | undefined;
  /** The valid fields of the input. */
  given: GivenChanges<S>;
  /** The input as it came, with fields that are not written. */
  input: Readonly<Record<string, unknown>>;
  isImport: boolean;
  /** The facts of another store that a new item takes over. */
  kept: KeptFacts | undefined;
  /** True if orders have moved the item's stock since it was last set, for resources with stock. */
  isMoved: boolean;
  /** Sets the stock even if orders have moved it. */
  overwriteStock: boolean;
  /** Notes what an import writes otherwise than its file says; absent outside of imports, which write nothing otherwise. */
  warn?(field: string, reason: string): void;
}

/** One written item. */
export interface Written<T> {
  /** Undefined for a new item. */
  before: T | undefined;
  /** Undefined for a deleted item. */
  after: T | undefined;
  /** The item's number in the search index, for resources that have one. */
  number: number;
  isMoved: boolean;
}

/** Describes how a resource is written, one item at a time or many: everything that its operations and its import share. */
export interface Kind<S extends Shape, T> {
  table: CollectionTable | 'discounts';
  /** `product`, in events, in the audit log and in messages. */
  noun: Noun | 'discount';
  entity: EntityOf<S> & Printer<T>;
  /** True if deleted items keep their row, with status `deleted`. */
  softDeleted: boolean;
  /** Emits no events. */
  isSilent?: true;
  /** Left out if public actors see nothing. */
  publicView?: PublicView<T>;
  keys: readonly UniqueKey<T>[];
  /** The count that lists show as `total`: its name, and the value that an item is counted under; undefined for not counted. */
  counted?: { list: CountedList; under(item: T): string | undefined };
  /** Items have a number in the search index, and know whether orders have moved their stock. */
  isNumbered?: true;
  /**
   * The item with what its fields alone do not say.
   * @param item the fields of the input over those of the stored or a new item
   * @throws CommerceError if the change is not allowed
   */
  complete?(tx: TxContext, item: T, change: Change<S, T>): T;
  /** After an allowed change: true if the stock still counts as moved by orders. */
  staysMoved?(before: T, change: Change<S, T>): boolean;
  /** What the row of an item notes of its changes, which no interface shows. */
  notes?: {
    column: string;
    /** The item after a change, with what follows from the notes, and the new notes. @param before empty for a new item */
    next(tx: TxContext, item: T, before: string): { item: T; notes: string };
  };
  /** Columns other than the store, the id, `number`, `shape`, `created_at` and `json`. */
  columns(item: T, isMoved: boolean): Record<string, unknown>;
  /** Writes the tables that lists read, other than the item's own row. */
  list?(tx: TxContext, written: readonly Written<T>[]): Promise<void>;
  /** Takes the locks that come before the locks of the items. */
  lock?(tx: TxContext, rows: readonly Pick<BulkRow, 'input' | 'kept'>[]): Promise<void>;
  /** @throws CommerceError `conflict` if the locked item cannot be deleted */
  checkDeletion?(tx: TxContext, item: T): Promise<void>;
  /** Fields that the audit log notes when an item is created or deleted. */
  audited?(item: T, action: 'created' | 'deleted'): Record<string, unknown>;
}
