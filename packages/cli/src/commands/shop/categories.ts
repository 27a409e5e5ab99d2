import {
  type Category,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '@commerce/core';
import type { Command } from 'commander';
import { type Resource, resourceCommand } from '../../resource/resource.ts';

const categories: Resource<Category> = {
  kind: 'category',
  noun: 'category',
  names: 'its id or slug',
  listing: {
    item: 'Category',
    filters: {
      status: { flags: '--status <status>', description: 'only items with this status: draft, published or archived' },
      slug: { flags: '--slug <slug>', description: 'only the item with this slug' },
      parentId: {
        flags: '--parent <category>',
        description: 'only children of this category; null for root categories',
        kind: 'category',
      },
      search: { flags: '--search <text>', description: 'only categories with this text in their name or description' },
    },
    columns: {
      id: (category) => category.id,
      slug: (category) => category.slug,
      name: (category) => category.name,
      parent: (category) => category.parentId,
      status: (category) => category.status,
    },
    read: listCategories,
  },
  title: (category) => `${category.slug} (${category.name})`,
  show: getCategory,
  create: { schema: 'CategoryInput', run: createCategory },
  update: { schema: 'CategoryChanges', run: updateCategory },
  delete: deleteCategory,
  groups: { 'Further fields': ['--metadata'] },
  references: { parentId: 'category', seoImageId: 'media' },
  texts: { list: 'list the categories of a store, newest first' },
  examples: {
    list: ['categories list --parent null', 'categories list --columns slug,name,updatedAt --sort name'],
    show: ['categories show mugs', 'categories show mugs --json'],
    create: [
      'categories create --name Mugs --slug mugs --status published',
      'categories create --name "Tea mugs" --slug tea-mugs --parent-id mugs',
    ],
    update: ['categories update mugs --name "Mugs and cups"', 'categories update tea-mugs --clear parentId'],
    delete: ['categories delete mugs', 'categories delete tea-mugs --yes'],
  },
};

export function categoriesCommand(): Command {
  return resourceCommand('categories', 'list, show, create, change and delete categories', categories);
}
