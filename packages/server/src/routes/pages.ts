import { createPage, deletePage, readPage, readPages, updatePage } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const pageRoutes = crudRoutes('/pages', 'page', {
  list: readPages,
  create: createPage,
  read: readPage,
  update: updatePage,
  delete: deletePage,
});
