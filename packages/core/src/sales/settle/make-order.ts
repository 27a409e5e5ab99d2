import { CustomerContact } from '../../customers/fields.ts';
import type { TxContext } from '../../engine/context.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { Address, type OrderInput, orderFields } from '../../orders/inputs.ts';
import type { AttemptNotice } from '../../providers/notice.ts';
import { insertOrder } from '../moves/insert.ts';

/**
 * Creates the order that a payment names and describes, under the named id and only with published products. Tax and shipping default to
 * the store's settings.
 * @returns the order, or the problem that prevented it; neither if the payment describes no items
 */
export async function makeOrder(
  tx: TxContext,
  id: string,
  { draft, draftProblem }: AttemptNotice,
): Promise<{ order: Order | null; problem: string | null }> {
  if (draftProblem !== null || draft === null) return { order: null, problem: draftProblem };
  try {
    const input = parse(orderFields(tx.store.decimals), { ...readable(draft), id });
    return {
      order: await insertOrder(tx, input, { publishedOnly: true, defaultShipping: true, isPaid: true }),
      problem: null,
    };
  } catch (error) {
    // Refused before anything was written, so the transaction can continue.
    if (error instanceof CommerceError && error.kind === 'validation') return { order: null, problem: error.message };
    throw error;
  }
}

/** The draft without an invalid person or address, which must not prevent the sale. */
function readable(draft: OrderInput): OrderInput {
  const valid = { ...draft };
  if (!CustomerContact.nullish().safeParse(draft.customer).success) valid.customer = null;
  if (!Address.nullish().safeParse(draft.shippingAddress).success) valid.shippingAddress = null;
  if (!Address.nullish().safeParse(draft.billingAddress).success) valid.billingAddress = null;
  return valid;
}
