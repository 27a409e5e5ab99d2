import { createCategory, deleteCategory, getCategoryJson, listCategoriesJson, updateCategory } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const categoryRoutes = crudRoutes(
  '/categories',
  'category',
  {
    schema: 'Category',
    plural: 'Categories',
    one: 'a category',
    many: 'categories',
    deletion: '; its subcategories become roots, and its products leave it',
    mayLag: true,
  },
  {
    list: listCategoriesJson,
    create: createCategory,
    read: getCategoryJson,
    update: updateCategory,
    delete: deleteCategory,
  },
);
