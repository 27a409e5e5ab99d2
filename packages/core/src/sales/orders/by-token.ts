import { anonymousEmail } from '../../customers/anonymous.ts';
import { customerEntity } from '../../customers/fields.ts';
import type { Context } from '../../engine/context.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { type Order, orderEntity } from '../../orders/fields.ts';
import { orderOfToken } from '../../orders/link.ts';
import { prepared } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import type { Db } from '../../storage/storage.ts';

/** An order with the person who bought it. */
export interface OrderOfBuyer {
  order: Order;
  /** As of the order, else as the customer has it now. */
  email: string | null;
  /** The customer's name. */
  name: string | null;
}

/**
 * The id of the order that a token opens. The token is a secret, so no message has it.
 * @throws CommerceError `notFound`, the same for every wrong token
 */
export async function orderIdOfToken({ engine, store }: Context, token: string): Promise<string> {
  const id = await reading(engine.storage, () => orderOfToken(engine, store.id, token));
  if (id === null) throw noSuchOrder();
  return id;
}

const orderWithBuyer = prepared<
  { storeId: string; id: string },
  { json: string; orderEmail: string | null; customer: string | null }
>((db, p) =>
  db
    .selectFrom('orders')
    .leftJoin('customers', (join) =>
      join.onRef('customers.store_id', '=', 'orders.store_id').onRef('customers.id', '=', 'orders.customer_id'),
    )
    .select(['orders.json', 'orders.email as orderEmail', 'customers.json as customer'])
    .where('orders.store_id', '=', p('storeId'))
    .where('orders.id', '=', p('id')),
);

/**
 * The order of a token with its buyer.
 * @throws CommerceError `notFound` if it was erased, or if its buyer was anonymised: the same as for a wrong token
 */
export async function readOrderOfBuyer(db: Db, storeId: string, id: string): Promise<OrderOfBuyer> {
  const [row] = await orderWithBuyer(db, { storeId, id });
  if (!row) throw noSuchOrder();
  const customer = row.customer === null ? null : customerEntity.read(row.customer);
  if (customer && customer.email === anonymousEmail(customer.id)) throw noSuchOrder();
  const email = row.orderEmail ?? customer?.email ?? null;
  return { order: orderEntity.read(row.json), email, name: customer?.name ?? null };
}

function noSuchOrder(): CommerceError {
  return new CommerceError(
    'notFound',
    'no order for this Order-Token: the token is incomplete, has ended, or was replaced by newer links',
  );
}
