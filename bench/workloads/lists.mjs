import { colors, commonWord, rareWord, things } from '../harness/catalogue.mjs';
import { stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile } from '../harness/seed.mjs';
import { largestPostgres, measureWork, serve } from './scale.mjs';
import { postgresStore, sqliteStore } from './scale-stores.mjs';

/** The factor by which the p99 of a sort can exceed that of `newest`. */
const mostOfNewest = 3;

/** Buyers who search at once. */
const buyers = 128;

const sorts = ['newest', 'oldest', 'price', '-price', 'title', '-title', 'bestselling'];
const published = 'status=published&limit=50';

/** What a page of a shop asks for. `isSort` is compared with `newest`; `before` makes nothing remembered. */
const works = [
  ...sorts.map((sort) => ({ title: `sort=${sort}`, isSort: true, query: `${published}&sort=${sort}` })),
  { title: 'sort=price, without a status', isSort: true, query: 'limit=50&sort=price' },
  { title: 'price range', query: `${published}&minPrice=10&maxPrice=20&sort=price` },
  { title: 'in stock, on sale', query: `${published}&inStock=true&onSale=true` },
  { title: 'one attribute by price', query: `${published}&attr.color=red&sort=price` },
  { title: 'one attribute', query: 'limit=50&attr.color=red' },
  { title: 'one key of metadata, as frequent', query: 'limit=50&metadata.shelf=red' },
  { title: 'one key of metadata, of one product', query: 'limit=50&metadata.erp.id=7' },
  {
    title: 'two attributes of two values each',
    query: `${published}&attr.color=red&attr.color=blue&attr.size=m&attr.size=l`,
  },
  { title: 'search, rare word', query: `${published}&search=${rareWord}` },
  { title: 'search, common word', query: `${published}&search=${commonWord}` },
  { title: 'search, two words', query: `${published}&search=${commonWord}+candle` },
  { title: 'search, rare word by relevance', query: `${published}&search=${rareWord}&sort=relevance` },
  { title: 'facets of all', query: `${published}&facets=color,size,price,category,inStock` },
  { title: 'facets of a rare word', query: `${published}&search=${rareWord}&facets=color,size,price,category,inStock` },
  {
    title: 'facets of two attributes',
    query: `${published}&attr.brand=brand+7&attr.color=red&facets=color,size,price`,
  },
  { title: 'groups of all', query: `${published}&group=variants` },
  { title: 'groups of two attributes', query: `${published}&attr.brand=brand+7&attr.color=red&group=variants` },
  { title: 'a product with its variants and images', query: 'slug=mug-4&include=variants,media' },
  { title: 'orders', path: '/orders', query: 'limit=50' },
  { title: 'orders by one key of metadata, a twelfth', path: '/orders', query: 'limit=50&metadata.shelf=red' },
  { title: 'orders by one key of metadata, of one order', path: '/orders', query: 'limit=50&metadata.erp.id=7' },
  { title: 'orders by a tag, a tenth', path: '/orders', query: 'limit=50&tag=rush' },
].map((work) => {
  const path = 'path' in work ? work.path : '/products';
  return { ...work, ask: ({ client }) => client.get(`${path}?${work.query}`) };
});

/** Measures what the pages of a shop ask for, in stores of each size on both engines. */
export async function measureLists(sizes) {
  const results = [await measureEngine('SQLite', sizes, sqliteStore)];
  const server = await startPostgres(dataFile('scale/postgres'));
  try {
    const some = sizes.filter((count) => count <= largestPostgres);
    results.push(await measureEngine('PostgreSQL', some, (count) => postgresStore(server, count)));
  } finally {
    await server.stop();
  }
  return results;
}

async function measureEngine(engine, sizes, open) {
  const served = [];
  for (const count of sizes) served.push(await serve(await open(count)));
  const measured = [];
  for (const work of works) measured.push({ ...(await measureWork(engine, work, served)), isSort: 'isSort' in work });
  const crowds = [];
  for (const one of served) crowds.push(await measureCrowd(engine, one));
  for (const { server, client, store } of served) {
    client.close();
    await stop(server.child);
    await store.remove();
  }
  return { engine, sizes, works: measured, crowds };
}

/** Many buyers search at once, for sixty pairs of words; an answer other than 200 fails the run. */
async function measureCrowd(engine, { server, store }) {
  const requests = Array.from({ length: buyers * 20 }, (_, n) => ({
    method: 'GET',
    path: `/stores/${store.storeId}/products?${published}&search=${colors[n % colors.length]}+${things[n % things.length]}`,
    headers: { Authorization: `Bearer ${store.key}` },
  }));
  const { rate, p99 } = await load({ url: server.url, requests, child: server.child, connections: buyers });
  console.log(`${engine}: ${buyers} buyers search in ${store.count}: ${Math.round(rate)}/s, p99 ${Math.round(p99)} ms`);
  return { rate, p99 };
}

const number = (value) => value.toLocaleString('en-US');

/** The tables of the page, one for each engine. */
export function listsTables(results) {
  return results.map(({ engine, sizes, works: measured, crowds }) => {
    const newest = measured[0].figures;
    return {
      head: [
        engine,
        ...sizes.map((count) => `${number(count)}, p50 / p99 ms`),
        `p99 of \`newest\`, at most ${mostOfNewest}`,
      ],
      rows: [
        ...measured.map(({ title, isSort, figures }) => {
          const times = figures.at(-1).p99 / newest.at(-1).p99;
          return [
            title,
            ...figures.map(({ p50, p99 }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`),
            isSort ? `${times.toFixed(2)} times ${times <= mostOfNewest ? '✓' : '✗'}` : '',
          ];
        }),
        [
          `${buyers} buyers search at once, for sixty pairs of words: answers/s, p99 ms`,
          ...crowds.map(({ rate, p99 }) => `${number(Math.round(rate))}, ${Math.round(p99)}`),
          '',
        ],
      ],
    };
  });
}
