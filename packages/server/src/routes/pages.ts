import { createPage, deletePage, getPageJson, listPagesJson, updatePage } from '@commerce/core';
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
    mayLag: true,
  },
  {
    list: listPagesJson,
    create: createPage,
    read: getPageJson,
    update: updatePage,
    delete: deletePage,
  },
);
