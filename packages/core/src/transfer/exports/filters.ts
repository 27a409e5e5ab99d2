import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import { comparable } from '../../customers/customers.ts';
import { CustomerQuery } from '../../customers/fields.ts';
import type { Context } from '../../engine/context.ts';
import { noted } from '../../fields/notes.ts';
import { searchWords } from '../../kernel/fold.ts';
import { takingNames } from '../../kernel/known-fields.ts';
import { oneOf, parse } from '../../kernel/parse.ts';
import { hasLabel } from '../../labels/labels.ts';
import { labelsAsked } from '../../labels/list.ts';
import { metadataPrefix, withMetadata } from '../../labels/query.ts';
import { OrderQuery } from '../../orders/inputs.ts';
import { orderNumberOf, orderTimes } from '../../orders/list.ts';
import { orderSearchWords } from '../../orders/search.ts';
import { isToShip, isUnpaidOffline } from '../../orders/waiting.ts';
import { isInCategories } from '../../products/list/categories.ts';
import { type Lead, matchesOf, ofStatus } from '../../products/list/matches.ts';
import { attributePrefix, ProductFilterQuery, productQueryOf } from '../../products/list/query.ts';
import { filtersOf } from '../../products/list.ts';
import type { Schema } from '../../storage/schema.ts';
import type { ExportedResource } from '../formats/own.ts';

export const orderLines = ['orders', 'items'] as const;

export const OrderExportQuery = noted(
  takingNames(
    OrderQuery.omit({ limit: true, offset: true, sort: true }).extend({
      /** `items`: a CSV file has a row for each line of an order, with the columns of the order repeated. */
      lines: oneOf(orderLines)
        .default('orders')
        .describe('`items`: a CSV file has a row for each line of an order, with the columns of the order repeated.'),
    }),
    metadataPrefix,
  ),
  { description: 'The orders of an export, filtered like their list.' },
);

export const CustomerExportQuery = noted(
  takingNames(CustomerQuery.omit({ limit: true, offset: true, sort: true, after: true }), metadataPrefix),
  {
    description: 'The customers of an export, filtered like their list.',
  },
);

export const ProductExportQuery = noted(takingNames(ProductFilterQuery, attributePrefix, metadataPrefix), {
  description: 'The products of an export, filtered like their list.',
});

/** The schemas of the exports that have filters. */
const queries = {
  orders: OrderExportQuery,
  customers: CustomerExportQuery,
  products: ProductExportQuery,
} as const satisfies Partial<Record<ExportedResource, z.ZodObject>>;

export type FilteredExport = keyof typeof queries;

/** Filters of an export: those of its resource's list, apart from order and window. */
export type ExportFilters = z.input<(typeof queries)[FilteredExport]>;

/** Which rows of a table are exported. */
export interface Narrowing {
  /** Conditions to which an index leads, in the order of time. */
  walk: readonly Expression<SqlBool>[];
  /** The other conditions. They are checked on each row that is read, so that the rows of one read stay few. */
  conditions: readonly Expression<SqlBool>[];
}

/** The rows that the filters of an export leave. @throws CommerceError `validation` */
export function narrowingOf(
  ctx: Context,
  resource: ExportedResource,
  filters: object,
): Narrowing & { lines: (typeof orderLines)[number] } {
  switch (resource) {
    case 'orders': {
      const { lines, ...query } = parse(queries.orders, withMetadata(filters));
      return { lines, ...ofOrders(ctx, query) };
    }
    case 'customers':
      return { lines: 'orders', ...ofCustomers(ctx, parse(queries.customers, withMetadata(filters))) };
    case 'products':
      return { lines: 'orders', ...ofProducts(ctx, parse(queries.products, productQueryOf(filters))) };
    default:
      return { lines: 'orders', walk: [], conditions: [] };
  }
}

type Equal = Expression<SqlBool> | false | undefined | '';

/** The first of some conditions leads the walk; the others are checked. */
function narrowed(equals: readonly Equal[], ranges: readonly Equal[], conditions: readonly Equal[]): Narrowing {
  const isGiven = (one: Equal): one is Expression<SqlBool> => Boolean(one);
  const [leading, ...rest] = equals.filter(isGiven);
  return {
    walk: [...(leading ? [leading] : []), ...ranges.filter(isGiven)],
    conditions: [...rest, ...conditions.filter(isGiven)],
  };
}

function ofOrders(ctx: Context, query: Omit<z.output<typeof OrderExportQuery>, 'lines'>): Narrowing {
  const { status, paymentStatus, customerId, orderNumber, toRefund, toShip, unpaidOffline } = query;
  const eb = expressionBuilder<Schema, 'orders'>();
  const { from, to } = orderTimes(ctx, query);
  const words = orderSearchWords(query.search);
  return narrowed(
    [
      orderNumber && eb('number', '=', orderNumberOf(orderNumber)),
      customerId && eb('customer_id', '=', customerId),
      status && eb('status', '=', status),
      paymentStatus && eb('payment_status', '=', paymentStatus),
      // As a literal, which a partial index needs.
      toRefund && eb('to_refund', '=', sql.lit(1)),
      unpaidOffline && isUnpaidOffline,
      toShip && isToShip,
    ],
    [from !== undefined && eb('created_at', '>=', from), to !== undefined && eb('created_at', '<', to)],
    [
      words.length > 0 && ctx.engine.storage.containsText(eb.ref('search'), words),
      ...labelsAsked(query).map((label) => hasLabel(ctx.store.id, 'orders', label)),
    ],
  );
}

function ofCustomers(ctx: Context, query: z.output<typeof CustomerExportQuery>): Narrowing {
  const eb = expressionBuilder<Schema, 'customers'>();
  const { email, search } = query;
  const words = searchWords(search ?? '');
  return narrowed(
    [email && eb('email', '=', comparable(email))],
    [],
    [
      words.length > 0 && ctx.engine.storage.containsText(eb.ref('search'), words),
      ...labelsAsked(query).map((label) => hasLabel(ctx.store.id, 'customers', label)),
    ],
  );
}

/** Filters whose index has few products, or has them in the order of time. */
const leading: readonly Lead[] = ['slug', 'sku', 'barcode', 'variantGroupId', 'lowStock', 'onSale'];

function ofProducts(ctx: Context, query: z.output<typeof ProductExportQuery>): Narrowing {
  const matches = matchesOf(ctx, filtersOf(ctx, query), 'products');
  const [lead] = matches.filter((match) => leading.includes(match.lead));
  return {
    walk: lead ? [lead.indexed] : query.status ? [ofStatus(query.status, 'products')] : [],
    conditions: [
      ...matches.filter((match) => match !== lead).map(({ checked }) => checked),
      ...(lead && query.status ? [ofStatus(query.status, 'products')] : []),
      ...(query.categoryId ? [isInCategories(ctx, query.categoryId, 'products')] : []),
    ],
  };
}
