import { orderItemEntity } from '../../orders/fields.ts';

/** A column of an export of orders. */
interface OrderColumn {
  name: string;
  isText: boolean;
  of(order: Record<string, unknown>): string;
}

const text = (name: string): OrderColumn => ({ name, isText: true, of: (order) => cell(order[name]) });
const plain = (name: string): OrderColumn => ({ name, isText: false, of: (order) => cell(order[name]) });

const addressFields = [
  'firstName',
  'lastName',
  'company',
  'address1',
  'address2',
  'city',
  'region',
  'postalCode',
  'country',
  'phone',
];

const address = (name: string): OrderColumn[] =>
  addressFields.map((field) => ({
    name: `${name}.${field}`,
    isText: true,
    of: (order) => cell((order[name] as Record<string, unknown> | null)?.[field]),
  }));

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The columns of one line of an order; `orderId` would repeat the order's `id`. */
const lineColumns: readonly OrderColumn[] = orderItemEntity.columns
  .filter(({ name }) => name !== 'orderId')
  .map(({ name, field, kind }) => ({
    name: `item.${name}`,
    isText: kind === 'text' || kind === 'json',
    of: ({ line }) => cell((line as Record<string, unknown> | undefined)?.[field]),
  }));

/** A row for each order; its lines are JSON in one cell. */
export const orderColumns: readonly OrderColumn[] = [
  ...[
    'id',
    'orderNumber',
    'status',
    'paymentStatus',
    'currency',
    'subtotal',
    'discount',
    'tax',
    'taxRate',
    'taxIncluded',
    'shipping',
  ].map(plain),
  ...['total', 'refundedAmount', 'createdAt', 'placedAt', 'paidAt', 'fulfilledAt', 'cancelledAt', 'cancelReason'].map(
    plain,
  ),
  ...['name', 'email'].map(
    (field): OrderColumn => ({
      name: `customer.${field}`,
      isText: true,
      of: ({ customer }) => cell((customer as Record<string, unknown> | null)?.[field]),
    }),
  ),
  ...['customerId', 'paymentProvider', 'paymentId', 'paymentMethod', 'discountCode'].map(text),
  ...address('shippingAddress'),
  ...address('billingAddress'),
  ...['customerNote', 'giftNote', 'merchantNote', 'metadata', 'tags', 'items', 'paymentDetails'].map(text),
  plain('updatedAt'),
];

/** A row for each line of an order, with the columns of the order repeated. */
export const orderLineColumns: readonly OrderColumn[] = orderColumns.flatMap((column) =>
  column.name === 'items' ? lineColumns : [column],
);
