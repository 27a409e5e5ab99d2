import { randomInt } from 'node:crypto';
import { productInput, seededIds } from '../harness/seed.mjs';
import { signedPayment } from '../harness/stripe-event.mjs';

/** Length of a row in the bare table: similar to a notification or a product. */
const rowBytes = 1000;

/**
 * The workloads of the first table. `limit` is the limit that each is compared with, and `least` the share of it that must be reached.
 * `requests` returns the next requests; requests that can be sent only once are returned only once.
 */
export function workloadsOn({ storeId, key, secret, currency }) {
  const authorization = { Authorization: `Bearer ${key}` };
  const products = seededIds('products');
  const orders = seededIds('orders');
  const compressed = { ...authorization, 'Accept-Encoding': 'gzip' };
  const json = { 'Content-Type': 'application/json' };
  let paid = 0;
  let created = products.length;
  return [
    {
      name: 'get',
      title: '`GET /stores/{s}/products/{id}`, key and scope checked',
      limit: 'bare node:http, same bytes',
      least: 0.6,
      sample: () => ({ path: `/stores/${storeId}/products/${products[0]}`, headers: authorization }),
      requests: () =>
        Array.from({ length: 20_000 }, () => ({
          method: 'GET',
          path: `/stores/${storeId}/products/${products[randomInt(products.length)]}`,
          headers: authorization,
        })),
    },
    {
      name: 'again',
      title: 'the same of 500 products, again and again',
      limit: 'bare node:http, same bytes',
      least: 0.65,
      sample: () => ({ path: `/stores/${storeId}/products/${products[0]}`, headers: authorization }),
      requests: () =>
        products
          .slice(0, 500)
          .map((id) => ({ method: 'GET', path: `/stores/${storeId}/products/${id}`, headers: authorization })),
    },
    {
      name: 'list',
      title: '`GET /stores/{s}/products?limit=50` with total',
      limit: 'bare node:http, same bytes',
      least: 0.65,
      sample: () => ({ path: `/stores/${storeId}/products?limit=50`, headers: authorization }),
      requests: () =>
        Array.from({ length: 50 }, () => ({
          method: 'GET',
          path: `/stores/${storeId}/products?limit=50`,
          headers: authorization,
        })),
    },
    {
      name: 'gzip',
      title: 'the same list with `Accept-Encoding: gzip`',
      limit: 'bare node:http, same bytes',
      least: 0.65,
      sample: () => ({ path: `/stores/${storeId}/products?limit=50`, headers: compressed }),
      requests: () =>
        Array.from({ length: 50 }, () => ({
          method: 'GET',
          path: `/stores/${storeId}/products?limit=50`,
          headers: compressed,
        })),
    },
    {
      name: 'fresh',
      title: 'a product that the client still has: `If-None-Match`, answered with 304',
      limit: 'bare node:http, same answer',
      least: 0.6,
      sample: () => ({
        path: `/stores/${storeId}/products/${products[0]}`,
        headers: { ...authorization, 'If-None-Match': '*' },
      }),
      requests: () => [
        {
          method: 'GET',
          path: `/stores/${storeId}/products/${products[0]}`,
          headers: { ...authorization, 'If-None-Match': '*' },
        },
      ],
    },
    {
      name: 'notification',
      title: 'Stripe notification → paid order, 1 item',
      limit: 'one-row durable commits of bare better-sqlite3',
      least: 0.45,
      rowBytes,
      once: true,
      left: () => orders.length - paid,
      requests: (count) => {
        const some = orders.slice(paid, paid + count);
        paid += some.length;
        return some.map((order) => {
          const { body, headers } = signedPayment(order, { secret, currency });
          return { method: 'POST', path: `/api/webhooks/stripe/${storeId}`, headers, body };
        });
      },
    },
    {
      name: 'create',
      title: '`POST /stores/{s}/products`',
      limit: 'one-row durable commits of bare better-sqlite3',
      least: 0.45,
      rowBytes,
      once: true,
      left: () => Number.POSITIVE_INFINITY,
      requests: (count) =>
        Array.from({ length: count }, () => ({
          method: 'POST',
          path: `/stores/${storeId}/products`,
          headers: { ...authorization, ...json },
          body: JSON.stringify(productInput(created++)),
        })),
    },
  ];
}
