import { randomUUID } from 'node:crypto';
import { useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { testCrudRoutes } from '@commerce/test-support/suites/crud-routes';

let made = 0;

forEachStorage('pages over HTTP', (database) => {
  testCrudRoutes(
    {
      path: '/pages',
      noun: 'page',
      body: () => ({ title: 'Imprint', slug: `imprint-${++made}`, content: '<h1>Imprint</h1>' }),
      change: { title: 'Contact', status: 'published', content: null },
      required: ['title', 'slug'],
      wrong: [
        [{ title: null, slug: null }, ['title', 'slug']],
        [{ seoImageId: randomUUID() }, ['seoImageId']],
      ],
      taken: [{ slug: 'taken' }, 'slug'],
      wrongQueries: [['status=deleted', 'status']],
    },
    useCommerce(database),
  );
});
