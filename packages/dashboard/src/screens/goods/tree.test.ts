import { describe, expect, it } from 'vitest';
import { type Category, categoryOptions, inOrder, matching } from './tree.ts';

const category = (id: string, name: string, parentId: string | null = null): Category => ({
  id,
  name,
  parentId,
  slug: id,
  storeId: 's',
  status: id === 'p' ? 'draft' : 'published',
  publishedAt: null,
  description: null,
  seoTitle: null,
  seoDescription: null,
  seoKeywords: null,
  seoImageId: null,
  metadata: {},
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
});
const list = [
  category('c', 'Cups', 'k'),
  category('l', 'Living'),
  category('p', 'Plates', 'k'),
  category('k', 'Kitchen'),
];
const all = { items: inOrder(list), total: 4, byId: new Map(list.map((one) => [one.id, one])) };
const ids = (items: typeof all.items) => items.map(({ category: { id }, depth }) => `${id}${depth}`);

describe('the tree of categories', () => {
  it('has each root with its own below it, by name', () => {
    expect(ids(all.items)).toEqual(['k0', 'c1', 'p1', 'l0']);
    expect(categoryOptions(all)[1]).toEqual(['c', '— Cups']);
  });

  it('shows one whose root is not there as a root', () => {
    expect(ids(inOrder([category('x', 'Orphan', 'gone')]))).toEqual(['x0']);
  });

  it('keeps the root of what matches', () => {
    expect(ids(matching(all, 'PLA', ''))).toEqual(['k0', 'p1']);
    expect(ids(matching(all, 'ät LA p', ''))).toEqual(['k0', 'p1']);
    expect(ids(matching(all, '', 'draft'))).toEqual(['k0', 'p1']);
    expect(ids(matching(all, 'none', ''))).toEqual([]);
  });
});
