import { createPage, deletePage, readPage, readPages, updatePage } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const pageRoutes = crudRoutes(
  '/pages',
  'page',
  {
    schema: 'Page',
    plural: 'Pages',
    one: 'a page',
    many: 'pages',
    deletion: '',
  },
  {
    list: readPages,
    create: createPage,
    read: readPage,
    update: updatePage,
    delete: deletePage,
  },
);
