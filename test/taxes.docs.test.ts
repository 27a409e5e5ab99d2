import { readFileSync } from 'node:fs';
import { createProduct, quoteCheckout, type SettingsChanges, updateSettings } from '@commerce/core';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

const chapter = readFileSync(new URL('../docs/taxes.md', import.meta.url), 'utf8');
/** The settings of the worked examples, in their order. */
const [berlin, ohio, regional] = [...chapter.matchAll(/<!-- request: PUT \/settings -->\n```json\n(.*?)```/gs)].map(
  ([, body]) => JSON.parse(body ?? '') as SettingsChanges,
);

forOneStorage('the worked examples of the chapter on tax', 'sqlite', (database) => {
  const commerce = useCommerce(database);

  async function open(settings: SettingsChanges | undefined, currency: string) {
    const shop = await newShop(commerce(), currency);
    const product = (sku: string, price: string, taxClass = 'standard') =>
      createProduct(shop, { title: sku, slug: sku.toLowerCase(), sku, price, taxClass, status: 'published' });
    await product('MUG', currency === 'EUR' ? '11.90' : '50');
    await product('BOOK', '10.70', 'reduced');
    const price = currency === 'EUR' ? '4.90' : '8.00';
    await updateSettings(shop, { ...settings, shippingMethods: [{ id: 'post', name: 'Post', price }] });
    return shop;
  }

  it('are what a shop in Berlin charges', async () => {
    const shop = await open(berlin, 'EUR');
    const items = [
      { sku: 'MUG', quantity: 1 },
      { sku: 'BOOK', quantity: 2 },
    ];
    const sentTo = (country: string) => quoteCheckout(shop, { items, country, shippingMethodId: 'post' });
    for (const [name, country] of [
      ['Germany', 'DE'],
      ['Austria', 'AT'],
    ] as const) {
      const { taxes, tax, total } = await sentTo(country);
      const bases = taxes.map(({ rate, base, amount }) => `${Math.round(Number(rate) * 100)} %: ${base} + ${amount}`);
      expect(chapter).toContain(`| ${name} | ${bases.join('; ')} | ${tax} | ${total} |`);
    }
    expect(await sentTo('CH')).toMatchObject({ taxes: [], tax: '0.00', total: '38.20' });
  });

  it('are what a shop in Ohio charges', async () => {
    const items = [{ sku: 'MUG', quantity: 1 }];
    const one = await open(ohio, 'USD');
    expect(await quoteCheckout(one, { items, shippingMethodId: 'post' })).toMatchObject({
      tax: '3.63',
      total: '61.63',
    });
    const some = await open(regional, 'USD');
    const sentTo = (region: string) => quoteCheckout(some, { items, country: 'US', region, shippingMethodId: 'post' });
    expect(await sentTo('OH')).toMatchObject({ tax: '3.63' });
    expect(await sentTo('NY')).toMatchObject({ tax: '0.00', total: '58.00' });
  });
});
