import type * as z from 'zod';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { itemsOf, readNewest } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { fromJson, type Json, type List, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { countUpTo } from '../resources/bounded.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import { shareRows } from '../storage/locks.ts';
import { snapshotOrScan } from '../storage/run.ts';
import { foldText, foldTexts } from '../storage/storage.ts';
import { changeAddresses, emptyBook } from './addresses.ts';
import {
  type Customer,
  type CustomerChanges,
  type CustomerContact,
  type CustomerInput,
  CustomerQuery,
  type CustomerQueryInput,
  customerEntity,
} from './fields.ts';

export const customers = itemsOf<Customer>('customers', 'customer', false, { entity: customerEntity });

/**
 * Creates a customer; `email` is required. Emits `customer.created`.
 * @throws CommerceError `validation`; `conflict` if another customer has the e-mail
 */
export async function createCustomer(ctx: Context, input: CustomerInput): Promise<Customer> {
  const given = parse(customerEntity.inputs().create, input);
  return transact(
    ctx,
    async (tx) => {
      const customer = newCustomer(tx, { ...given, ...changeAddresses(tx, emptyBook, given) });
      const json = toJson(customer);
      await tx.db
        .insertInto('customers')
        .values({ store_id: tx.store.id, id: customer.id, ...customerColumns(customer), created_at: tx.now, json })
        .execute();
      recordCreated(tx, customer, json);
      return customer;
    },
    uniqueEmail(given.email),
  );
}

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one. `addresses` replace the whole list. Emits
 * `customer.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` if another customer has the e-mail
 */
export async function updateCustomer(ctx: Context, id: string, input: CustomerChanges): Promise<Customer> {
  const given = parse(customerEntity.inputs().update, input);
  return transact(
    ctx,
    async (tx) => {
      const before = await customers.lock(tx, id);
      const merged = customerEntity.of({ ...before, ...definedOnly(given), ...changeAddresses(tx, before, given) });
      const changes = changedFields(before, merged);
      if (Object.keys(changes).length === 0) return before;
      const customer: Customer = { ...merged, updatedAt: toTimestamp(tx.now) };
      emit(tx, 'customer.updated', id, await writeCustomer(tx, customer));
      audit(tx, { action: 'customer.updated', resourceType: 'customer', resourceId: id, changes });
      return customer;
    },
    uniqueEmail(given.email),
  );
}

/**
 * Deletes a customer for good; the e-mail is free again. Emits `customer.deleted` with the last state.
 * @throws CommerceError `notFound`; `conflict` if the customer has orders
 */
export async function deleteCustomer(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const customer = await customers.lock(tx, id);
    const orders = await countOrdersOf(tx, id);
    if (orders !== 0) {
      const some =
        orders === undefined ? `more than ${maxCountedOrders} orders` : orders === 1 ? '1 order' : `${orders} orders`;
      throw new CommerceError(
        'conflict',
        `the customer has ${some} and cannot be deleted; anonymise the customer instead`,
      );
    }
    await tx.db.deleteFrom('customers').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    pendingCounts(tx).add('customers', '', -1);
    emit(tx, 'customer.deleted', id, toJson(customer));
    audit(tx, { action: 'customer.deleted', resourceType: 'customer', resourceId: id });
  });
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's customer */
export const getCustomerJson = customers.read;

/** Like `getCustomerJson`, for use inside an application. */
export async function getCustomer(ctx: Context, id: string): Promise<Customer> {
  return fromJson(await getCustomerJson(ctx, id));
}

/**
 * A page of the store's customers, newest first, with the exact number of matching customers.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listCustomersJson(ctx: Context, query: CustomerQueryInput = {}): Promise<Json<List<Customer>>> {
  refusePublic(ctx);
  const { email, search, ...window } = parse(CustomerQuery, query);
  const { storage } = ctx.engine;
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const ofStore = db.selectFrom('customers').where('store_id', '=', ctx.store.id);
    const among = email ? ofStore.where('email', '=', comparable(email)) : ofStore;
    const count = email ? undefined : ((await listCounts(db, ctx.store.id, 'customers')).get('') ?? 0);
    const matches = search ? among.where((eb) => storage.containsText(eb.ref('search'), foldText(search))) : among;
    return readNewest<Customer>(db, { among, count, matches }, window, maxRows, customerEntity);
  });
}

/** Like `listCustomersJson`, for use inside an application. */
export async function listCustomers(ctx: Context, query: CustomerQueryInput = {}): Promise<List<Customer>> {
  return fromJson(await listCustomersJson(ctx, query));
}

