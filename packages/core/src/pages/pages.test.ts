import { useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { testPublished } from '@commerce/test-support/suites/published';
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
