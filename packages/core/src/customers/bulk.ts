import { bulkOf, requireFields } from '../collection/bulk.ts';
import type { TxContext } from '../engine/context.ts';
import type { GivenChanges } from '../fields/entity.ts';
import { isTimestamp, toTimestamp } from '../kernel/clock.ts';
import { isId } from '../kernel/ids.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { pendingCounts } from '../resources/counts.ts';
import { changeAddresses, emptyBook } from './addresses.ts';
import { comparable, customerColumns, newCustomer } from './customers.ts';
import { type Address, type Customer, type CustomerChanges, customerEntity } from './fields.ts';

/** An address of a row, with the id and the timestamps that it had elsewhere. */
type GivenAddress = { [Field in keyof Address]?: Address[Field] | undefined };

/** Creates and changes many customers in one transaction, by the rules of `createCustomer` and `updateCustomer`. */
export const importCustomers = bulkOf<Customer>({
  table: 'customers',
  noun: 'customer',
  softDeleted: false,
  entity: customerEntity,
  keys: [
    {
      column: 'email',
      field: 'email',
      of: ({ email }) => comparable(email),
      ofInput: ({ email }) => (typeof email === 'string' ? comparable(email) : undefined),
    },
  ],
  parse: (_ctx, input) => ({ ...parse(customerEntity.inputs().update, input), keptAddresses: input.addresses }),
  create(tx, { keptAddresses, ...rest }, kept) {
    const given = rest as Parse;
    requireFields(customerEntity, given);
    const book = changeAddresses(tx, emptyBook, {
      addresses: given.addresses?.map(({ id: _, ...address }) => address),
      defaultAddressId: undefined,
    });
    const customer = newCustomer(tx, { ...given, ...book, email: given.email });
    if (!kept) return customer;
    const { publishedAt: _, ...facts } = kept;
    return customerEntity.of({
      ...customer,
      ...facts,
      ...keepAddresses(customer, keptAddresses as GivenAddress[] | undefined),
    });
  },
  merge(tx, before, { keptAddresses: _, ...rest }) {
    const given = rest as Parse;
    // An address of another store is new here.
    const known = new Set(before.addresses.map(({ id }) => id));
    const same = sameAddresses(before, given.addresses);
    const addresses = given.addresses?.map(({ id, ...change }) =>
      id !== undefined && known.has(id) ? { id, ...change } : change,
    );
    const book = same || !addresses ? {} : changeAddresses(tx, before, { addresses });
    const { addresses: _a, defaultAddressId: _d, ...fields } = given;
    return customerEntity.of({ ...before, ...definedOnly(fields), ...book } as Customer);
  },
  touch: (tx, _before, merged) => ({ ...merged, updatedAt: toTimestamp(tx.now) }),
  references: () => [],
  columns: customerColumns,
  changed: ['email', 'search', 'shape'],
  async list(tx: TxContext, written) {
    const created = written.filter(({ before }) => before === undefined).length;
    if (created > 0) pendingCounts(tx).add('customers', '', created);
  },
});

type Parse = GivenChanges<typeof customerEntity.shape> & CustomerChanges;

const compared = [
  'firstName',
  'lastName',
  'company',
  'address1',
  'address2',
  'city',
  'region',
  'postalCode',
  'country',
  'phone',
  'isDefault',
] as const;

/** True if a list equals the stored addresses, except for ids. The ids differ in a list from another store. */
function sameAddresses(before: Customer, given: readonly GivenAddress[] | undefined): boolean {
  if (!given || given.length !== before.addresses.length) return false;
  return given.every((address, i) =>
    compared.every((field) => address[field] === undefined || address[field] === before.addresses[i]?.[field]),
  );
}

/** The addresses with their original ids and timestamps, if the ids and timestamps are complete. */
function keepAddresses(customer: Customer, kept: readonly GivenAddress[] | undefined): Partial<Customer> {
  const addresses = customer.addresses.map((address, i) => {
    const { id, createdAt, updatedAt } = kept?.[i] ?? {};
    const isWhole = id !== undefined && isId(id) && isTimestamp(createdAt) && isTimestamp(updatedAt);
    return isWhole ? { ...address, id, createdAt, updatedAt } : address;
  });
  return { addresses, defaultAddressId: addresses.find(({ isDefault }) => isDefault)?.id ?? null };
}
