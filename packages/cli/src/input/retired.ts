import { UsageError } from '../usage-error.ts';

/** Variable that used to hold two different secrets: the secret of a provider's notifications, and the secret of a subscription. */
const retired = 'COMMERCE_WEBHOOK_SECRET';

/**
 * Refuses the retired variable if the command would have read it.
 * @param current the variable that replaces it for this command
 * @throws UsageError
 */
export function refuseRetiredSecret(current: string): void {
  if (!process.env[retired]) return;
  throw new UsageError(
    `${retired} is no longer supported, because it was used for two different secrets: ` +
      `use COMMERCE_STRIPE_WEBHOOK_SECRET for Stripe's notifications and COMMERCE_SUBSCRIBER_SECRET for a subscription; ` +
      `this command reads ${current}`,
  );
}
