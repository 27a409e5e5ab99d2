import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import type { EventType } from '../events/events.ts';
import type { Changes, EntityOf, GivenChanges, Input, Printer, Shape } from '../fields/entity.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { type Json, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { pendingCounts } from '../resources/counts.ts';
import { noteForFeeds } from '../resources/feed-version.ts';
import { checkReferences, type Reference } from '../resources/references.ts';
import { takeNumber } from '../resources/sequences.ts';
import { changedColumns, preparedChange, preparedInsert, preparedUpdate } from '../storage/prepared.ts';
import type { Items, Locked } from './items.ts';
import type { Change, Item, Kind, Written } from './kind.ts';

/** How one item is made, changed and recorded: the part that single operations and batches share. */
export function writingOf<S extends Shape, T extends Item>(kind: Kind<S, T>) {
  const { noun, counted } = kind;
  const entity: EntityOf<S> = kind.entity;
  const printer: Printer<T> = kind.entity;
  const named = Object.entries(entity.shape).flatMap(([field, { refersTo }]) =>
    refersTo ? [{ field, refersTo }] : [],
  );

  /** The ids that an item names, or the input of one, which can leave fields out. */
  function references(item: object, before: T | undefined): Reference[] {
    return named.map(({ field, refersTo }) => ({
      field,
      to: refersTo,
      ids: idsIn((item as Record<string, unknown>)[field]),
      before: idsIn((before as Record<string, unknown> | undefined)?.[field]),
    }));
  }

  /** The item after the change, still with its old timestamps. @throws CommerceError if the change is not allowed */
  function changed(tx: TxContext, change: Change<S, T>): T {
    const { before, given } = change;
    const item = printer.of(before ? { ...before, ...definedOnly(given) } : newItem(tx, change));
    return kind.complete ? kind.complete(tx, item, change) : item;
  }

  /** Fields of a new item: initial values, replaced by the given ones, and the id and times that the service sets. */
  function newItem(tx: TxContext, { given, kept }: Change<S, T>): T {
    const stated = { ...entity.initial, ...definedOnly(given) };
    return { ...stated, ...newlyMade(tx, (stated as { status?: unknown }).status), ...kept } as unknown as T;
  }

  /** The item with what follows from its notes, and the columns of them. */
  function noted(tx: TxContext, changed: T, before = ''): { item: T; notes: Record<string, string> } {
    if (!kind.notes) return { item: changed, notes: {} };
    const { item, notes } = kind.notes.next(tx, changed, before);
    return { item, notes: { [kind.notes.column]: notes } };
  }

  /**
   * The given fields of an import. Fields in `adds` have texts by key: they get the stored keys that are not given, too.
   * @throws CommerceError `validation` if a field then has too many keys
   */
  function withStoredKeys({ store }: TxContext, before: T, given: GivenChanges<S>, adds: readonly string[] = []) {
    const both = adds.flatMap((field) => {
      const texts = (given as Record<string, object | undefined>)[field];
      return texts ? [[field, { ...(before as unknown as Record<string, object>)[field], ...texts }]] : [];
    });
    if (both.length === 0) return given;
    return { ...given, ...(parse(entity.inputs(store.decimals).update, Object.fromEntries(both)) as GivenChanges<S>) };
  }

  /** The columns of a row but for the store, the id and `created_at`. */
  function columnsOf(item: T, isMoved: boolean): Record<string, unknown> {
    return { ...kind.columns(item, isMoved), shape: entity.shapeNumber };
  }

  /** Updates counts and everything else that lists read. */
  async function list(tx: TxContext, written: readonly Written<T>[]): Promise<void> {
    await kind.list?.(tx, written);
    noteForFeeds(tx, kind.table, written);
    if (!counted) return;
    for (const { before, after } of written) {
      pendingCounts(tx).move(counted.list, before && counted.under(before), after && counted.under(after));
    }
  }

  /** Emits the event of a change and adds it to the audit log. */
  function record(
    tx: TxContext,
    happened: 'created' | 'updated' | 'deleted',
    item: T,
    json: Json<T>,
    { events = true, before }: { events?: boolean; before?: T | undefined } = {},
  ): void {
    const action = `${noun}.${happened}` as const;
    if (events && !kind.isSilent) emit(tx, action as EventType, item.id, json);
    const changes = happened === 'updated' ? before && changedFields(before, item) : kind.audited?.(item, happened);
    audit(tx, { action, resourceType: noun, resourceId: item.id, ...(changes && { changes }) });
  }

  /** What the database says if another item has a unique value, in the words of the fields. */
  function uniqueRules(given: object): UniqueRules {
    return Object.fromEntries(
      kind.keys.map(({ column, field, taken = `already exists on another ${noun}` }) => [
        `${kind.table}.${column}`,
        { field, value: (given as Record<string, unknown>)[field], taken },
      ]),
    );
  }

  return { references, withStoredKeys, changed, touched, noted, columnsOf, list, record, uniqueRules };
}

