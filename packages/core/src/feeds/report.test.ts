import { addMediaRow } from '@commerce/test-support/fixtures/media-rows';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  checkFeeds,
  deleteProduct,
  type FeedReport,
  getFeedReport,
  type ReportedProduct,
  updateSettings,
} from '../index.ts';

const productUrl = 'https://shop.example/p/{slug}';

forEachStorage('the report of feeds', (database) => {
  const commerce = useCommerce(database, { publicUrl: 'https://api.example' });

  const said = ({ items }: Pick<FeedReport, 'items'>) =>
    items.map(({ title, isLeftOut, problems }) => [
      title,
      isLeftOut,
      ...problems.map(({ code, field, leavesOut }) => `${code} ${field}${leavesOut ? '' : ' (warning)'}`),
    ]);

  it('says what is left out, why, and what is wrong with the rest', async () => {
    const shop = await newShop(commerce());
    const image = await addMediaRow(shop);
    const tiny = await addMediaRow(shop, { width: 99, height: 400 });
    const good = { brand: 'B', primaryMediaId: image, description: 'x' };
    await newProduct(shop, { ...good, title: 'good' });
    await newProduct(shop, { ...good, title: 'draft', status: 'draft', brand: null });
    await newProduct(shop, { ...good, title: 'no brand', brand: null });
    await newProduct(shop, { ...good, title: 'no image', primaryMediaId: null });
    await newProduct(shop, { ...good, title: 'tiny', primaryMediaId: tiny });
    await newProduct(shop, { ...good, title: 'tiny and large', primaryMediaId: tiny, mediaIds: [image] });
    await newProduct(shop, { ...good, title: 'free', price: '0', brand: null });
    await newProduct(shop, {
      ...good,
      title: 'warned',
      barcode: '123',
      description: null,
      attributes: { gender: 'both' },
    });
    const withoutUrl = await getFeedReport(shop);
    expect(withoutUrl.totals).toMatchObject({ published: 7, checked: 7, listed: 0, leftOut: 7, codes: { NO_LINK: 7 } });
    await updateSettings(shop, { productUrl });
    const report = await getFeedReport(shop);
    expect(said(report)).toEqual([
      ['no brand', true, 'NO_BRAND brand'],
      ['no image', true, 'NO_IMAGE primaryMediaId'],
      ['tiny', true, 'IMAGE_TOO_SMALL primaryMediaId'],
      ['free', true, 'NO_PRICE price', 'NO_BRAND brand'],
    ]);
    const totals = {
      published: 7,
      checked: 7,
      listed: 3,
      leftOut: 4,
      warned: 1,
      codes: {
        NO_BRAND: 2,
        NO_IMAGE: 1,
        IMAGE_TOO_SMALL: 1,
        NO_PRICE: 1,
        NO_DESCRIPTION: 1,
        BARCODE_NOT_GTIN: 1,
        VALUE_NOT_TAKEN: 1,
      },
    };
    expect(report).toMatchObject({ after: null, totals });
    expect(report.items[2]?.problems[0]?.message).toBe('its image has 99 × 400 pixels; feeds take at least 100 × 100');
    const warned = await getFeedReport(shop, { warnings: true });
    expect(said(warned).at(-1)).toEqual([
      'warned',
      false,
      'VALUE_NOT_TAKEN gender (warning)',
      'BARCODE_NOT_GTIN barcode (warning)',
      'NO_DESCRIPTION description (warning)',
    ]);
    const [all, sums] = await checked(shop);
    expect(all).toEqual(warned.items);
    expect(sums).toEqual(totals);
    await updateSettings(shop, {
      country: 'DE',
      shippingMethods: [{ name: 'Post', price: '1', countries: ['AT'], minSubtotal: '100' }],
    });
    expect((await getFeedReport(shop)).totals?.codes.NO_SHIPPING).toBe(7);
  });

  async function checked(shop: Context) {
    const all: ReportedProduct[] = [];
    const walk = checkFeeds(shop);
    for (;;) {
      const { done, value } = await walk.next();
      if (done) return [all, value] as const;
      all.push(value);
    }
  }

  it('has pages, with totals on the first', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { productUrl });
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push((await newProduct(shop, { title: `p${i}` })).id);
    const first = await getFeedReport(shop, { limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first).toMatchObject({ after: ids[2], totals: { leftOut: 7, checked: 7 } });
    // The product at which a page ended can be gone.
    await deleteProduct(shop, ids[2] ?? '');
    const second = await getFeedReport(shop, { limit: 3, after: first.after ?? '' });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(3, 6));
    expect(second).toMatchObject({ after: ids[5], totals: null });
    const third = await getFeedReport(shop, { limit: 3, after: second.after ?? '' });
    expect(third.items.map(({ id }) => id)).toEqual(ids.slice(6));
    expect(third).toMatchObject({ after: null, totals: null });
    const elsewhere = await newShop(commerce());
    for (const after of ['x', ids[0] ?? '']) {
      await expectDenied(commerce(), () => getFeedReport(elsewhere, { after }), invalid('after'));
    }
    await expectDenied(commerce(), () => getFeedReport(shop, { limit: 201 }), invalid('limit'));
  });

  it('is none of the public', async () => {
    const shop = await newShop(commerce());
    const anyone: Context = { ...shop, actor: { type: 'apiKey', id: 'k', isPublic: true } };
    await expectDenied(commerce(), () => getFeedReport(anyone), { kind: 'forbidden' });
  });
});