/**
 * The customer with that e-mail, created if necessary. An existing customer is not changed, because a checkout form must not overwrite the
 * shop's own data. The customer cannot be deleted until the transaction ends. Emits `customer.created` for a new customer.
 */
export async function findOrCreateCustomer(
  tx: TxContext,
  contact: z.output<typeof CustomerContact>,
): Promise<Customer> {
  const customer = newCustomer(tx, contact);
  const json = toJson(customer);
  const row = customerColumns(customer);
  for (;;) {
    const inserted = await tx.db
      .insertInto('customers')
      .values({ store_id: tx.store.id, id: customer.id, ...row, created_at: tx.now, json })
      .onConflict((conflict) => conflict.columns(['store_id', 'email']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) {
      recordCreated(tx, customer, json);
      return customer;
    }
    const existing = await shareRows(
      tx.db,
      tx.db.selectFrom('customers').select('json').where('store_id', '=', tx.store.id).where('email', '=', row.email),
    ).executeTakeFirst();
    // Not found if the conflicting customer has just been deleted; the next insert succeeds.
    if (existing) return customerEntity.read(existing.json);
  }
}

/** The customer with that id, who cannot be deleted until the transaction ends; undefined if the store has none. */
export async function findCustomer(tx: TxContext, id: string): Promise<Customer | undefined> {
  const row = await shareRows(
    tx.db,
    tx.db.selectFrom('customers').select('json').where('store_id', '=', tx.store.id).where('id', '=', id),
  ).executeTakeFirst();
  return row && customerEntity.read(row.json);
}

/** Writes a changed, locked customer. @returns its JSON text, for events */
export async function writeCustomer(tx: TxContext, customer: Customer): Promise<Json<Customer>> {
  const json = toJson(customer);
  await tx.db
    .updateTable('customers')
    .set({ ...customerColumns(customer), json })
    .where('store_id', '=', tx.store.id)
    .where('id', '=', customer.id)
    .execute();
  return json;
}

export function newCustomer(
  tx: TxContext,
  given: Pick<Customer, 'email'> & { [K in keyof Customer]?: Customer[K] | undefined },
): Customer {
  const now = toTimestamp(tx.now);
  return customerEntity.of({
    ...customerEntity.initial,
    ...definedOnly(given),
    email: given.email,
    id: tx.engine.ids.next(tx.now),
    storeId: tx.store.id,
    createdAt: now,
    updatedAt: now,
  });
}

function recordCreated(tx: TxContext, customer: Customer, json: Json<Customer>): void {
  pendingCounts(tx).add('customers', '', 1);
  emit(tx, 'customer.created', customer.id, json);
  audit(tx, { action: 'customer.created', resourceType: 'customer', resourceId: customer.id });
}

export function customerColumns({ email, name, phone }: Customer) {
  return { email: comparable(email), search: foldTexts(email, name, phone), shape: customerEntity.shapeNumber };
}

/** An e-mail address in the form in which it is compared and must be unique. */
export function comparable(email: string): string {
  return email.trim().toLowerCase();
}

function uniqueEmail(email: string | undefined): UniqueRules {
  return { 'customers.email': { field: 'email', value: email, taken: 'already exists on another customer' } };
}

/** Number of the customer's orders; undefined if there are more than `maxCountedOrders`. */
async function countOrdersOf(tx: TxContext, customerId: string): Promise<number | undefined> {
  const orders = tx.db.selectFrom('orders').where('store_id', '=', tx.store.id).where('customer_id', '=', customerId);
  return countUpTo(tx.db, orders, maxCountedOrders);
}

/** Maximum number of a customer's orders that are counted for a message. */
const maxCountedOrders = 1000;
