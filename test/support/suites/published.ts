import type { Commerce, Context, List } from '@commerce/core';
import type { FakeClock } from '@commerce/core/testing';
import { describe, expect, it } from 'vitest';
import { addMediaRow, removeMediaRow } from '../fixtures/media-rows.ts';
import { newShop } from '../fixtures/shop.ts';
import { expectDenied, invalid } from '../harness/denied.ts';

interface Item {
  id: string;
  storeId: string;
  slug: string;
  status: string;
  publishedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Differences between the kinds of published resources. Inputs are `never` so that any operation fits. */
export interface PublishedKind {
  noun: 'category' | 'page' | 'product';
  /** Its name field, at most 255 characters. */
  naming: 'name' | 'title';
  /** Its field with the long text, and the longest length. */
  text: 'description' | 'content';
  longestText: number;
  /** The fields of its own, with their defaults. */
  own: Record<string, unknown>;
  /** Fields of its own that it needs. */
  needed?: Record<string, unknown>;
  create(shop: Context, input: never): Promise<Item>;
  update(shop: Context, id: string, changes: never): Promise<Item>;
  remove(shop: Context, id: string): Promise<void>;
  get(shop: Context, id: string): Promise<Item>;
  list(shop: Context, query?: never): Promise<List<Item>>;
}

/** A mistake in words, the fields with it, and the fields that the error names. */
type Refused = [what: string, wrong: Record<string, unknown>, fields: string[]];

/** The first half of an emoji, which is not a character. */
const halfPair = '\ud83d';

/** Tests what categories and pages have in common: fields, slug, status, events, audit entries, deletion and lists. */
export function testPublished(kind: PublishedKind, commerce: () => Commerce, clock: FakeClock): void {
  const { noun, naming, text, longestText, needed = {} } = kind;
  const openShop = () => newShop(commerce());
  const now = () => new Date(clock.now()).toISOString();
  const minimal = (slug = 'first') => ({ ...needed, [naming]: 'The first', slug }) as never;
  const everything = (seoImageId: string | null = null) => ({
    ...needed,
    [naming]: 'Everything “there is” ☕',
    slug: 'everything-2',
    status: 'published',
    [text]: 'Several\nlines & <b>markup</b>',
    seoTitle: 'Everything',
    seoDescription: 'All of it',
    seoKeywords: 'every, thing',
    seoImageId,
  });

  describe('fields', () => {
    it('have defaults, but for name and slug', async () => {
      const shop = await openShop();
      const made = await kind.create(shop, minimal());
      expect(made).toEqual({
        id: made.id,
        storeId: shop.store.id,
        [naming]: 'The first',
        slug: 'first',
        status: 'draft',
        publishedAt: null,
        [text]: null,
        ...kind.own,
        ...needed,
        seoTitle: null,
        seoDescription: null,
        seoKeywords: null,
        seoImageId: null,
        createdAt: now(),
        updatedAt: now(),
      });
      expect(await kind.get(shop, made.id)).toEqual(made);
      expect(await kind.list(shop)).toEqual({ items: [made], total: 1 });
    });

    it('are kept as they were given', async () => {
      const shop = await openShop();
      const given = everything(await addMediaRow(shop));
      const made = await kind.create(shop, given as never);
      expect(made).toMatchObject({ ...given, publishedAt: now() });
      expect(await kind.get(shop, made.id)).toEqual(made);
    });

    const refused: Refused[] = [
      ['an empty name', { [naming]: '' }, [naming]],
      ['a blank name', { [naming]: ' \t' }, [naming]],
      ['a name that is too long', { [naming]: 'x'.repeat(256) }, [naming]],
      ['a name that is null', { [naming]: null }, [naming]],
      ['a name that is a number', { [naming]: 7 }, [naming]],
      ['a NUL in its name', { [naming]: 'a\0b' }, [naming]],
      ['half an emoji in its name', { [naming]: halfPair }, [naming]],
      ...['', 'A', 'a b', '-a', 'a-', 'a--b', 'ä', 'a_b', 'a/b', 'a\n', 'a.b', 'x'.repeat(256), null, 7, ['a']].map(
        (slug) => [`the slug ${JSON.stringify(slug)?.slice(0, 20)}`, { slug }, ['slug']] as Refused,
      ),
      ...['deleted', 'Draft', '', 'public', null, 1, ['draft']].map(
        (status) => [`the status ${JSON.stringify(status)}`, { status }, ['status']] as Refused,
      ),
      [`a ${text} that is too long`, { [text]: 'x'.repeat(longestText + 1) }, [text]],
      [`a ${text} that is a number`, { [text]: 7 }, [text]],
      [`a NUL in its ${text}`, { [text]: '\0' }, [text]],
      ['an SEO title that is too long', { seoTitle: 'x'.repeat(256) }, ['seoTitle']],
      ['an SEO description that is too long', { seoDescription: 'x'.repeat(5001) }, ['seoDescription']],
      ['SEO keywords that are too long', { seoKeywords: 'x'.repeat(5001) }, ['seoKeywords']],
      ['SEO keywords that are a list', { seoKeywords: ['a'] }, ['seoKeywords']],
      ['an empty image id', { seoImageId: '' }, ['seoImageId']],
      ['an image id that is too long', { seoImageId: 'x'.repeat(65) }, ['seoImageId']],
      ['an image that does not exist', { seoImageId: '0190a5c8-0000-7000-8000-000000000000' }, ['seoImageId']],
      ['an image by a name that is no id', { seoImageId: 'photo.png' }, ['seoImageId']],
      ['several of these', { [naming]: null, slug: '', status: 'x', [text]: 7 }, [naming, 'slug', 'status', text]],
    ];
    it.each(refused)('refuse %s, when it is made and when it is changed', async (_, wrong, fields) => {
      const shop = await openShop();
      const { id } = await kind.create(shop, everything() as never);
      const denial = { kind: 'validation', fields } as const;
      const good = { ...(minimal() as object), ...wrong };
      await expectDenied(commerce(), () => kind.create(shop, good as never), denial);
      await expectDenied(commerce(), () => kind.update(shop, id, wrong as never), denial);
    });

    it('that are missing are named together', async () => {
      const shop = await openShop();
      const create = () => kind.create(shop, {} as never);
      await expectDenied(commerce(), create, {
        kind: 'validation',
        fields: [naming, 'slug', ...Object.keys(needed)],
        message: /is required \(and \d more\)/,
      });
    });

    it('may name an image that is gone since, but not newly', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const image = await addMediaRow(shop);
      const { id } = await kind.create(shop, everything(image) as never);
      await removeMediaRow(shop, image);
      expect(await kind.update(shop, id, { [naming]: 'Changed', seoImageId: image } as never)).toMatchObject({
        seoImageId: image,
      });
      const denial = { kind: 'validation', fields: ['seoImageId'], message: /no media/ } as const;
      for (const seoImageId of [await addMediaRow(other), id]) {
        await expectDenied(commerce(), () => kind.update(shop, id, { seoImageId } as never), denial);
      }
      await kind.update(shop, id, { seoImageId: null } as never);
      await expectDenied(commerce(), () => kind.update(shop, id, { seoImageId: image } as never), denial);
    });
  });

