import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { faultsOf, readFeedXml, readTsv } from '@commerce/test-support/harness/feed-rules';
import { commerce, commerceJson } from '@commerce/test-support/harness/processes';
import { expectUcp } from '@commerce/test-support/harness/ucp-schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-feeds-cli-'));
const file = join(folder, 'shop.db');
const call = (...args: string[]) => commerce([...args, '--db', file]);
const json = (...args: string[]) => commerceJson([...args, '--db', file]);
const publicUrl = ['--public-url', 'https://api.shop.example'];
beforeAll(() => initShop(file));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Feeds on the command line', () => {
  it('are switched on with the address of the pages', async () => {
    const refused = await call('settings', 'update', '--feed', '{"enabled":true}');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('needs the setting productUrl') });
    const before = await json('feeds', 'url', ...publicUrl);
    expect(before.item).toEqual({ tsv: null, xml: null, sitemap: null, enabled: 'no' });
    const address = 'https://shop.example/p/{slug}';
    const { item } = await json('settings', 'update', '--product-url', address, '--feed', '{"enabled":true}');
    const folderOf = (token: string) =>
      new RegExp(`^https://api\\.shop\\.example/feeds/[0-9a-f-]{36}/${token}/products`);
    const shown = (await json('feeds', 'url', ...publicUrl)).item;
    expect(shown.tsv).toMatch(folderOf(item.feed.token));
    expect(shown).toMatchObject({ enabled: 'yes', sitemap: expect.stringMatching(/\/sitemap\.xml$/) });
    expect(await call('feeds', 'rotate-token')).toMatchObject({ code: 2 });
    const rotated = (await json('feeds', 'rotate-token', '--yes', ...publicUrl)).item;
    expect(rotated.tsv).not.toBe(shown.tsv);
    expect((await json('feeds', 'url', ...publicUrl)).item).toEqual(rotated);
  });

  it('are checked and written to a file', async () => {
    const image = join(folder, 'mug.png');
    writeFileSync(image, await picture('png', { width: 200, height: 200 }));
    const media = ['--media-dir', join(folder, 'media')];
    const { items } = await json('media', 'upload', image, ...media);
    const add = (slug: string, ...more: string[]) =>
      json('products', 'create', '--title', slug, '--slug', slug, '--price', '10', '--status', 'published', ...more);
    await add('good', '--brand', 'B', '--primary-media-id', items[0].id, '--barcode', '12');
    await add('bare', '--sku', 'BARE');
    const report = await json('feeds', 'check');
    expect(report).toMatchObject({
      items: [{ slug: 'bare', isLeftOut: true }],
      totals: { published: 2, listed: 1, leftOut: 1, warned: 1 },
    });
    const { stdout } = await call('feeds', 'check', '--warnings');
    expect(stdout).toContain('NO_IMAGE');
    expect(stdout).toContain('BARCODE_NOT_GTIN');
    expect(stdout).toContain('1 of 2 published products are in the feeds, 1 are left out');
    expect((await json('feeds', 'check', '--warnings', '--limit', '1')).items).toHaveLength(1);
    const target = join(folder, 'products.tsv');
    expect(await call('feeds', 'export', target)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--cdn-url'),
    });
    expect(await call('feeds', 'export', join(folder, 'products.csv'), ...publicUrl)).toMatchObject({ code: 2 });
    expect(await json('feeds', 'export', target, ...publicUrl, '--quiet')).toEqual({ file: target });
    const rows = readTsv(readFileSync(target, 'utf8'));
    expect(rows.flatMap(faultsOf)).toEqual([]);
    expect(rows).toMatchObject([
      { title: 'good', image_link: expect.stringMatching(/^https:\/\/api\.shop\.example\/media/) },
    ]);
    const xml = join(folder, 'products.xml');
    await json('feeds', 'export', xml, '--cdn-url', 'https://cdn.example', '--quiet');
    const read = readFeedXml(readFileSync(xml, 'utf8'));
    expect(read).toMatchObject([{ title: 'good', image_link: expect.stringMatching(/^https:\/\/cdn\.example\//) }]);
  });

  it('have a profile for shopping agents beside them, once these can read the products', async () => {
    const origin = ['--origin', 'https://api.shop.example/'];
    const off = await call('ucp', 'profile', ...origin);
    expect(off).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('settings update --ucp') });
    expect(await call('ucp', 'profile')).toMatchObject({ code: 2, stderr: expect.stringContaining('--origin') });
    const { item } = await json('settings', 'update', '--ucp', '{"enabled":true,"host":"Shop.Example"}');
    expect(item.ucp).toEqual({ enabled: true, host: 'shop.example' });
    const { stdout } = await call('settings', 'show');
    expect(stdout).toMatch(/agents\s+shop\.example/);
    const printed = await call('ucp', 'profile', ...origin);
    const profile = JSON.parse(printed.stdout);
    expectUcp('profile', profile);
    expect(await json('ucp', 'profile', ...origin)).toEqual(profile);
    const [rest] = profile.ucp.services['dev.ucp.shopping'];
    expect(rest.endpoint).toMatch(/^https:\/\/api\.shop\.example\/ucp\/[0-9a-f-]{36}$/);
    for (const wrong of ['shop.example', 'ftp://shop.example', 'https://shop.example/x?y']) {
      expect(await call('ucp', 'profile', '--origin', wrong), wrong).toMatchObject({ code: 2 });
    }
  });
});
