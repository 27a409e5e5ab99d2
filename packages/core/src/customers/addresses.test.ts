import { emittedBy, eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Address,
  type Context,
  type Customer,
  type CustomerChanges,
  type CustomerInput,
  createCustomer,
  getCustomer,
  updateCustomer,
} from '../index.ts';
import { isId } from '../kernel/ids.ts';
import { fakeClock } from '../testing/index.ts';

const london = { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y', country: 'GB' };
const paris = { address1: '1 rue de Rivoli', city: 'Paris', postalCode: '75001', country: 'France' };
const whole = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Engines Ltd',
  ...london,
  address2: 'Top floor',
  region: 'Greater London',
  phone: '+44 1',
};

/** The description of a mistake, its input, and the fields that the error names. */
type Refused = [what: string, wrong: Record<string, unknown>, fields: string[]];

type Traveller = Omit<Customer, 'addresses'> & { addresses: [Address, Address] };

let people = 0;

forEachStorage('addresses of a customer', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());
  const now = () => new Date(clock.now()).toISOString();
  const add = (shop: Context, input: Omit<CustomerInput, 'email'> = {}) =>
    createCustomer(shop, { email: `person-${++people}@example.org`, ...input });
  /** A customer with London, the default, and Paris, one second after creation. */
  async function traveller(shop: Context): Promise<Traveller> {
    const customer = await add(shop, { addresses: [{ ...london, isDefault: true }, paris] });
    clock.advance(1000);
    return customer as Traveller;
  }
  const marked = ({ addresses, defaultAddressId }: Customer) => {
    // Flag and id of the default must agree in every answer.
    const flagged = addresses.filter((address) => address.isDefault).map((address) => address.city);
    expect(addresses.filter((address) => address.id === defaultAddressId).map((a) => a.city)).toEqual(flagged);
    expect(flagged.length).toBe(defaultAddressId === null ? 0 : 1);
    return flagged[0] ?? null;
  };

  it('have an id, both times, and null for fields left out', async () => {
    const shop = await openShop();
    const { addresses, defaultAddressId } = await add(shop, { addresses: [whole, london] });
    const [first, second] = addresses;
    const at = { createdAt: now(), updatedAt: now(), isDefault: false };
    expect(first).toEqual({ id: first?.id, ...whole, ...at });
    const empty = { firstName: null, lastName: null, company: null, address2: null, region: null, phone: null };
    expect(second).toEqual({ id: second?.id, ...empty, ...london, ...at });
    expect([isId(first?.id ?? ''), first?.id === second?.id, defaultAddressId]).toEqual([true, false, null]);
  });

  it('are replaced as a list, in its order: changed by id, added without one, deleted when left out', async () => {
    const shop = await openShop();
    const before = await add(shop, { addresses: [london, paris, whole] });
    const [one, two, three] = before.addresses as [Address, Address, Address];
    clock.advance(1000);
    const types = await emittedBy(shop, async () => {
      const after = await updateCustomer(shop, before.id, {
        addresses: [{ id: three.id, city: 'Bath', phone: null }, { ...paris, city: 'Lyon' }, { id: one.id }],
      });
      const [changed, added, kept] = after.addresses as [Address, Address, Address];
      expect(changed).toEqual({ ...three, city: 'Bath', phone: null, updatedAt: now() });
      expect(added).toMatchObject({ ...paris, city: 'Lyon', createdAt: now(), updatedAt: now() });
      expect([one.id, two.id, three.id]).not.toContain(added.id);
      expect(kept).toEqual(one);
      expect(after.addresses).toHaveLength(3);
      expect(after.updatedAt).toBe(now());
      expect(await getCustomer(shop, before.id)).toEqual(after);
      expect((await eventsOf(shop)).at(-1)?.data).toEqual(after);
    });
    expect(types).toEqual(['customer.updated']);
    // The id of a deleted address does not restore it.
    const again = () => updateCustomer(shop, before.id, { addresses: [{ id: two.id, ...paris }] });
    await expectDenied(commerce(), again, invalid('addresses'));
    expect(await updateCustomer(shop, before.id, { addresses: [] })).toMatchObject({
      addresses: [],
      defaultAddressId: null,
    });
  });

  it('stay as they are when an update does not name them, and a new order of them is a change', async () => {
    const shop = await openShop();
    const before = await traveller(shop);
    expect(await updateCustomer(shop, before.id, { name: 'Ada' })).toMatchObject({ addresses: before.addresses });
    const [first, second] = before.addresses;
    const turned = await updateCustomer(shop, before.id, { addresses: [{ id: second.id }, { id: first.id }] });
    expect(turned.addresses).toEqual([second, first]);
  });

  it('never take their id or their times from a body', async () => {
    const shop = await openShop();
    const before = await traveller(shop);
    const [first] = before.addresses;
    const forged = { createdAt: '1999-01-01T00:00:00.000Z', updatedAt: '1999-01-01T00:00:00.000Z', planet: 'Mars' };
    const after = await updateCustomer(shop, before.id, { addresses: [{ ...first, ...forged, city: 'Bath' }] });
    expect(after.addresses).toEqual([{ ...first, city: 'Bath', updatedAt: now() }]);
  });

  const list = (...addresses: unknown[]) => ({ addresses });
  const refused: Refused[] = [
    ['that are not a list', { addresses: london }, ['addresses']],
    ['that are null', { addresses: null }, ['addresses']],
    ['one of which is null', list(london, null), ['addresses.1']],
    ['one of which is empty', list({}), ['address1', 'city', 'postalCode', 'country'].map((f) => `addresses.0.${f}`)],
    ...['address1', 'city', 'postalCode', 'country'].flatMap((field) =>
      [undefined, null, '', ' ', 7].map(
        (value) =>
          [
            `with ${JSON.stringify(value)} for ${field}`,
            list(london, { ...london, [field]: value }),
            [`addresses.1.${field}`],
          ] as Refused,
      ),
    ),
    ...['firstName', 'lastName', 'company', 'address1', 'address2', 'city', 'region', 'country'].map(
      (field) =>
        [
          `with too long a ${field}`,
          list({ ...london, [field]: 'x'.repeat(256) }),
          [`addresses.0.${field}`],
        ] as Refused,
    ),
    ['with too long a postal code', list({ ...london, postalCode: 'x'.repeat(65) }), ['addresses.0.postalCode']],
    ['with too long a phone', list({ ...london, phone: 'x'.repeat(65) }), ['addresses.0.phone']],
    ['with a flag that is a text', list({ ...london, isDefault: 'yes' }), ['addresses.0.isDefault']],
    ['with an id that is null', list({ ...london, id: null }), ['addresses.0.id']],
    [
      'two of which are the default',
      list({ ...london, isDefault: true }, { ...paris, isDefault: true }),
      ['addresses'],
    ],
    ['of which there are too many', list(...Array.from({ length: 101 }, () => london)), ['addresses']],
    ['with an id that nobody has', list({ ...london, id: '0190a5c8-0000-7000-8000-000000000000' }), ['addresses']],
    ['with a malformed id', list({ ...london, id: 'home' }), ['addresses']],
    ['and a default that is not among them', { ...list(london), defaultAddressId: 'home' }, ['defaultAddressId']],
    ['and a default that is a number', { ...list(london), defaultAddressId: 0 }, ['defaultAddressId']],
    ['and an empty default', { ...list(london), defaultAddressId: '' }, ['defaultAddressId']],
  ];
  it.each(refused)('%s are refused, when a customer is created and when one is changed', async (_, wrong, fields) => {
    const shop = await openShop();
    const { id } = await add(shop, { addresses: [{ ...london, isDefault: true }] });
    const denial = invalid(...fields);
    await expectDenied(commerce(), () => add(shop, wrong as CustomerChanges), denial);
    await expectDenied(commerce(), () => updateCustomer(shop, id, wrong as CustomerChanges), denial);
  });

  it('can be a hundred', async () => {
    const shop = await openShop();
    const addresses = Array.from({ length: 100 }, () => london);
    expect((await add(shop, { addresses })).addresses).toHaveLength(100);
  });

  it("of another customer, of another store's or named twice are refused and not moved", async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const [mine, neighbour, foreigner] = [await traveller(shop), await traveller(shop), await traveller(other)];
    for (const { addresses } of [neighbour, foreigner]) {
      const [{ id }] = addresses;
      const denial = { kind: 'validation', fields: ['addresses'], message: /this customer has no address/ } as const;
      const take = () => updateCustomer(shop, mine.id, { addresses: [{ id }] });
      await expectDenied(commerce(), take, denial);
      await expectDenied(commerce(), () => add(shop, { addresses: [{ ...london, id }] }), denial);
      const point = () => updateCustomer(shop, mine.id, { defaultAddressId: id });
      await expectDenied(commerce(), point, invalid('defaultAddressId'));
    }
    const [{ id }] = mine.addresses;
    const twice = () => updateCustomer(shop, mine.id, { addresses: [{ id }, { id, city: 'Bath' }] });
    await expectDenied(commerce(), twice, { kind: 'validation', fields: ['addresses'], message: /twice/ });
  });

  describe('the default', () => {
    it.each<[string, (first: Address, second: Address) => CustomerChanges, string | null]>([
      [
        'stays when neither flag nor id is given',
        (a, b) => ({ addresses: [{ id: a.id }, { id: b.id, phone: '1' }] }),
        'London',
      ],
      ['moves by its id', (_, b) => ({ defaultAddressId: b.id }), 'Paris'],
      ['is cleared by null', () => ({ defaultAddressId: null }), null],
      ['moves by the flag', (a, b) => ({ addresses: [{ id: a.id }, { id: b.id, isDefault: true }] }), 'Paris'],
      [
        'moves by both flags',
        (a, b) => ({
          addresses: [
            { id: a.id, isDefault: false },
            { id: b.id, isDefault: true },
          ],
        }),
        'Paris',
      ],
      ['is cleared by the flag', (a, b) => ({ addresses: [{ id: a.id, isDefault: false }, { id: b.id }] }), null],
      ['goes with its address', (_, b) => ({ addresses: [{ id: b.id }] }), null],
      [
        'goes to a new address',
        (a) => ({ addresses: [{ id: a.id }, { ...paris, city: 'Lyon', isDefault: true }] }),
        'Lyon',
      ],
      [
        'stays when a new one is not marked',
        (a) => ({ addresses: [{ id: a.id }, { ...paris, city: 'Lyon' }] }),
        'London',
      ],
      [
        'may be given by flag and id alike',
        (a, b) => ({ addresses: [{ id: a.id }, { id: b.id, isDefault: true }], defaultAddressId: b.id }),
        'Paris',
      ],
      [
        'follows the flag when the id is sent back unchanged',
        (a, b) => ({
          addresses: [
            { ...a, isDefault: false },
            { ...b, isDefault: true },
          ],
          defaultAddressId: a.id,
        }),
        'Paris',
      ],
      [
        'follows the id when the flags are sent back unchanged',
        (a, b) => ({ addresses: [a, b], defaultAddressId: b.id }),
        'Paris',
      ],
      [
        'is taken back by the id when the flags are sent back as they were read',
        (a, b) => ({ addresses: [a, b], defaultAddressId: null }),
        null,
      ],
      [
        'is cleared by the flag when the id is sent back as it was read',
        (a, b) => ({ addresses: [{ ...a, isDefault: false }, b], defaultAddressId: a.id }),
        null,
      ],
    ])('%s', async (_, changes, expected) => {
      const shop = await openShop();
      const before = await traveller(shop);
      const after = await updateCustomer(shop, before.id, changes(...before.addresses));
      expect(marked(after)).toBe(expected);
      expect(await getCustomer(shop, before.id)).toEqual(after);
      // Only changed addresses have a new time.
      for (const address of after.addresses) {
        const old = before.addresses.find(({ id }) => id === address.id);
        if (!old) continue;
        const { updatedAt, ...rest } = address;
        const same = JSON.stringify({ ...old, updatedAt: 0 }) === JSON.stringify({ ...rest, updatedAt: 0 });
        expect(updatedAt).toBe(same ? old.updatedAt : now());
      }
    });

    it('can be chosen when the customer is made', async () => {
      const shop = await openShop();
      expect(marked(await add(shop, { addresses: [london, { ...paris, isDefault: true }] }))).toBe('Paris');
      expect(marked(await add(shop, { addresses: [london], defaultAddressId: null }))).toBeNull();
      expect(marked(await add(shop, { defaultAddressId: null }))).toBeNull();
    });

    it.each<[string, (first: Address, second: Address) => CustomerChanges, string]>([
      [
        'is named in two ways that contradict each other',
        (a, b) => ({ addresses: [{ id: a.id }, { id: b.id }, { ...paris, isDefault: true }], defaultAddressId: b.id }),
        'defaultAddressId',
      ],
      [
        'is taken back by the id and given by the flag',
        (a, b) => ({ addresses: [{ id: a.id }, { id: b.id, isDefault: true }], defaultAddressId: null }),
        'defaultAddressId',
      ],
      ['is not in the new list', (a, b) => ({ addresses: [{ id: a.id }], defaultAddressId: b.id }), 'defaultAddressId'],
      [
        'is sent back unchanged while its address is left out',
        (a, b) => ({ addresses: [{ id: b.id }], defaultAddressId: a.id }),
        'defaultAddressId',
      ],
      [
        'is marked on the old one and the new one',
        (a, b) => ({ addresses: [a, { ...b, isDefault: true }] }),
        'addresses',
      ],
    ])('is refused when it %s', async (_, changes, field) => {
      const shop = await openShop();
      const before = await traveller(shop);
      const update = () => updateCustomer(shop, before.id, changes(...before.addresses));
      await expectDenied(commerce(), update, invalid(field));
    });
  });

  it('have no postal code in a country without them, and need one elsewhere', async () => {
    const shop = await openShop();
    const doha = { address1: 'Street 4', city: 'Doha', country: 'QA' };
    const input = {
      email: 'dana@example.com',
      addresses: [doha, { ...doha, postalCode: ' ' }, { ...doha, postalCode: null }],
    };
    const { id, addresses } = await createCustomer(shop, input);
    expect(addresses.map(({ postalCode }) => postalCode)).toEqual([null, null, null]);
    const [first] = addresses;
    const move = (change: object) => updateCustomer(shop, id, { addresses: [{ id: first?.id ?? '', ...change }] });
    await expectDenied(commerce(), () => move({ country: 'GB' }), invalid('addresses'));
    expect((await move({ country: 'GB', postalCode: 'SW1Y' })).addresses).toMatchObject([{ postalCode: 'SW1Y' }]);
    await expectDenied(commerce(), () => move({ postalCode: null }), invalid('addresses'));
  });
});