export type Writing<S extends Shape, T extends Item> = ReturnType<typeof writingOf<S, T>>;

/** A locked item; a kind without numbers needs only the item. */
type Stored<T> = Pick<Locked<T>, 'item'> & Partial<Locked<T>>;

/** Operations on one item. */
export function singleOf<S extends Shape, T extends Item>(kind: Kind<S, T>, items: Items<T>, writing: Writing<S, T>) {
  const { table } = kind;
  const entity: EntityOf<S> = kind.entity;
  const insertRow = preparedInsert<Record<string, unknown>>(table);
  const updateRow = preparedUpdate<Record<string, unknown>>(table);
  const deleteRow = preparedChange<{ storeId: string; id: string }>((db, p) =>
    db.deleteFrom(table).where('store_id', '=', p('storeId')).where('id', '=', p('id')),
  );
  const single = { before: undefined, isImport: false, kept: undefined, isMoved: false, overwriteStock: false };

  /** A new item that is not stored yet. @param given valid fields */
  function make(tx: TxContext, given: GivenChanges<S>): T {
    return writing.changed(tx, { ...single, given, input: given });
  }

  /**
   * Like `create`, inside a transaction.
   * @param given valid fields
   * @param number for a kind with numbers
   */
  async function add(tx: TxContext, given: GivenChanges<S>, { events = true, number = 0 } = {}): Promise<T> {
    await kind.lock?.(tx, [{ input: given }]);
    const { item, notes } = writing.noted(tx, make(tx, given));
    await checkReferences(tx, writing.references(item, undefined));
    const json = toJson(item);
    const row = { store_id: tx.store.id, id: item.id, ...(kind.isNumbered && { number }) };
    await insertRow(tx.db, [{ ...row, ...writing.columnsOf(item, false), ...notes, created_at: tx.now, json }]);
    await writing.list(tx, [{ before: undefined, after: item, number, isMoved: false }]);
    writing.record(tx, 'created', item, json, { events });
    return item;
  }

  /** Writes a changed, locked item without an event. @returns its text, for events */
  async function write(
    tx: TxContext,
    { item: before, number = 0, isMoved: wasMoved = false }: Stored<T>,
    after: T,
    {
      isMoved = wasMoved,
      isListed = true,
      notes = {},
    }: { isMoved?: boolean; isListed?: boolean; notes?: Record<string, string> } = {},
  ): Promise<Json<T>> {
    const json = toJson(after);
    const columns = writing.columnsOf(after, isMoved);
    const changes = changedColumns(kind.columns(before, wasMoved), kind.columns(after, isMoved));
    await updateRow(
      tx.db,
      { store_id: tx.store.id, id: after.id },
      { ...changes, ...notes, shape: columns.shape, json },
    );
    await writing.list(tx, [{ before, after: isListed ? after : undefined, number, isMoved }]);
    return json;
  }

  /** Writes a changed, locked item, and records the change. */
  async function replace(
    tx: TxContext,
    before: Stored<T>,
    after: T,
    options?: { isMoved: boolean; notes?: Record<string, string> },
  ): Promise<void> {
    const json = await write(tx, before, after, options);
    writing.record(tx, 'updated', after, json, { before: before.item });
  }

  /** Like `remove`, inside a transaction. @returns the item before its deletion */
  async function removeIn(tx: TxContext, id: string): Promise<T> {
    const locked = await items.lockRow(tx, id);
    const { item, number, isMoved } = locked;
    await kind.checkDeletion?.(tx, item);
    if (kind.softDeleted) {
      const deleted = { ...item, status: 'deleted', updatedAt: toTimestamp(tx.now) };
      writing.record(tx, 'deleted', deleted, await write(tx, locked, deleted, { isListed: false }));
    } else {
      await deleteRow(tx.db, { storeId: tx.store.id, id });
      await writing.list(tx, [{ before: item, after: undefined, number, isMoved }]);
      writing.record(tx, 'deleted', item, toJson(item));
    }
    return item;
  }

  return {
    make,
    add,
    write,
    replace,
    removeIn,
    /** Creates an item. @throws CommerceError `validation`; `conflict` if another item has a unique value */
    async create(ctx: Context, input: Input<S>): Promise<T> {
      const given = parse(entity.inputs(ctx.store.decimals).create, input) as GivenChanges<S>;
      const number = kind.isNumbered ? await takeNumber(ctx, 'products') : 0;
      return transact(ctx, (tx) => add(tx, given, { number }), writing.uniqueRules(given));
    },
    /**
     * Changes the given fields of an item; nothing is written or told if that changes nothing.
     * @throws CommerceError `validation`, `notFound`; `conflict` if another item has a unique value
     */
    async update(ctx: Context, id: string, input: Changes<S>): Promise<T> {
      const given = parse(entity.inputs(ctx.store.decimals).update, input) as GivenChanges<S>;
      return transact(
        ctx,
        async (tx) => {
          await kind.lock?.(tx, [{ input: given, kept: { id } }]);
          const locked = await items.lockRow(tx, id);
          const { item: before, isMoved } = locked;
          const change = { ...single, before, given, input, isMoved };
          const merged = writing.changed(tx, change);
          if (Object.keys(changedFields(before, merged)).length === 0) return before;
          await checkReferences(tx, writing.references(merged, before));
          const { item, notes } = writing.noted(tx, writing.touched(tx, before, merged), locked.notes);
          await replace(tx, locked, item, { isMoved: kind.staysMoved?.(before, change) ?? isMoved, notes });
          return item;
        },
        writing.uniqueRules(given),
      );
    },
    /** Deletes an item. @throws CommerceError `notFound`; `conflict` if it cannot be deleted */
    async remove(ctx: Context, id: string): Promise<void> {
      await transact(ctx, (tx) => removeIn(tx, id));
    },
  };
}

function idsIn(value: unknown): (string | null)[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as string | null];
}

/** The fields that the service sets on a new item. An item without a status does not keep the time of publication. */
function newlyMade(tx: TxContext, status: unknown) {
  const now = toTimestamp(tx.now);
  return {
    id: tx.engine.ids.next(tx.now),
    storeId: tx.store.id,
    publishedAt: status === 'published' ? now : null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The changed item with the times that the change sets. */
function touched<T extends Item & { status?: string; publishedAt?: string | null }>(
  tx: TxContext,
  before: T,
  after: T,
): T {
  const now = toTimestamp(tx.now);
  if (before.publishedAt === undefined) return { ...after, updatedAt: now };
  const publishedAt = before.publishedAt ?? (after.status === 'published' ? now : null);
  return { ...after, publishedAt, updatedAt: now };
}
