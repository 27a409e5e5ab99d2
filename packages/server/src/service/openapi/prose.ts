import { collections, type Noun, nounNames, nouns, scopes } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { capitalised } from '../../routes/crud.ts';

const webhooks = {
  tag: 'Webhooks',
  one: 'subscription',
  description: 'Addresses that receive events. The deliveries are described under Events.',
};

const statistics = {
  tag: 'Statistics',
  one: 'statistic',
  description: 'Sales figures, updated with each payment and refund, and the work that waits.',
};

const mails = {
  tag: 'Mail',
  one: 'mail',
  description: "Mails to buyers and to the owner, and the shop's own texts for them.",
};

const apiKeys = {
  tag: 'API keys',
  one: 'API key',
  description: 'API keys of programs, with their scopes. A key is shown only when it is created.',
};

function wordsOf(noun: Noun) {
  return { tag: capitalised(nouns[noun].table), one: noun, description: collections[noun].words.description };
}

/** Tag, singular name and description of each resource, by the first part of its path. */
export const resources: Readonly<Record<string, { tag: string; one: string; description: string }>> = {
  ...Object.fromEntries(nounNames.map((noun) => [nouns[noun].table, wordsOf(noun)])),
  orders: {
    tag: 'Orders',
    one: 'order',
    description: 'Purchases. A pending order becomes paid only by a payment; refunds recorded here do not move money.',
  },
  payments: {
    tag: 'Payments',
    one: 'payment',
    description:
      'Payments reported by providers or recorded by the shop. `matched` describes how incoming money was assigned.',
  },
  'payment-providers': {
    tag: 'Payment providers',
    one: 'provider',
    description: 'Providers that receive payments for the store. Their secrets are write-only.',
  },
  checkouts: {
    tag: 'Checkouts',
    one: 'checkout',
    description: 'From a cart to its payment: an order with reserved stock, and a payment page of a provider.',
  },
  invoices: {
    tag: 'Invoices',
    one: 'invoice',
    description:
      'Invoices and credit notes, numbered without gaps. They are written by the service, and never changed.',
  },
  withdrawals: {
    tag: 'Withdrawals',
    one: 'withdrawal',
    description:
      'Statements of buyers that a contract is withdrawn from. Every one is received; its order is looked for later.',
  },
  discounts: { tag: 'Discounts', one: 'discount', description: 'Codes that lower the price of an order at checkout.' },
  statistics,
  desk: statistics,
  settings: {
    tag: 'Settings',
    one: 'setting',
    description: 'How the store sells: tax, shipping, reservations, and the origins of its pages.',
  },
  shop: {
    tag: 'Shop',
    one: 'shop',
    description: 'What pages of a shop must know of it before they sell.',
  },
  media: { tag: 'Media', one: 'image', description: 'Images. They are uploaded here and served under `/media`.' },
  webhooks,
  deliveries: webhooks,
  subscribers: webhooks,
  mails,
  mail: mails,
  'mail-templates': mails,
  users: {
    tag: 'Users',
    one: 'user',
    description: 'People who sign in to the dashboard of the store, with their roles.',
  },
  'api-keys': apiKeys,
  whoami: apiKeys,
  'audit-logs': {
    tag: 'Audit log',
    one: 'entry',
    description: 'Changes with their authors. An entry is written in the transaction of its change.',
  },
  imports: {
    tag: 'Imports',
    one: 'import',
    description:
      'Files imported as products, categories, customers or pages, in the background and one at a time for each store.',
  },
  mcp: {
    tag: 'Assistants',
    one: 'message',
    description: 'Tools for assistants that speak the Model Context Protocol, each an operation of this interface.',
  },
  exports: { tag: 'Exports', one: 'export', description: 'Files with all items of a resource.' },
};

export const paymentTag = 'Payment notifications';
export const serviceTag = 'Service';
export const feedTag = 'Feeds';
export const ucpTag = 'Agents';
export const eventTag = 'Events';

