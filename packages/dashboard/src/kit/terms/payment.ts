import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';

export type Source = Schemas['Payment']['provider'];

/** Names of the providers, and the word for a payment that the shop recorded itself. */
export const providerNames: Record<Source, string> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  square: 'Square',
  manual: t.payments.byHand,
};

/** Whether this is a provider, or the word for payments that the shop recorded itself. An order without cost has another one. */
export const isSource = (name: string | null): name is Source => name !== null && Object.hasOwn(providerNames, name);

const { methods } = t.payments;

/** Ways to pay by the names of the providers, and by the usual names for recorded payments. */
const methodWords: Record<string, string> = {
  card: methods.card,
  card_present: methods.card,
  transfer: methods.bankTransfer,
  bank_transfer: methods.bankTransfer,
  customer_balance: methods.bankTransfer,
  bank_account: methods.bankAccount,
  us_bank_account: methods.bankAccount,
  sepa_debit: methods.directDebit,
  bacs_debit: methods.directDebit,
  acss_debit: methods.directDebit,
  au_becs_debit: methods.directDebit,
  direct_debit: methods.directDebit,
  cash: methods.cash,
  invoice: methods.invoice,
  cheque: methods.cheque,
  check: methods.cheque,
  gift_card: methods.giftCard,
  wallet: methods.wallet,
  buy_now_pay_later: methods.payLater,
  external: methods.external,
  kr_card: methods.card,
  nz_bank_account: methods.bankAccount,
  paypal: 'PayPal',
  ideal: 'iDEAL',
  eps: 'EPS',
  blik: 'BLIK',
  twint: 'TWINT',
  p24: 'Przelewy24',
  mb_way: 'MB WAY',
  wechat_pay: 'WeChat Pay',
  mobilepay: 'MobilePay',
  cashapp: 'Cash App',
  afterpay_clearpay: 'Afterpay, Clearpay',
  pay_by_bank: 'Pay by Bank',
  revolut_pay: 'Revolut Pay',
  amazon_pay: 'Amazon Pay',
  kakao_pay: 'Kakao Pay',
  naver_pay: 'Naver Pay',
  samsung_pay: 'Samsung Pay',
  payco: 'PAYCO',
  sequra: 'seQura',
  fpx: 'FPX',
  grabpay: 'GrabPay',
  paynow: 'PayNow',
  promptpay: 'PromptPay',
  paypay: 'PayPay',
  payto: 'PayTo',
  upi: 'UPI',
  oxxo: 'OXXO',
};

/** A way to pay in words: "Card via Stripe", "PayPal", "Bank transfer". */
export function methodOf(provider: Source, method: string | null): string {
  const name = providerNames[provider];
  if (!method) return name;
  const words = methodName(method);
  return provider === 'manual' || words === name ? words : t.payments.via(words, name);
}

/** A way to pay without its provider. */
export function methodName(method: string): string {
  return Object.hasOwn(methodWords, method) ? (methodWords[method] as string) : inWords(method);
}

/** `new_pay` as "New pay". */
function inWords(method: string): string {
  const text = method.replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The page of a payment at its provider; undefined if there is none for this kind of id. */
const addresses: Record<Source, (id: string, isTest: boolean) => string | undefined> = {
  // Checkout sessions have no page.
  stripe: (id, isTest) =>
    /^(pi|ch|py)_/.test(id) ? `https://dashboard.stripe.com/${isTest ? 'test/' : ''}payments/${id}` : undefined,
  paypal: (id, isTest) => `https://www.${isTest ? 'sandbox.' : ''}paypal.com/activity/payment/${id}`,
  square: (id, isTest) => `https://app.squareup${isTest ? 'sandbox' : ''}.com/dashboard/sales/transactions/${id}`,
  manual: () => undefined,
};

/** The address of a payment at its provider, if it has one there. */
export function addressAt(provider: Source, id: string, isTest: boolean): string | undefined {
  return addresses[provider](encodeURIComponent(id), isTest);
}
