import type { CheckoutDraft } from '../../checkouts/fields.ts';
import type { Context } from '../../engine/context.ts';
import { CommerceError, invalid } from '../../kernel/errors.ts';
import { paymentMethodsOf } from '../../payments/methods.ts';
import type { ReadySettings } from '../../payments/settings.ts';
import type { BuyingFacts } from '../pricing/cart.ts';

/** The rules of a checkout, and the way to pay that its body asks for. */
export function buyingFacts(
  { actor, store }: Context,
  { provider, paymentMethodId }: { provider?: string | undefined; paymentMethodId: string | null },
  ready: readonly ReadySettings[],
): BuyingFacts {
  const wanted =
    paymentMethodId !== null
      ? ({ field: 'paymentMethodId', id: paymentMethodId } as const)
      : provider !== undefined
        ? ({ field: 'provider', id: provider } as const)
        : null;
  return {
    maxQuantity: actor.isPublic ? store.settings.maxQuantity : null,
    paymentMethods: paymentMethodsOf({ settings: store.settings, ready, isPublic: actor.isPublic === true }),
    wanted,
  };
}

/**
 * Metadata are for programs of the shop, and nobody else writes them.
 * @throws CommerceError `validation`
 */
export function refusePublicMetadata({ actor }: Context, { metadata }: Pick<CheckoutDraft, 'metadata'>): void {
  if (!actor.isPublic || metadata === undefined) return;
  throw invalid('metadata', 'must be left out with a storefront key', { code: 'UNKNOWN_FIELD' });
}

/**
 * Anyone has a storefront key, and an exempt order costs less.
 * @throws CommerceError `forbidden`
 */
export function refusePublicExemption({ actor }: Context, { taxExempt }: Pick<CheckoutDraft, 'taxExempt'>): void {
  if (!actor.isPublic || !taxExempt) return;
  throw new CommerceError('forbidden', 'taxExempt: only a secret key can say that no tax falls on an order');
}
