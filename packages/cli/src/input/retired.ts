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
    `${retired} is not read any more, because it stood for two different secrets: ` +
      `COMMERCE_STRIPE_WEBHOOK_SECRET is that of Stripe's notifications, COMMERCE_SUBSCRIBER_SECRET that of a subscription; ` +
      `here it would be ${current}`,
  );
}
