import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Engine } from '../engine/context.ts';
import { prepared } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';

/** Days for which a link to the buyer's page of an order opens it. */
export const linkDays = 400;

const day = 86_400_000;

/** The secret that signs what only this store's service can have made. */
export const secretOfStore = prepared<{ id: string }, { link_secret: string }>((db, p) =>
  db.selectFrom('stores').select('link_secret').where('id', '=', p('id')),
);

/**
 * The token that opens the buyer's page of an order: the id, the day on which it ends, and a signature with a secret of the store. Whoever
 * has it sees the order, so it belongs in no log and no path.
 */
export async function orderToken(db: Db, storeId: string, orderId: string, now: number): Promise<string | null> {
  const [row] = await secretOfStore(db, { id: storeId });
  if (!row) return null;
  const end = Math.floor(now / day) + linkDays;
  return `${orderId}.${end.toString(36)}.${signature(row.link_secret, storeId, orderId, end).toString('base64url')}`;
}

/** The order that a token opens; null for a token that is wrong, has ended, or was signed with an earlier secret. */
export async function orderOfToken({ storage, clock }: Engine, storeId: string, token: string): Promise<string | null> {
  const [orderId = '', last = '', given = '', ...rest] = token.split('.');
  const end = Number.parseInt(last, 36);
  if (rest.length > 0 || token.length > 200 || !Number.isSafeInteger(end) || end.toString(36) !== last) return null;
  const [row] = await secretOfStore(storage.reads, { id: storeId });
  if (!row) return null;
  const expected = signature(row.link_secret, storeId, orderId, end);
  const bytes = Buffer.from(given, 'base64url');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return null;
  return Math.floor(clock.now() / day) <= end ? orderId : null;
}

function signature(secret: string, storeId: string, orderId: string, end: number): Buffer {
  return createHmac('sha256', secret).update(`${storeId} ${orderId} ${end}`).digest();
}

/** The address of the buyer's page of an order; null if the shop has none. */
export async function orderLink(
  db: Db,
  storeId: string,
  orderUrl: string | null,
  orderId: string,
  now: number,
): Promise<string | null> {
  const token = orderUrl === null ? null : await orderToken(db, storeId, orderId, now);
  return orderUrl === null || token === null ? null : orderUrl.replace('{token}', () => token);
}
