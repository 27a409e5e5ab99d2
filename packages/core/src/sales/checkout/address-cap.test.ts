import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeEach, expect, it } from 'vitest';
import {
  type CheckoutInput,
  type Context,
  type CreatedCheckout,
  cancelCheckout,
  createCheckout,
  createDiscount,
} from '../../index.ts';
import { maxOpenCheckouts } from '../../kernel/limits.ts';

const seenFrom = (shop: Context, address: string | undefined): Context => ({
  ...shop,
  actor: { type: 'apiKey', id: 'storefront', isPublic: true },
  address,
});

forEachStorage('open checkouts of one network address', (database) => {
  const { clock, openShop, ended } = useSelling(database);
  let shop: Context;
  let input: (changes?: Partial<CheckoutInput>) => CheckoutInput;

  beforeEach(async () => {
    ({ shop, input } = await openShop(['stripe'], { stock: 1000 }));
  });

  const open = (address: string | undefined, changes?: Partial<CheckoutInput>) =>
    createCheckout(seenFrom(shop, address), input(changes));

  const fill = async (address: string, count = maxOpenCheckouts): Promise<CreatedCheckout[]> => {
    const all: CreatedCheckout[] = [];
    for (let i = 0; i < count; i++) all.push(await open(address));
    return all;
  };

  const hashes = async () => {
    const rows = shop.engine.storage.db.selectFrom('checkouts').selectAll().where('store_id', '=', shop.store.id);
    return (await rows.execute()).map(({ address_hash }) => address_hash);
  };

  it('are twenty, until the first of them ends', async () => {
    await fill('203.0.113.7', 1);
    clock.advance(minute);
    await fill('203.0.113.7', maxOpenCheckouts - 1);
    const refusal = { kind: 'rateLimited', retryAfter: 28 * 60 };
    await expect(open('203.0.113.7')).rejects.toMatchObject(refusal);
    await expect(open('::ffff:203.0.113.7')).rejects.toMatchObject(refusal);
    for (const other of ['203.0.113.8', undefined]) expect(await open(other)).toMatchObject({ status: 'open' });
    expect(await createCheckout({ ...shop, address: '203.0.113.7' }, input())).toMatchObject({ status: 'open' });
    clock.advance(28 * minute);
    expect(await open('203.0.113.7')).toMatchObject({ status: 'open' });
    await expect(open('203.0.113.7')).rejects.toMatchObject({ kind: 'rateLimited' });
  });

  it('are counted together for the 64 bits of an IPv6 network', async () => {
    await fill('2001:db8:0:1::1');
    await expect(open('2001:db8:0:1:ffff::2')).rejects.toMatchObject({ kind: 'rateLimited' });
    expect(await open('2001:db8:0:2::1')).toMatchObject({ status: 'open' });
  });

  it('are not more when many are asked for at the same moment', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => open('203.0.113.7')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxOpenCheckouts);
  });

  it('give a place back when they are cancelled, replaced, or free of charge', async () => {
    const [first, second] = await fill('203.0.113.7');
    await cancelCheckout(shop, first?.id ?? '');
    await open('203.0.113.7');
    const replaces = { id: second?.id ?? '', secret: second?.secret ?? '' };
    expect(await open('203.0.113.7', { replaces, customerNote: 'new' })).toMatchObject({ status: 'open' });
    await expect(open('203.0.113.7')).rejects.toMatchObject({ kind: 'rateLimited' });
    await createDiscount(shop, { code: 'ALL', type: 'percent', value: '100' });
    expect(await open('203.0.113.8', { discountCode: 'ALL' })).toMatchObject({ status: 'paid' });
    expect((await hashes()).filter((hash) => hash !== null)).toHaveLength(maxOpenCheckouts);
  });

  it('keep no address once they have ended, and never the address itself', async () => {
    await fill('203.0.113.7', 2);
    expect(new Set(await hashes()).size).toBe(1);
    expect(await hashes()).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)]);
    clock.advance(31 * minute);
    await ended(shop);
    expect(await hashes()).toEqual([null, null]);
  });

  it('answer a repeated request, whatever their number', async () => {
    const once = {
      name: 'key',
      print: '',
      keptElsewhere: () => {},
      begin: async () => {},
      end: async () => {},
      committed: () => {},
    };
    const page = seenFrom(shop, '203.0.113.7');
    const first = await createCheckout({ ...page, once }, input());
    await fill('203.0.113.7', maxOpenCheckouts - 1);
    expect(await createCheckout({ ...page, once }, input())).toMatchObject({ id: first.id });
  });
});
