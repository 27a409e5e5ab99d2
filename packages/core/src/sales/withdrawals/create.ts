import { audit } from '../../audit/entry.ts';
import { comparable } from '../../customers/customers.ts';
import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { detailOf, invalidInput } from '../../kernel/errors.ts';
import { parse } from '../../kernel/parse.ts';
import { waitForOrder } from '../../mail/of-withdrawals.ts';
import { queueMails } from '../../mail/queue.ts';
import type { AddressSnapshot, Order } from '../../orders/fields.ts';
import { lockOrder } from '../../orders/orders.ts';
import { withCurrentStore } from '../../stores/current.ts';
import {
  daysToRefund,
  type ReceivedWithdrawal,
  type Withdrawal,
  type WithdrawalDraft,
  WithdrawalFields,
  type WithdrawalInput,
  withdrawalEntity,
} from '../../withdrawals/fields.ts';
import { insertWithdrawal } from '../../withdrawals/withdrawals.ts';
import { orderIdOfToken, readOrderOfBuyer } from '../orders/by-token.ts';
import { takeWithdrawalPlace } from './address-cap.ts';
import { orderNumberIn } from './match.ts';

const day = 86_400_000;

/**
 * Receives a statement that a contract is withdrawn from. Everything well formed is received, whether or not there is such an order, and
 * however late it is: the answer tells a stranger nothing. The order is looked for later, by `matchWithdrawal`. With the token of an order's
 * page, name, e-mail and number are those of the order where the input leaves them out, and the order is known at once.
 *
 * Queues the acknowledgement and the mail to the owner. Emits `withdrawal.received`.
 * @param options.orderToken of the order's page
 * @throws CommerceError `validation`; `notFound` for a wrong token; `rateLimited` for a storefront key
 */
export async function createWithdrawal(
  given: Context,
  input: WithdrawalInput,
  { orderToken }: { orderToken?: string | undefined } = {},
): Promise<ReceivedWithdrawal> {
  const ctx = await withCurrentStore(given);
  const draft = parse(WithdrawalFields, input);
  const orderId = orderToken === undefined ? null : await orderIdOfToken(ctx, orderToken);
  return transact(ctx, async (tx) => {
    const known = orderId === null ? undefined : await ofOrder(tx, orderId);
    const statement = complete(draft, known);
    const addressHash = await takeWithdrawalPlace(tx);
    const order = known && namesOrder(draft, known.order) ? known.order : null;
    const isBuyers = known?.email != null && comparable(known.email) === comparable(statement.email);
    const { id, receivedAt } = await insert(tx, statement, order, { addressHash, isBuyers });
    return { id, receivedAt };
  });
}

interface Known {
  order: Order;
  name: string | null;
  email: string | null;
}

async function ofOrder(tx: TxContext, orderId: string): Promise<Known> {
  // Anonymising waits for the order, and then finds what is written here.
  await lockOrder(tx, orderId);
  const { order, name, email } = await readOrderOfBuyer(tx.db, tx.store.id, orderId);
  return { order, name: nameIn(order.shippingAddress) ?? nameIn(order.billingAddress) ?? name, email };
}

function nameIn(address: AddressSnapshot | null): string | null {
  const name = [address?.firstName, address?.lastName].filter((part) => part?.trim()).join(' ');
  return name === '' ? null : name;
}

type Statement = Pick<Withdrawal, 'name' | 'email' | 'orderNumber' | 'items' | 'note'>;

/** @throws CommerceError `validation` for what neither the input nor the order has */
function complete({ items, note, ...draft }: WithdrawalDraft, known: Known | undefined): Statement {
  const name = draft.name ?? known?.name?.slice(0, 100);
  const email = draft.email ?? known?.email;
  const orderNumber = draft.orderNumber ?? known?.order.orderNumber;
  if (!name || !email || !orderNumber) {
    const missing = Object.entries({ name, email, orderNumber }).filter(([, value]) => !value);
    throw invalidInput(missing.map(([field]) => detailOf(field, 'is required', { code: 'REQUIRED' })));
  }
  const goods = items.map(({ productId = null, sku = null, quantity }) => ({ productId, sku, quantity }));
  return { name, email, orderNumber, items: goods, note: note?.trim() ? note : null };
}

/** True unless the buyer has written the number of another order. */
function namesOrder({ orderNumber }: WithdrawalDraft, order: Order): boolean {
  return orderNumber === undefined || `ORD-${orderNumberIn(orderNumber)}` === order.orderNumber;
}

async function insert(
  tx: TxContext,
  statement: Statement,
  order: Order | null,
  { addressHash, isBuyers }: { addressHash: string | null; isBuyers: boolean },
): Promise<Withdrawal> {
  const receivedAt = toTimestamp(tx.now);
  const withdrawal = withdrawalEntity.of({
    id: tx.engine.ids.next(tx.now),
    storeId: tx.store.id,
    status: order ? 'matched' : 'received',
    ...statement,
    orderId: order?.id ?? null,
    merchantNote: null,
    receivedAt,
    dueAt: toTimestamp(tx.now + daysToRefund * day),
    updatedAt: receivedAt,
  });
  const triedAt = order ? tx.now : null;
  const json = await insertWithdrawal(tx, withdrawal, { address_hash: addressHash, tried_at: triedAt });
  const about = { withdrawalId: withdrawal.id, orderId: withdrawal.orderId, wait: order ? 0 : waitForOrder };
  const { ownerAddress } = tx.store.settings.mail;
  await queueMails(tx, [
    {
      kind: 'withdrawal.received',
      // In one spelling, by which acknowledgements to one address are counted.
      to: withdrawal.email.toLowerCase(),
      locale: order?.locale ?? null,
      ...about,
      // Whoever has the link to an order could write to anyone through it.
      orderId: isBuyers ? withdrawal.orderId : null,
    },
    ...(ownerAddress === null ? [] : [{ kind: 'owner.withdrawal' as const, to: ownerAddress, ...about }]),
  ]);
  emit(tx, 'withdrawal.received', withdrawal.id, json);
  audit(tx, { action: 'withdrawal.received', resourceType: 'withdrawal', resourceId: withdrawal.id });
  return withdrawal;
}
