import type { SelectQueryBuilder } from 'kysely';
import type * as z from 'zod';
import { collectionOf } from '../collection/collection.ts';
import { readSorted } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { foldText, foldTexts, searchWords } from '../kernel/fold.ts';
import { isId } from '../kernel/ids.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { formatMoney, minorColumn } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { writeLabels } from '../labels/labels.ts';
import { having, labelsAsked, rarest, readLabelled } from '../labels/list.ts';
import { withMetadata } from '../labels/query.ts';
import { countUpTo, newestFirst, type Place, type Sorting } from '../resources/bounded.ts';
import { listCounts } from '../resources/counts.ts';
import { keepRows } from '../storage/locks.ts';
import { prepared, preparedInsertNew } from '../storage/prepared.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import type { CustomerTable } from '../storage/tables/customers.ts';
import { changeAddresses, emptyBook, importedAddresses } from './addresses.ts';
import {
  type Customer,
  type CustomerChanges,
  type CustomerContact,
  type CustomerInput,
  CustomerQuery,
  type CustomerQueryInput,
  type CustomerSort,
  customerEntity,
} from './fields.ts';

export const customers = collectionOf(customerEntity, {
  table: 'customers',
  noun: 'customer',
  softDeleted: false,
  keys: [{ column: 'email', field: 'email', of: ({ email }) => comparable(email), ofGiven: comparable }],
  counted: { list: 'customers', under: () => '' },
  complete(tx, customer, { before, given, input, isImport, kept }) {
    const book = isImport
      ? importedAddresses(tx, before, given, input.addresses, kept !== undefined)
      : changeAddresses(tx, before ?? emptyBook, given);
    return { ...customer, ...book, totalSpent: before?.totalSpent ?? formatMoney(0n, tx.store.decimals) };
  },
  columns,
  async list(tx, written) {
    await writeLabels(tx, 'customers', written);
  },
  async checkDeletion(tx, { id }) {
    const orders = await countOrdersOf(tx, id);
    if (orders === 0) return;
    const some =
      orders === undefined ? `more than ${maxCountedOrders} orders` : orders === 1 ? '1 order' : `${orders} orders`;
    throw new CommerceError(
      'conflict',
      `the customer has ${some} and cannot be deleted; anonymise the customer instead`,
      { reason: 'customerHasOrders' },
    );
  },
});

type Columns = Pick<CustomerTable, 'email' | 'search' | 'name_key' | 'order_count' | 'total_spent'>;

function columns({ email, name, phone, orderCount, totalSpent }: Customer): Columns {
  return {
    email: comparable(email),
    search: foldTexts(email, name, phone),
    // An index of PostgreSQL cannot hold a long text.
    name_key: [...foldText(name?.trim() || email.trim())].slice(0, maxNameKey).join(''),
    order_count: orderCount,
    total_spent: minorColumn(totalSpent),
  };
}

/** A sorted list compares this many characters of each name. */
const maxNameKey = 100;

/**
 * Creates a customer; `email` is required. Emits `customer.created`.
 * @throws CommerceError `validation`; `conflict` if another customer has the e-mail
 */
export const createCustomer = (ctx: Context, input: CustomerInput): Promise<Customer> => customers.create(ctx, input);

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one. `addresses` replace the whole list. Emits
 * `customer.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` if another customer has the e-mail
 */
export const updateCustomer = (ctx: Context, id: string, input: CustomerChanges): Promise<Customer> =>
  customers.update(ctx, id, input);

/**
 * Deletes a customer for good; the e-mail is free again. Emits `customer.deleted` with the last state.
 * @throws CommerceError `notFound`; `conflict` if the customer has orders
 */
export const deleteCustomer = (ctx: Context, id: string): Promise<void> => customers.remove(ctx, id);

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's customer */
export const getCustomerJson = customers.read;

/** Like `getCustomerJson`, for use inside an application. */
export const getCustomer = parsed(getCustomerJson);

