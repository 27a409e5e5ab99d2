import { rewriteEvents } from '../../deliveries/outbox.ts';
import type { TxContext } from '../../engine/context.ts';
import { fromJson } from '../../kernel/json.ts';
import { forgetMails } from '../../mail/mails.ts';
import { anonymiseWithdrawals } from '../../withdrawals/withdrawals.ts';

/**
 * Removes the person from withdrawals, their events and their mails: those of the orders, and those with one of the e-mail addresses.
 */
export async function forgetWithdrawals(
  tx: TxContext,
  of: { orderIds: readonly string[]; emails: readonly string[] },
): Promise<void> {
  const texts = await anonymiseWithdrawals(tx, of);
  if (texts.size === 0) return;
  // A statement can be older than the order and the customer that it is found by.
  const received = [...texts.values()].map((text) => fromJson(text).receivedAt);
  const first = received.reduce((a, b) => (a < b ? a : b));
  await rewriteEvents(tx, texts, first);
  await forgetMails(tx, { withdrawalIds: [...texts.keys()] });
}
