import { createCategory, deleteCategory, readCategories, readCategory, updateCategory } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const categoryRoutes = crudRoutes('/categories', 'category', {
  list: readCategories,
  create: createCategory,
  read: readCategory,
  update: updateCategory,
  delete: deleteCategory,
});
