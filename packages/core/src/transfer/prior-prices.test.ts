import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { type PriceChange, priorPriceByRule } from '@commerce/test-support/suites/prior-price';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Context,
  changeProducts,
  createProduct,
  getProduct,
  importFile,
  type Product,
  type ProductChanges,
  updateProduct,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** What a way of changing a product is asked for. */
interface Wanted {
  price: number;
  /** Above the price, or null. */
  compareAt: number | null;
  offered: boolean;
}

type Way = (shop: Context, product: Product, wanted: Wanted) => Promise<unknown>;

const decimal = (minor: number) => (minor / 100).toFixed(2);
const orBlank = (minor: number | null) => (minor === null ? '' : decimal(minor));
const statusOf = ({ offered }: Wanted) => (offered ? 'published' : 'draft');
const changesOf = (wanted: Wanted): ProductChanges => ({
  price: decimal(wanted.price),
  compareAtPrice: wanted.compareAt === null ? null : decimal(wanted.compareAt),
  status: statusOf(wanted),
});

async function load(shop: Context, content: string, format: string): Promise<void> {
  const source = {
    open: async function* () {
      yield Buffer.from(content);
    },
  };
  expect(await importFile(shop, 'products', source)).toMatchObject({
    status: 'completed',
    format,
    created: 0,
    rows: 1,
  });
}

/** Every way of changing a price. Those of a percentage or a status change that alone. */
const ways: Readonly<Record<string, Way>> = {
  update: (shop, { id }, wanted) => updateProduct(shop, id, changesOf(wanted)),
  'bulk change': (shop, { id }, wanted) => changeProducts(shop, { ids: [id], changes: changesOf(wanted) as object }),
  'bulk status': (shop, { id }, wanted) => changeProducts(shop, { ids: [id], changes: { status: statusOf(wanted) } }),
  'bulk percent': (shop, { id }, { price, compareAt }) => {
    const comparePreviousPrice = compareAt !== null;
    return changeProducts(shop, {
      ids: [id],
      changes: { pricePercent: String((price % 40) - 20), comparePreviousPrice },
    });
  },
  CSV: (shop, { slug }, wanted) => {
    const row = [slug, decimal(wanted.price), orBlank(wanted.compareAt), statusOf(wanted)].join(',');
    return load(shop, `slug,price,compareAtPrice,status\n${row}\n`, 'CSV');
  },
  'JSON Lines': (shop, { slug }, wanted) =>
    load(shop, `${JSON.stringify({ slug, ...changesOf(wanted) })}\n`, 'JSON Lines'),
  Shopify: (shop, { slug }, wanted) => {
    const row = [slug, decimal(wanted.price), orBlank(wanted.compareAt), wanted.offered ? 'active' : 'draft'].join(',');
    return load(shop, `Handle,Variant Price,Variant Compare At Price,Status\n${row}\n`, 'Shopify');
  },
  WooCommerce: (shop, { title }, { price, compareAt, offered }) => {
    const [regular, sale] = compareAt === null ? [price, null] : [compareAt, price];
    const row = ['simple', title, decimal(regular), orBlank(sale), offered ? 1 : 0].join(',');
    return load(shop, `Type,Name,Regular price,Sale price,Published\n${row}\n`, 'WooCommerce');
  },
};

const minorOf = (text: string | null) => (text === null ? null : Math.round(Number(text) * 100));

/** The state of a product as a change, for the rule. */
function changeTo({ price, compareAtPrice, status }: Product, wait: number): PriceChange {
  return { wait, price: minorOf(price) as number, compareAt: minorOf(compareAtPrice), offered: status === 'published' };
}

forEachStorage('the prior price', (database) => {
  const clock = fakeClock('2027-01-01T00:00:00Z');
  const commerce = useCommerce(database, { clock });
  let made = 0;

  async function newTea(shop: Context, wanted: Wanted): Promise<Product> {
    const number = ++made;
    const named = { title: `Tea ${number}`, slug: `tea-${number}`, price: decimal(wanted.price) };
    return createProduct(shop, { ...changesOf(wanted), ...named });
  }

  it.each(Object.keys(ways).filter((name) => name !== 'bulk status'))('follows a reduction by %s', async (name) => {
    const shop = await newShop(commerce());
    const tea = await newTea(shop, { price: 1000, compareAt: null, offered: true });
    clock.advance(31 * day);
    // 810 is a fall of 10 % as a percentage.
    await ways[name]?.(shop, tea, { price: 810, compareAt: 1000, offered: true });
    const reduced = await getProduct(shop, tea.id);
    expect(Number(reduced.price)).toBeLessThan(10);
    expect(reduced).toMatchObject({ compareAtPrice: '10.00', priorPrice: '10.00' });
  });

  const wanted = fc
    .record({
      price: fc.integer({ min: 100, max: 140 }),
      reduction: fc.option(fc.integer({ min: 1, max: 30 })),
      offered: fc.constantFrom(true, true, true, false),
    })
    .map(({ price, reduction, offered }) => ({
      ...{ price, compareAt: reduction === null ? null : price + reduction, offered },
    }));
  const wait = fc.oneof(
    fc.integer({ min: 0, max: 3 * day }),
    fc.integer({ min: 0, max: 40 * day }),
    fc.constantFrom(hour, day, 30 * day),
  );
  const step = fc.record({ way: fc.constantFrom(...Object.keys(ways)), wait, wanted });

  it('is what the rule says, whatever way each change takes', { timeout: 120_000 }, async () => {
    const shop = await newShop(commerce());
    let reductions = 0;
    await fc.assert(
      fc.asyncProperty(wanted, fc.array(step, { minLength: 1, maxLength: 10 }), async (first, steps) => {
        const { id } = await newTea(shop, first);
        let product = await getProduct(shop, id);
        const history = [changeTo(product, 0)];
        const check = () => {
          const prior = priorPriceByRule(history) ?? null;
          expect(minorOf(product.priorPrice)).toBe(prior);
          if (prior !== null) reductions++;
        };
        check();
        for (const one of steps) {
          clock.advance(one.wait);
          await ways[one.way]?.(shop, product, one.wanted);
          product = await getProduct(shop, id);
          history.push(changeTo(product, one.wait));
          check();
        }
      }),
      { numRuns: 60 },
    );
    expect(reductions).toBeGreaterThan(5);
  });
});