  describe('changes', () => {
    it('clear an optional field by null and keep it when it is undefined', async () => {
      const shop = await openShop();
      const { id } = await kind.create(shop, everything(await addMediaRow(shop)) as never);
      const cleared = Object.entries(kind.own).flatMap(([field, initial]) => (initial === null ? [field] : []));
      const optional = [text, 'seoTitle', 'seoDescription', 'seoKeywords', 'seoImageId', ...cleared];
      const all = (value: unknown) => Object.fromEntries(optional.map((field) => [field, value])) as never;
      const before = await kind.get(shop, id);
      expect(await kind.update(shop, id, all(undefined))).toEqual(before);
      expect(await kind.update(shop, id, all(null))).toEqual({ ...before, ...(all(null) as object), updatedAt: now() });
    });

    it('take what was answered, edited', async () => {
      const shop = await openShop();
      const { id } = await kind.create(shop, everything(await addMediaRow(shop)) as never);
      const before = await kind.get(shop, id);
      const after = await kind.update(shop, id, { ...before, [naming]: 'Edited' } as never);
      expect(after).toEqual({ ...before, [naming]: 'Edited', updatedAt: now() });
    });

    it('go from any status to any other, and keep the time when it was first published', async () => {
      const shop = await openShop();
      const { id } = await kind.create(shop, minimal());
      let first: string | null = null;
      for (const status of ['archived', 'published', 'archived', 'draft', 'published', 'draft', 'archived']) {
        clock.advance(1000);
        if (status === 'published') first ??= now();
        const after = await kind.update(shop, id, { status, publishedAt: null } as never);
        expect(after).toMatchObject({ status, publishedAt: first, updatedAt: now() });
        expect(await kind.list(shop, { status } as never)).toEqual({ items: [after], total: 1 });
      }
      expect((await kind.create(shop, { ...everything(), status: 'archived' } as never)).publishedAt).toBeNull();
    });
  });