/**
 * A page of the store's customers, with the exact number of matching customers. `after` is the id of the last customer of the previous page;
 * `offset` counts from there.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listCustomersJson(ctx: Context, query: CustomerQueryInput = {}): Promise<Json<List<Customer>>> {
  refusePublic(ctx);
  const { email, search, sort, after, metadata, tag, ...window } = parse(CustomerQuery, withMetadata(query));
  const { storage } = ctx.engine;
  const storeId = ctx.store.id;
  const sorting = sortings[sort];
  const words = searchWords(search ?? '');
  const labels = labelsAsked({ metadata, tag });
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const start = await startOf(db, ctx, sorting, after);
    const containing = (rows: Customers) =>
      words.length > 0 ? rows.where((eb) => storage.containsText(eb.ref('search'), words)) : rows;
    const listed = (await listCounts(db, storeId, 'customers')).get('') ?? 0;
    const order = { sorting, start };
    if (labels.length > 0 && !email) {
      const rare = await rarest(db, storeId, 'customers', labels, {}, maxRows);
      if (!rare) return undefined;
      const list = { storeId, resource: 'customers', labels, rare, times: {}, listed, narrowed: containing } as const;
      return readLabelled<Customer, 'customers'>(db, list, window, order, maxRows, customerEntity);
    }
    const ofStore = db.selectFrom('customers').where('store_id', '=', storeId);
    const among = email ? ofStore.where('email', '=', comparable(email)) : ofStore;
    const matches = containing(having(among, storeId, 'customers', labels));
    const count = email ? undefined : listed;
    return readSorted<Customer>(db, { among, count, matches }, window, order, maxRows, customerEntity);
  });
}

type Customers = SelectQueryBuilder<Schema, 'customers', object>;

const by = (column: keyof CustomerTable, isAscending: boolean): Sorting => ({ columns: [column, 'id'], isAscending });

/** Each order has an index. */
const sortings: Readonly<Record<CustomerSort, Sorting>> = {
  newest: newestFirst,
  oldest: by('created_at', true),
  name: { ...by('name_key', true), isByText: true },
  '-name': { ...by('name_key', false), isByText: true },
  spent: by('total_spent', true),
  '-spent': by('total_spent', false),
  orders: by('order_count', true),
  '-orders': by('order_count', false),
};

/** The place of a customer in a list. @throws CommerceError `validation` if the customer does not exist */
async function startOf(
  db: Db,
  { store }: Context,
  { columns: places }: Sorting,
  after: string | undefined,
): Promise<Place | undefined> {
  if (!after) return undefined;
  const row = isId(after)
    ? await db
        .selectFrom('customers')
        .select(places as (keyof CustomerTable)[])
        .where('store_id', '=', store.id)
        .where('id', '=', after)
        .executeTakeFirst()
    : undefined;
  if (row) return places.map((column) => row[column as keyof CustomerTable]);
  throw invalid('after', `must be the id of the last customer of the previous page, not ${quote(after)}`);
}

/** Like `listCustomersJson`, for use inside an application. */
export const listCustomers = parsed(listCustomersJson);

const insertUnknown = preparedInsertNew<CustomerTable>('customers', ['store_id', 'email']);

const keptByEmail = prepared<{ storeId: string; email: string }, { json: string }>((db, p) =>
  keepRows(
    db,
    db.selectFrom('customers').select('json').where('store_id', '=', p('storeId')).where('email', '=', p('email')),
  ),
);

const keptById = prepared<{ storeId: string; id: string }, { json: string }>((db, p) =>
  keepRows(
    db,
    db.selectFrom('customers').select('json').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
  ),
);

/**
 * The customer with that e-mail, created if necessary. An existing customer is not changed, because a checkout form must not overwrite the
 * shop's own data. The customer cannot be deleted until the transaction ends. Emits `customer.created` for a new customer.
 */
export async function findOrCreateCustomer(
  tx: TxContext,
  contact: z.output<typeof CustomerContact>,
): Promise<Customer> {
  const customer = customers.make(tx, contact);
  const json = toJson(customer);
  const { store } = tx;
  const email = comparable(customer.email);
  const row = { store_id: store.id, id: customer.id, created_at: tx.now, json };
  const columns = customers.columnsOf(customer, false) as Columns & Pick<CustomerTable, 'shape'>;
  for (;;) {
    if (await insertUnknown(tx.db, { ...row, ...columns })) {
      await customers.updateLists(tx, [{ before: undefined, after: customer, number: 0, isMoved: false }]);
      customers.record(tx, 'created', customer, json);
      return customer;
    }
    const [existing] = await keptByEmail(tx.db, { storeId: store.id, email });
    // Not found if the conflicting customer has just been deleted; the next insert succeeds.
    if (existing) return customerEntity.read(existing.json);
  }
}

/** The customer with that id, who cannot be deleted until the transaction ends; undefined if the store has none. */
export async function findCustomer(tx: TxContext, id: string): Promise<Customer | undefined> {
  const [row] = await keptById(tx.db, { storeId: tx.store.id, id });
  return row && customerEntity.read(row.json);
}

/** An e-mail address in the form in which it is compared and must be unique. */
export function comparable(email: string): string {
  return email.trim().toLowerCase();
}

/** Number of the customer's orders; undefined if there are more than `maxCountedOrders`. */
async function countOrdersOf(tx: TxContext, customerId: string): Promise<number | undefined> {
  const orders = tx.db.selectFrom('orders').where('store_id', '=', tx.store.id).where('customer_id', '=', customerId);
  return countUpTo(tx.db, orders, maxCountedOrders);
}

/** Maximum number of a customer's orders that are counted for a message. */
const maxCountedOrders = 1000;

export const customerResource = {
  ...customers,
  query: CustomerQuery,
  list: listCustomersJson,
  words: {
    one: 'a customer',
    description: 'Buyers, with their saved addresses.',
    deletion: '; rejected if the customer has orders',
  },
};
