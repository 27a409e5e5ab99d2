import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it, vi } from 'vitest';
import { type Context, createPage, openSitemap, updatePage, updateProduct, updateSettings } from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const base = 'https://api.example/feeds/x';

forEachStorage('sitemaps', (database) => {
  const clock = fakeClock('2026-11-20T12:00:00Z');
  const commerce = useCommerce(database, { clock });

  const open = (shop: Context, file?: number, most?: number) =>
    openSitemap(shop.engine, shop.store.id, base, file, most);

  async function read(shop: Context, file?: number, most?: number) {
    let text = '';
    for await (const part of (await open(shop, file, most)).text()) text += part;
    expect(XMLValidator.validate(text)).toBe(true);
    const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'url' || name === 'sitemap' });
    const { urlset, sitemapindex } = parser.parse(text);
    expect((urlset ?? sitemapindex)['@_xmlns']).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
    const entries = (urlset?.url ?? sitemapindex?.sitemap ?? []) as { loc: string; lastmod?: string }[];
    return { kind: urlset ? 'urlset' : 'index', entries, addresses: entries.map(({ loc }) => loc) };
  }

  it('have the addresses of what is published, with the time of its last change', async () => {
    const shop = await newShop(commerce());
    await expect(open(shop)).rejects.toMatchObject({ kind: 'notFound' });
    await updateSettings(shop, {
      productUrl: 'https://shop.example/p?a=1&s={slug}',
      pageUrl: 'https://shop.example/{id}',
    });
    expect((await read(shop)).addresses).toEqual([]);
    await newProduct(shop, { slug: 'mug' });
    await newProduct(shop, { slug: 'draft', status: 'draft' });
    const page = await createPage(shop, { title: 'Terms', slug: 'terms', status: 'published' });
    await createPage(shop, { title: 'Draft', slug: 'draft' });
    expect(await read(shop)).toEqual({
      kind: 'urlset',
      addresses: ['https://shop.example/p?a=1&s=mug', `https://shop.example/${page.id}`],
      entries: [
        { loc: 'https://shop.example/p?a=1&s=mug', lastmod: '2026-11-20T12:00:00.000Z' },
        { loc: `https://shop.example/${page.id}`, lastmod: '2026-11-20T12:00:00.000Z' },
      ],
    });
    await expect(open(shop, 1)).rejects.toMatchObject({ kind: 'notFound' });
    await updateSettings(shop, { productUrl: null });
    expect((await read(shop)).addresses).toEqual([`https://shop.example/${page.id}`]);
    await expect(openSitemap(shop.engine, 'x', base)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('are an index of files above the limit of one', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { productUrl: 'https://shop.example/{slug}', pageUrl: 'https://shop.example/i/{slug}' });
    const slugs: string[] = [];
    for (let i = 0; i < 6; i++) {
      // Several of one time, so that the id decides.
      if (i % 2 === 0) clock.advance(1);
      slugs.push((await newProduct(shop)).slug);
    }
    const page = await createPage(shop, { title: 'Terms', slug: 'terms', status: 'published' });
    expect((await read(shop, undefined, 7)).kind).toBe('urlset');
    const files = async (most: number) => {
      const index = await read(shop, undefined, most);
      expect(index.kind).toBe('index');
      expect(index.addresses).toEqual(index.addresses.map((_, i) => `${base}/sitemap-${i + 1}.xml`));
      const lists: string[][] = [];
      for (let i = 1; i <= index.addresses.length; i++) lists.push((await read(shop, i, most)).addresses);
      await expect(open(shop, index.addresses.length + 1, most)).rejects.toMatchObject({ kind: 'notFound' });
      return lists.map((list) => list.map((loc) => loc.split('/').at(-1)));
    };
    expect(await files(4)).toEqual([slugs.slice(0, 4), slugs.slice(4), ['terms']]);
    const [gone = ''] = slugs;
    const id = (await shop.engine.storage.db.selectFrom('products').select('id').where('slug', '=', gone).execute())[0]
      ?.id;
    await updateProduct(shop, id ?? '', { status: 'archived' });
    expect(await files(4)).toEqual([slugs.slice(1, 5), slugs.slice(5), ['terms']]);
    // No file is empty.
    expect(await files(5)).toEqual([slugs.slice(1), ['terms']]);
    await updatePage(shop, page.id, { status: 'draft' });
    expect(await files(3)).toEqual([slugs.slice(1, 4), slugs.slice(4)]);
  });

  it('are divided once for all who ask, and again after a change', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { productUrl: 'https://shop.example/{slug}' });
    const { id } = await newProduct(shop);
    for (let i = 0; i < 4; i++) await newProduct(shop);
    const scan = vi.spyOn(shop.engine.storage, 'scan');
    try {
      const ask = () => Promise.all(Array.from({ length: 10 }, (_, i) => read(shop, (i % 2) + 1, 3)));
      const files = await ask();
      expect(new Set(files.flatMap(({ addresses }) => addresses)).size).toBe(5);
      expect(scan).toHaveBeenCalledTimes(1);
      await ask();
      expect(scan).toHaveBeenCalledTimes(1);
      const early = ask();
      await updateProduct(shop, id, { slug: 'other' });
      await Promise.all([early, ask(), ask()]);
      expect((await read(shop, 1, 3)).addresses).toContain('https://shop.example/other');
      expect(scan).toHaveBeenCalledTimes(2);
      scan.mockRejectedValueOnce(new Error('the disk is full'));
      await updateProduct(shop, id, { slug: 'third' });
      await expect(open(shop, 1, 3)).rejects.toThrow();
      expect((await read(shop, 1, 3)).addresses).toContain('https://shop.example/third');
    } finally {
      scan.mockRestore();
    }
  });

  it('are read a few items at a time, because each can be large', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { pageUrl: 'https://shop.example/{slug}' });
    const content = 'x'.repeat(500_000);
    for (let i = 0; i < 60; i++) {
      await createPage(shop, { title: 'Page', slug: `page-${i}`, content, status: 'published' });
    }
    const read = vi.spyOn(JSON, 'parse');
    try {
      const pages: number[] = [];
      for await (const _ of (await open(shop)).text()) {
        pages.push(read.mock.calls.filter(([text]) => text.length > content.length).length);
        read.mockClear();
      }
      expect(pages.reduce((sum, n) => sum + n)).toBe(60);
      expect(Math.max(...pages)).toBeLessThanOrEqual(50);
    } finally {
      read.mockRestore();
    }
  });

  it('have the same tag until an address comes, goes or changes', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { productUrl: 'https://shop.example/{slug}', pageUrl: 'https://shop.example/i/{slug}' });
    const { id } = await newProduct(shop);
    const page = await createPage(shop, { title: 'Terms', slug: 'terms', status: 'published' });
    const tag = async () => (await open(shop)).tag;
    let last = await tag();
    expect(await tag()).toBe(last);
    for (const change of [
      () => updateProduct(shop, id, { slug: 'other' }),
      () => newProduct(shop),
      () => updatePage(shop, page.id, { slug: 'agb' }),
      () => updatePage(shop, page.id, { status: 'draft' }),
      () => updateSettings(shop, { pageUrl: 'https://shop.example/page/{slug}' }),
    ]) {
      await change();
      expect(await tag()).not.toBe(last);
      last = await tag();
    }
    await newProduct(shop, { status: 'draft' });
    await updatePage(shop, page.id, { title: 'AGB' });
    expect(await tag()).toBe(last);
  });
});
