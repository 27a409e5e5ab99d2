import { type CommerceError, invalid } from '../kernel/errors.ts';
import type { OutboundAnswer } from '../network/outbound.ts';
import { ProviderSettingsError } from './checkout-page.ts';
import { cut } from './checkout-texts.ts';

/** A provider's refusal in words for a log. */
export interface Refusal {
  provider: string;
  status: number;
  /** The provider's own word, such as `amount_too_small`. */
  code: string | null;
  /** The field of the provider's request. */
  field: string | null;
  message: string | null;
}

/** The error for a refusal that the buyer's input explains. @param field of the checkout */
export function refusedInput(field: string, { provider, message, code }: Refusal): CommerceError {
  return invalid(field, `${provider} refused it: ${cut(message ?? code ?? 'no reason given', 200)}`);
}

/** The error for a refusal of the settings, or of a request that is wrong by our own fault. Secrets in it are made unreadable. */
export function refusedSettings(refusal: Refusal, secrets: readonly (string | undefined)[]): ProviderSettingsError {
  const { provider, status, code, field, message } = refusal;
  const words = [code, field, message].filter(Boolean).join(', ');
  let text = `${provider} answered ${status}${words && ` (${words})`}`;
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '…');
  return new ProviderSettingsError(cut(text, 400));
}

/** The error for an answer that is not what the API documents. */
export function unreadable(provider: string, { status }: OutboundAnswer, what: string): ProviderSettingsError {
  return new ProviderSettingsError(`${provider} answered ${status} without ${what}: is its address right?`);
}