export const tags: Json[] = [
  ...[...new Set(Object.values(resources))].map(({ tag, description }) => ({ name: tag, description })),
  {
    name: paymentTag,
    description:
      'Addresses for the notifications of payment providers. They are authenticated by signature instead of an API key.',
  },
  {
    name: feedTag,
    description: 'Product feeds for search engines and marketplaces, and sitemaps. No key is needed.',
  },
  {
    name: ucpTag,
    description:
      'The catalogue for shopping agents, by the Universal Commerce Protocol 2026-04-08. No key is needed; the setting `ucp` enables it.',
  },
  { name: serviceTag, description: 'Health, documentation, metrics and files. No key is needed.' },
  {
    name: eventTag,
    description:
      'Requests sent to subscribers, at least once and not always in order: compare `X-Webhook-Id` to recognise a repetition. Anything but a 2xx answer within 10 s is tried again about 5 s, 25 s, 2 min and 10 min after the attempt before. Redirects are not followed. `POST /webhooks/{id}/test` sends one of the type `webhook.test`, which cannot be subscribed to.',
  },
];

const scopeLines = scopes.map((scope) => {
  if (scope === 'order.write') return '- `order.write` (deprecated, but still required to change orders)';
  if (scope === 'order.delete') return '- `order.delete` (deprecated; not required anywhere)';
  return `- \`${scope}\``;
});

export const description = `Products, categories, customers, pages, images, orders that payments pay, signed webhooks, API keys and an audit log.

## Paths
All routes of a store are below \`/stores/{storeId}\`; \`/api/stores/{storeId}\` is the same. HEAD works like GET, PATCH does the same as PUT, OPTIONS answers 204 with \`Allow\`.

## Keys and scopes
Send an API key as \`Authorization: Bearer <key>\` or as \`X-API-Key: <key>\`. A key belongs to one store: on any other path it gets 403, whether that store exists or not. Each operation names the scope that it needs; \`write\` does not imply \`read\`.

${scopeLines.join('\n')}

## Bodies
JSON in UTF-8, an object, at most 1 MiB. Fields that the service itself sets are ignored: you can edit the response to a GET and send it back. Unknown fields are ignored as well, except where money is at stake: these bodies have no additional properties, and an unknown field is 400. With \`Prefer: handling=strict\`, unknown fields and parameters are 400 everywhere. In a change, an absent field keeps its value, and \`null\` clears an optional one.

Money is a decimal string with the decimals of the store's currency: \`"12.50"\` in euros, \`"1250"\` in yen, \`"12.500"\` in Kuwaiti dinars. Times are UTC with milliseconds. Ids are UUIDv7: they sort by time of creation.

## Lists
Newest first. \`limit\` and \`offset\` choose the page, \`total\` is the exact number of matches. Unknown parameters are ignored, except with \`Prefer: handling=strict\`; a known one with an invalid value is 400.

## Repeating and colliding
A POST with an \`Idempotency-Key\` can be repeated safely for 24 hours: the repeated response has \`Idempotent-Replayed: true\`, without the \`key\`, the \`secret\`, the \`orderUrl\`, the sign-in \`code\` or the \`feed\` of the first one. A single item has an \`ETag\`: with \`If-None-Match\` it is not sent twice, and with \`If-Match\` a change is rejected (409) if another change came first.

## Errors
\`{"error": {"code", "message", "details"}}\`, checked in this order: key (401), limit (429), store of the key (403), path (404), method (405), scope (403), body (400, 413, 415), item (404), conflict (409). \`details\` names each rejected field.

## Limits
Stores can have a limit of requests per minute; \`RateLimit-*\` headers show the remaining requests, and 429 and 503 responses have \`Retry-After\`.`;

export const securitySchemes: Record<string, Json> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer ck_live_…`. Its scopes determine its permissions.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-commerce',
    description:
      'The session of a user of the dashboard, together with the header `Commerce-Dashboard: 1` and only from its own pages. On plain HTTP at the machine itself the cookie is called `commerce`.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: `X-API-Key: ck_live_…`.' },
};
