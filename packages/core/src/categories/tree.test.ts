import { auditOf, emittedBy, eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Category,
  type CategoryQueryInput,
  type Context,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
  updateStore,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

let made = 0;

forEachStorage('the tree of categories', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());
  const now = () => new Date(clock.now()).toISOString();
  const add = (shop: Context, parentId: string | null = null) =>
    createCategory(shop, { name: 'Category', slug: `category-${++made}`, parentId });

  it('has two levels: roots and their children', async () => {
    const shop = await openShop();
    const root = await add(shop);
    const child = await add(shop, root.id);
    expect([root.parentId, child.parentId]).toEqual([null, root.id]);
    expect(await getCategory(shop, child.id)).toEqual(child);
    expect((await eventsOf(shop)).at(-1)).toMatchObject({ type: 'category.created', data: child });
  });

  it('lets a category move below a root, to another root, and become a root', async () => {
    const shop = await openShop();
    const [one, two, moved] = [await add(shop), await add(shop), await add(shop)];
    for (const parentId of [one.id, two.id, null, two.id]) {
      clock.advance(1000);
      const before = (await getCategory(shop, moved.id)).parentId;
      const types = await emittedBy(shop, async () => {
        expect(await updateCategory(shop, moved.id, { parentId })).toEqual({ ...moved, parentId, updatedAt: now() });
      });
      expect(types).toEqual(['category.updated']);
      expect((await eventsOf(shop)).at(-1)?.data).toMatchObject({ id: moved.id, parentId });
      expect((await auditOf(shop)).at(-1)?.changes).toBe(JSON.stringify({ parentId: { from: before, to: parentId } }));
    }
    const again = await emittedBy(shop, () => updateCategory(shop, moved.id, { parentId: two.id }));
    expect(again).toEqual([]);
  });

  const forbidden: [string, (places: Places) => string, RegExp][] = [
    ['that does not exist', () => '0190a5c8-0000-7000-8000-000000000000', /no category/],
    ['that is not an id', () => 'shoes', /no category "shoes"/],
    ['by its slug', ({ root }) => root.slug, /no category/],
    ['of another store', ({ foreign }) => foreign.id, /no category/],
    ['that was deleted', ({ gone }) => gone.id, /no category/],
    ['that is a product', ({ shop }) => shop.store.id, /no category/],
    ['that is below another', ({ child }) => child.id, /must be a root category.*two levels/],
    ['in another spelling', ({ root }) => root.id.toUpperCase(), /no category/],
  ];
  interface Places {
    shop: Context;
    root: Category;
    child: Category;
    foreign: Category;
    gone: Category;
  }
  it.each(forbidden)('has no place below a parent %s', async (_, choose, message) => {
    const shop = await openShop();
    const root = await add(shop);
    const places = {
      shop,
      root,
      child: await add(shop, root.id),
      foreign: await add(await openShop()),
      gone: await add(shop),
    };
    await deleteCategory(shop, places.gone.id);
    const parentId = choose(places);
    const denial = { kind: 'validation', fields: ['parentId'], message } as const;
    await expectDenied(commerce(), () => add(shop, parentId), denial);
    for (const { id } of [await add(shop), await add(shop, root.id)]) {
      await expectDenied(commerce(), () => updateCategory(shop, id, { parentId, name: 'Moved' }), denial);
    }
  });

  it.each<[unknown, RegExp]>([
    ['', /1 to 64 characters/],
    ['x'.repeat(65), /1 to 64 characters/],
    ['\0', /NUL/],
    [7, /must be a text/],
    [['a'], /must be a text/],
    [{}, /must be a text/],
  ])('takes no parentId such as %j', async (parentId, message) => {
    const shop = await openShop();
    const { id } = await add(shop);
    const denial = { kind: 'validation', fields: ['parentId'], message } as const;
    await expectDenied(commerce(), () => add(shop, parentId as string), denial);
    await expectDenied(commerce(), () => updateCategory(shop, id, { parentId: parentId as string }), denial);
  });

  it('never places a category below itself, whether root or child', async () => {
    const shop = await openShop();
    const root = await add(shop);
    for (const { id } of [root, await add(shop, root.id)]) {
      const denial = { kind: 'validation', fields: ['parentId'], message: /its own parent/ } as const;
      await expectDenied(commerce(), () => updateCategory(shop, id, { parentId: id }), denial);
    }
  });

  it('lets a root with children move; they keep their parent, and can still be changed', async () => {
    const shop = await openShop();
    const [root, target] = [await add(shop), await add(shop)];
    const child = await add(shop, root.id);
    const types = await emittedBy(shop, () => updateCategory(shop, root.id, { parentId: target.id }));
    expect(types).toEqual(['category.updated']);
    expect(await getCategory(shop, child.id)).toEqual(child);
    const { items } = await listCategories(shop, { parentId: root.id });
    expect(items).toEqual([child]);
    // Its own answer, edited, is accepted again, although this parent could no longer be chosen.
    expect(await updateCategory(shop, child.id, { ...child, status: 'draft', name: 'Edited' })).toMatchObject({
      name: 'Edited',
      parentId: root.id,
    });
    const denial = invalid('parentId');
    await expectDenied(commerce(), () => add(shop, root.id), denial);
    await expectDenied(commerce(), () => updateCategory(shop, target.id, { parentId: root.id }), denial);
    await expectDenied(commerce(), () => updateCategory(shop, target.id, { parentId: child.id }), denial);
    // A root again, so it can take children again.
    await updateCategory(shop, root.id, { parentId: null });
    expect(await add(shop, root.id)).toMatchObject({ parentId: root.id });
  });

  it('refuses only to move a root with children when the store is strict', async () => {
    const loose = await openShop();
    await updateStore(loose, { strictCategoryDepth: true });
    const shop = await commerce().store(loose.store.id);
    const [root, target] = [await add(shop), await add(shop)];
    const child = await add(shop, root.id);
    const move = () => updateCategory(shop, root.id, { parentId: target.id });
    await expectDenied(commerce(), move, { kind: 'validation', fields: ['parentId'], message: /has children/ });
    expect(await updateCategory(shop, root.id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
    expect(await updateCategory(shop, child.id, { parentId: target.id })).toMatchObject({ parentId: target.id });
    expect(await move()).toMatchObject({ parentId: target.id });
    await updateCategory(shop, root.id, { parentId: null });
    // Deleted children do not count.
    await deleteCategory(shop, (await add(shop, root.id)).id);
    expect(await move()).toMatchObject({ parentId: target.id });
  });

  it('gets no third level from concurrent moves when the store is strict', async () => {
    for (let round = 0; round < 10; round++) {
      const loose = await openShop();
      await updateStore(loose, { strictCategoryDepth: true });
      const shop = await commerce().store(loose.store.id);
      const [a, b] = [await add(shop), await add(shop)];
      await Promise.allSettled([
        updateCategory(shop, a.id, { parentId: b.id }),
        add(shop, a.id),
        updateCategory(shop, b.id, { parentId: a.id }),
        add(shop, b.id),
      ]);
      const { items } = await listCategories(shop);
      const roots = new Set(items.filter((item) => item.parentId === null).map((item) => item.id));
      for (const { parentId } of items) if (parentId !== null) expect(roots).toContain(parentId);
    }
  });

  it('leaves no child below a parent that is deleted at the same time', async () => {
    for (let round = 0; round < 15; round++) {
      const shop = await openShop();
      const [root, other] = [await add(shop), await add(shop)];
      await Promise.allSettled([
        add(shop, root.id),
        updateCategory(shop, other.id, { parentId: root.id }),
        deleteCategory(shop, root.id),
        add(shop, root.id),
      ]);
      const { items } = await listCategories(shop);
      expect(items.map(({ parentId }) => parentId)).toEqual(items.map(() => null));
    }
  });

  it('is listed by parent: an id, null or the text null for the roots, together with every other filter', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const statuses = ['draft', 'published'] as const;
    const all: Category[] = [];
    const put = async (name: string, parentId: string | null, status: (typeof statuses)[number]) => {
      const category = await createCategory(shop, { name, slug: `c-${all.length}`, parentId, status });
      all.unshift(category);
      return category;
    };
    const [tea, cups] = [await put('Tea', null, 'published'), await put('Cups', null, 'draft')];
    for (const [i, root] of [tea, cups, tea, tea].entries()) {
      await put(i % 2 ? 'Green tea' : 'Blue', root.id, i < 2 ? 'published' : 'draft');
    }
    const gone = await put('Tea', tea.id, 'published');
    await deleteCategory(shop, gone.id);
    all.shift();
    const foreign = await add(other);
    for (const parentId of [undefined, null, 'null', tea.id, cups.id, gone.id, foreign.id, 'shoes', tea.slug]) {
      for (const status of [undefined, ...statuses, 'archived'] as const) {
        for (const search of [undefined, 'tea']) {
          for (const slug of [undefined, 'c-3']) {
            for (const [limit, offset] of [
              [50, 0],
              [1, 1],
            ] as const) {
              const query: CategoryQueryInput = { parentId, status, search, slug, limit, offset };
              const matching = all.filter(
                (category) =>
                  (parentId === undefined || category.parentId === (parentId === 'null' ? null : parentId)) &&
                  (!status || category.status === status) &&
                  (!search || category.name.toLowerCase().includes(search)) &&
                  (!slug || category.slug === slug),
              );
              const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
              expect({ query, answer: await listCategories(shop, query) }).toEqual({ query, answer: expected });
            }
          }
        }
      }
    }
  });

  it.each([[7], ['\0'], ['x'.repeat(65)], [['a']]])('is not listed by the parent %j', async (parentId) => {
    const list = listCategories(await openShop(), { parentId: parentId as string });
    const error = await list.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ kind: 'validation', details: [{ field: 'parentId' }] });
    expect((error as Error).message).toMatch(/^parentId: must /);
  });
});
