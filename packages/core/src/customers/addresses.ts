import type { TxContext } from '../engine/context.ts';
import { isTimestamp, toTimestamp } from '../kernel/clock.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { definedOnly } from '../kernel/parse.ts';
import { type Address, type AddressChange, addressEntity, type Customer } from './fields.ts';
import { hasPostalCode } from './postal-codes.ts';

/** A customer's addresses; the `isDefault` flags and `defaultAddressId` always agree. */
type AddressBook = Pick<Customer, 'addresses' | 'defaultAddressId'>;

export const emptyBook: AddressBook = { addresses: [], defaultAddressId: null };

/**
 * The addresses after a change. A given list replaces the stored one. An entry with an id changes that address, and an entry without one is
 * new. Addresses missing from the list are deleted. `isDefault` or `defaultAddressId` names the default. A client that sends back an edited
 * answer changes only one of the two, so the one that differs from the stored state wins.
 * @throws CommerceError `validation` on `addresses` for an id that is not the customer's, on `defaultAddressId` for an id that is not in
 * the list or contradicts `isDefault`
 */
export function changeAddresses(
  tx: TxContext,
  before: AddressBook,
  given: { addresses?: readonly AddressChange[] | undefined; defaultAddressId?: string | null | undefined },
): AddressBook {
  const now = toTimestamp(tx.now);
  const list = given.addresses?.map((change) => merge(tx, before, change, now)) ?? before.addresses;
  const flagged = flaggedIn(list, given.addresses);
  const defaultAddressId = chooseDefault(before, list, flagged, given.defaultAddressId);
  const addresses = list.map((address) => {
    const marked = { ...address, isDefault: address.id === defaultAddressId };
    const old = before.addresses.find(({ id }) => id === address.id);
    return old && JSON.stringify(old) === JSON.stringify(marked) ? old : { ...marked, updatedAt: now };
  });
  return { addresses, defaultAddressId };
}

function merge(tx: TxContext, before: AddressBook, { id, ...change }: AddressChange, now: string): Address {
  const old = id === undefined ? undefined : before.addresses.find((address) => address.id === id);
  if (id !== undefined && !old) {
    throw invalid('addresses', `this customer has no address ${quote(id)}; omit the id to add an address`, {
      code: 'NOT_FOUND',
    });
  }
  const stated = definedOnly(change);
  if (old) {
    const changed = addressEntity.of({ ...old, ...stated });
    if (changed.postalCode === null && hasPostalCode(changed.country)) {
      throw invalid('addresses', `an address in ${quote(changed.country)} must have a postalCode`, {
        code: 'REQUIRED',
      });
    }
    return changed;
  }
  return addressEntity.of({
    ...addressEntity.initial,
    ...(stated as Address),
    id: tx.engine.ids.next(tx.now),
    createdAt: now,
    updatedAt: now,
  });
}

/** Id of the address that the list marks as default. A stated `isDefault: true` overrides a stored one. */
function flaggedIn(list: readonly Address[], given: readonly AddressChange[] | undefined): string | null {
  const stated = given?.findIndex((change) => change.isDefault === true) ?? -1;
  const marked = stated === -1 ? list.find((address) => address.isDefault) : list[stated];
  return marked?.id ?? null;
}

function chooseDefault(
  before: AddressBook,
  list: readonly Address[],
  flagged: string | null,
  named: string | null | undefined,
): string | null {
  if (named === undefined) return flagged;
  if (named !== null && !list.some((address) => address.id === named)) {
    throw invalid('defaultAddressId', `${quote(named)} is not one of the customer's addresses`, { code: 'NOT_FOUND' });
  }
  if (named === before.defaultAddressId) return flagged;
  const untouched = flagged === null || flagged === before.defaultAddressId;
  if (untouched || flagged === named) return named;
  throw invalid(
    'defaultAddressId',
    `contradicts isDefault: it names ${quote(named)}, and the addresses mark ${quote(flagged)}; mark only one address`,
    { code: 'CONFLICTING' },
  );
}

/** An address of a file, with the id and the timestamps that it had elsewhere. */
type GivenAddress = { [Field in keyof Address]?: Address[Field] | undefined };

/**
 * The addresses of an imported customer. Ids that are not the stored customer's are those of another store, so the address is new here.
 * @param source the addresses as they came, with ids and timestamps
 * @param areKept true if a new customer keeps the ids and timestamps of its addresses
 */
export function importedAddresses(
  tx: TxContext,
  before: AddressBook | undefined,
  { addresses }: { addresses?: readonly AddressChange[] | undefined },
  source: unknown,
  areKept: boolean,
): AddressBook {
  if (!before) {
    const book = changeAddresses(tx, emptyBook, { addresses: addresses?.map(({ id: _, ...address }) => address) });
    return areKept ? keepAddresses(book, source as readonly GivenAddress[] | undefined) : book;
  }
  const { addresses: stored, defaultAddressId } = before;
  if (!addresses || isSame(stored, addresses)) return { addresses: stored, defaultAddressId };
  const known = new Set(stored.map(({ id }) => id));
  const changes = addresses.map(({ id, ...change }) =>
    id !== undefined && known.has(id) ? { id, ...change } : change,
  );
  return changeAddresses(tx, before, { addresses: changes });
}

/** Fields that clients write, except for the id. */
const compared = Object.entries(addressEntity.shape).flatMap(([field, { isWritten }]) =>
  isWritten && field !== 'id' ? [field as keyof Address] : [],
);

/** True if a list equals the stored addresses, except for ids. The ids differ in a list from another store. */
function isSame(stored: readonly Address[], given: readonly GivenAddress[]): boolean {
  if (given.length !== stored.length) return false;
  return given.every((address, i) =>
    compared.every((field) => address[field] === undefined || address[field] === stored[i]?.[field]),
  );
}

/** The addresses with their original ids and timestamps, if the ids and timestamps are complete. */
function keepAddresses(book: AddressBook, kept: readonly GivenAddress[] | undefined): AddressBook {
  const addresses = book.addresses.map((address, i) => {
    const { id, createdAt, updatedAt } = kept?.[i] ?? {};
    const isWhole = id !== undefined && isId(id) && isTimestamp(createdAt) && isTimestamp(updatedAt);
    return isWhole ? { ...address, id, createdAt, updatedAt } : address;
  });
  return { addresses, defaultAddressId: addresses.find(({ isDefault }) => isDefault)?.id ?? null };
}
