import { useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { testPublished } from '@commerce/test-support/suites/published';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('categories', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  testPublished(
    {
      noun: 'category',
      naming: 'name',
      text: 'description',
      longestText: 100_000,
      own: { parentId: null, metadata: {} },
      create: createCategory,
      update: updateCategory,
      remove: deleteCategory,
      get: getCategory,
      list: listCategories,
    },
    commerce,
    clock,
  );
});