  describe('slugs', () => {
    it('are taken by one living item of the store', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const first = await kind.create(shop, minimal('taken'));
      const second = await kind.create(shop, minimal('second'));
      const denial = {
        kind: 'conflict',
        fields: ['slug'],
        message: `slug "taken" already exists on another ${noun}`,
      } as const;
      await expectDenied(commerce(), () => kind.create(shop, minimal('taken')), denial);
      await expectDenied(commerce(), () => kind.update(shop, second.id, { slug: 'taken' } as never), denial);
      expect(await kind.update(shop, first.id, { slug: 'taken' } as never)).toEqual(first);
      expect(await kind.create(other, minimal('taken'))).toMatchObject({ slug: 'taken' });
      await kind.remove(shop, first.id);
      expect(await kind.update(shop, second.id, { slug: 'taken' } as never)).toMatchObject({ slug: 'taken' });
      // Any number of deleted ones can have had it.
      await kind.remove(shop, second.id);
      await kind.remove(shop, (await kind.create(shop, minimal('taken'))).id);
      expect(await kind.create(shop, minimal('taken'))).toMatchObject({ slug: 'taken' });
    });
  });

  describe('deletion', () => {
    it('takes it out of every list', async () => {
      const shop = await openShop();
      const { id, slug } = await kind.create(shop, everything() as never);
      await kind.remove(shop, id);
      for (const query of [{}, { status: 'published' }, { slug }, { search: 'everything' }]) {
        expect(await kind.list(shop, query as never)).toEqual({ items: [], total: 0 });
      }
      // Input errors are reported before any lookup.
      const wrong = () => kind.update(shop, id, { status: 'deleted' } as never);
      await expectDenied(commerce(), wrong, invalid('status'));
    });
  });

  describe('lists', () => {
    it('answer every combination of filters and windows with exactly what matches, newest first', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const made: Item[] = [];
      for (const [i, status] of ['draft', 'published', 'published', 'archived', 'draft', 'published'].entries()) {
        // Each two share a millisecond: then the id decides.
        if (i % 2 === 0) clock.advance(1);
        const input = { ...needed, [naming]: i < 3 ? `Tea ${i}` : `Cup ${i}`, slug: `slug-${i}`, status };
        made.unshift(await kind.create(shop, { ...input, [text]: i === 5 ? 'goes with TEA' : null } as never));
        await kind.create(other, { ...input, [text]: 'tea' } as never);
      }
      const gone = await kind.create(shop, {
        ...needed,
        [naming]: 'Tea',
        slug: 'slug-9',
        status: 'published',
      } as never);
      await kind.remove(shop, gone.id);
      let tried = 0;
      for (const status of [undefined, 'draft', 'published', 'archived']) {
        for (const slug of [undefined, 'slug-1', 'slug-9', 'SLUG-1', '']) {
          for (const search of [undefined, 'tea', 'cup', 'x', '']) {
            const matching = made.filter(
              (item) =>
                (!status || item.status === status) &&
                (!slug || item.slug === slug) &&
                (!search ||
                  JSON.stringify([item[naming as never], item[text as never]])
                    .toLowerCase()
                    .includes(search)),
            );
            for (const [limit, offset] of [
              [50, 0],
              [1, 0],
              [2, 1],
              [200, 2],
              [1, 6],
              [1, Number.MAX_SAFE_INTEGER],
            ] as const) {
              const query = { status, slug, search, limit, offset };
              const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
              expect({ query, answer: await kind.list(shop, query as never) }).toEqual({ query, answer: expected });
              tried++;
            }
          }
        }
      }
      expect(tried).toBe(600);
    });

    it.each([
      [{ status: 'deleted' }, 'status'],
      [{ status: '' }, 'status'],
      [{ slug: ['a'] }, 'slug'],
      [{ slug: 'x'.repeat(256) }, 'slug'],
      [{ search: '\0' }, 'search'],
      [{ search: halfPair }, 'search'],
      [{ search: 'x'.repeat(20_001) }, 'search'],
    ])('refuse %j, naming the field', async (query, field) => {
      const list = kind.list(await openShop(), query as never);
      await expect(list).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
    });

    it('find what is searched for in any case, every character standing for itself', async () => {
      const shop = await openShop();
      const texts: Record<string, [string, string | null]> = {
        tea: ['Blue TEA', 'Holds 100% of it'],
        quoted: ['The "quoted" one', "It's \\here; --drop"],
        under: ['snake_case', null],
        shirt: ['👕 T-Shirt', 'Größe ÜBERGROSS'],
        greek: ['ΟΔΟΣ', 'Cafe\u0301'],
        long: ['Long', 'lorem ipsum '.repeat(2000)],
      };
      for (const [slug, [name, about]] of Object.entries(texts)) {
        await kind.create(shop, { ...needed, [naming]: name, slug, [text]: about } as never);
      }
      const rows: [string, string][] = [
        ['tea', 'tea'],
        ['TEA', 'tea'],
        ['ue te', 'tea'],
        ['a', 'greek tea under'],
        ['%', 'tea'],
        ['0%', 'tea'],
        ['1%0', ''],
        ['_', 'under'],
        ['e_c', 'under'],
        ['t_a', ''],
        ['"', 'quoted'],
        ["'", 'quoted'],
        ["t's", 'quoted'],
        ["' or 1=1 --", ''],
        ['\\', 'quoted'],
        ['*', ''],
        ['👕', 'shirt'],
        ['🎽', ''],
        ['größe', 'shirt'],
        ['Übe', 'shirt'],
        ['cafe', 'greek'],
        ['t-shirt 👕', 'shirt'],
        ['οδος', 'greek'],
        ['οδοσ', 'greek'],
        ['CAFÉ', 'greek'],
        ['teaholds', ''],
        ['lorem ipsum '.repeat(16), 'long'],
        ['x'.repeat(200), ''],
        ['%_"\\'.repeat(50), ''],
      ];
      for (const [search, expected] of rows) {
        const { items, total } = await kind.list(shop, { search } as never);
        const found = items.map((item) => item.slug).sort();
        expect([search, found.join(' '), total]).toEqual([search, expected, found.length]);
      }
    });

    it('follow changes of name, text and status', async () => {
      const shop = await openShop();
      const { id } = await kind.create(shop, {
        ...needed,
        [naming]: 'Lampion',
        slug: 'lamp',
        [text]: 'paper',
      } as never);
      const totals = async () => {
        const queries = [{ search: 'lampion' }, { search: 'paper' }, { search: 'lantern' }, { status: 'draft' }];
        return Promise.all(queries.map(async (query) => (await kind.list(shop, query as never)).total));
      };
      expect(await totals()).toEqual([1, 1, 0, 1]);
      await kind.update(shop, id, { [naming]: 'Lantern', [text]: null, status: 'archived' } as never);
      expect(await totals()).toEqual([0, 0, 1, 0]);
      await kind.remove(shop, id);
      expect(await totals()).toEqual([0, 0, 0, 0]);
    });
  });

  // The last test, because its texts would be in every snapshot of the database that a refusal is compared with.
  describe('limits', () => {
    it('let every text be as long as it may', async () => {
      const shop = await openShop();
      // An emoji is one character, regardless of its code units.
      const longest = {
        ...needed,
        [naming]: `${'☕'.repeat(254)}👕`,
        slug: 'x'.repeat(255),
        [text]: 'x'.repeat(longestText),
        seoTitle: '👕'.repeat(255),
        seoDescription: 'x'.repeat(5000),
        seoKeywords: 'x'.repeat(5000),
      };
      const { id } = await kind.create(shop, longest as never);
      expect(await kind.get(shop, id)).toMatchObject(longest);
    });
  });
}
