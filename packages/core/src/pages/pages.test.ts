import { testPublished } from '../../../../test/support/published.ts';
import { useCommerce } from '../../../../test/support/shop.ts';
import { forEachStorage } from '../../../../test/support/storages.ts';
import { createPage, deletePage, getPage, listPages, updatePage } from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('pages', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  testPublished(
    {
      noun: 'page',
      naming: 'title',
      text: 'content',
      longestText: 500_000,
      own: {},
      create: createPage,
      update: updatePage,
      remove: deletePage,
      get: getPage,
      list: listPages,
    },
    commerce,
    clock,
  );
});
