import { type Commerce, type Context, createApiKey, importsIdle } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import type { Route } from '../../../packages/server/src/routes/router.ts';
import { routeTable } from '../../../packages/server/src/routes/table.ts';
import { pathWith, prepareStore, routeFixtures } from '../fixtures/route-fixtures.ts';
import { newShop } from '../fixtures/shop.ts';
import { ask, newKey } from '../harness/requests.ts';
import { type Statement, statementsOf } from '../harness/statements.ts';

/** Queries of lists that lead to other statements than the plain list, by route. */
const queries: Readonly<Record<string, readonly string[]>> = {
  'GET /products': [
    'status=draft',
    'status=published&offset=1&limit=1',
    'slug=mug',
    'sku=FIXTURE&search=mug',
    'variantGroupId=v&status=published&search=mug',
    'categoryId={id}',
    'categoryId={id}&search=mug&status=published',
    'search=mug',
    'search=mu&status=published',
    'search=nothing',
    'lowStock=true',
    'lowStock=true&search=mug&categoryId={id}',
  ],
  'GET /products/by-attributes': ['attributes=%7B%22color%22%3A%22red%22%2C%22size%22%3A%22M%22%7D&limit=1'],
  'GET /categories': ['status=draft', 'parentId={id}', 'slug=mugs', 'search=mug&status=published'],
  'GET /customers': ['email=a%40example.com', 'search=ada', 'offset=1&limit=1'],
  'GET /pages': ['status=published', 'slug=about', 'search=about'],
  'GET /audit-logs': [
    'resourceType=product',
    'resourceId={id}',
    'action=product.created&actorId=x',
    'resourceType=order&action=order.created&offset=1',
  ],
  'GET /orders': [
    'status=pending',
    'paymentStatus=succeeded&status=paid',
    'customerId={id}',
    'orderNumber=ORD-1001',
    'search=ada',
    'search=or&status=paid',
    'from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z&search=example',
    'from=2026-01-01T00:00:00Z&status=pending&offset=1',
  ],
  'GET /payments': ['matched=paid', 'status=succeeded&provider=stripe', 'orderId={id}', 'unmatched=true'],
  'GET /media': ['mimeType=image/png', 'offset=1'],
  'GET /deliveries': ['status=pending', 'event=product.created', 'status=succeeded&event=product.updated'],
  'GET /webhooks/{id}/deliveries': ['status=pending', 'event=page.created&status=failed'],
  'GET /subscribers/{name}/deliveries': ['status=pending', 'event=page.created&status=failed'],
  'GET /discounts': ['code=SUMMER'],
  'GET /statistics/sales': ['interval=week&timeZone=Europe/Berlin', 'from=2026-01-01&to=2026-01-31'],
  'GET /statistics/products': ['from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z&limit=3'],
  'GET /imports': ['resource=products'],
};

/** A status below this one is an intended answer of the route. */
const firstFault = 500;

/** Statements that a route ran for good requests, for one with an id that does not exist, and for its queries. */
export interface RouteStatements {
  line: string;
  storeId: string;
  statements: Statement[];
}

/**
 * Sends each route of the HTTP interface its good requests in a store of its own, and returns the statements that they ran. Statements that
 * prepared the requests are left out.
 */
export async function statementsOfRoutes(commerce: Commerce): Promise<RouteStatements[]> {
  const answering = createApp(commerce, { ordersApi: true, storefrontLimits: { reads: 999_999, writes: 999_999 } });
  // A streamed answer is read while it is sent.
  const app: App = {
    ...answering,
    async handle(...request) {
      const answer = await answering.handle(...request);
      for await (const _ of answer.stream ?? []);
      return answer;
    },
  };
  const routes = routeTable({ ordersApi: true, uploads: true }).filter((route): route is Route => 'run' in route);
  const shop = await newShop(commerce);
  await prepareStore(shop);
  const key = await newKey(shop);
  const { key: storefrontKey } = await createApiKey(shop, { kind: 'storefront', name: 'page' });
  const recorded: RouteStatements[] = [];
  for (const route of routes) {
    const line = `${route.method} ${route.path}`;
    const statements: Statement[] = [];
    for (const { path, more } of await requestsOf(shop, line, route)) {
      const sending = (await routeFixtures[line]?.body?.()) ?? {};
      const needed = await routeFixtures[line]?.headers?.(shop);
      for (const [used, headers] of [
        [key, {}],
        [key, { 'idempotency-key': `${line} ${path}` }],
        [storefrontKey, {}],
      ] as const) {
        const send = async () => {
          const answer = await ask(app, `${route.method} /stores/${shop.store.id}${path}`, {
            ...sending,
            key: used,
            headers: { ...needed, ...headers, ...more },
          });
          if (answer.status >= firstFault) throw new Error(`${line} answers ${answer.status}: ${answer.text}`);
          await importsIdle(shop.engine);
        };
        statements.push(...(await statementsOf(send)));
      }
    }
    recorded.push({ line, storeId: shop.store.id, statements });
  }
  return recorded;
}

async function requestsOf(shop: Context, line: string, route: Route) {
  const { own = async () => ({}) as Record<string, string>, query } = routeFixtures[line] ?? {};
  const params = await own(shop);
  const absent = Object.fromEntries(Object.keys(params).map((name) => [name, '0190a5c8-9999-7000-8000-000000000000']));
  const some = [query, ...(queries[line] ?? [])].map((one) => (one === undefined ? '' : `?${one}`));
  const requests = [];
  for (const search of some.map((one) => one.replace('{id}', '0190a5c8-1111-7000-8000-000000000001'))) {
    // The first request can remove its item, so each request has an item of its own.
    requests.push({ path: pathWith(route.path, await own(shop)) + search, more: {} });
  }
  requests.push({ path: pathWith(route.path, absent) + (some[0] ?? ''), more: {} });
  requests.push({ path: pathWith(route.path, params) + (some[0] ?? ''), more: { 'if-none-match': '"x"' } });
  return requests;
}
