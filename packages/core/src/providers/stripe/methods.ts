/**
 * The ways to pay that a page of Stripe can offer (`allowed_payment_method_types`). `immediate`: the page tells the result of the payment.
 * `delayed`: the page is completed unpaid, and Stripe tells days later whether the money came (docs.stripe.com/payments/payment-methods,
 * "Payment notification"). Stripe leaves out what does not fit the account, the currency, the amount or the buyer's country.
 */
export const stripeMethods = {
  card: 'immediate',
  link: 'immediate',
  affirm: 'immediate',
  afterpay_clearpay: 'immediate',
  alipay: 'immediate',
  alma: 'immediate',
  amazon_pay: 'immediate',
  bancontact: 'immediate',
  billie: 'immediate',
  bizum: 'immediate',
  blik: 'immediate',
  cashapp: 'immediate',
  crypto: 'immediate',
  eps: 'immediate',
  fpx: 'immediate',
  grabpay: 'immediate',
  ideal: 'immediate',
  kakao_pay: 'immediate',
  klarna: 'immediate',
  kr_card: 'immediate',
  mb_way: 'immediate',
  mobilepay: 'immediate',
  naver_pay: 'immediate',
  p24: 'immediate',
  pay_by_bank: 'immediate',
  payco: 'immediate',
  paynow: 'immediate',
  paypal: 'immediate',
  paypay: 'immediate',
  pix: 'immediate',
  promptpay: 'immediate',
  revolut_pay: 'immediate',
  samsung_pay: 'immediate',
  satispay: 'immediate',
  scalapay: 'immediate',
  sequra: 'immediate',
  sunbit: 'immediate',
  swish: 'immediate',
  twint: 'immediate',
  upi: 'immediate',
  zip: 'immediate',
  au_becs_debit: 'delayed',
  bacs_debit: 'delayed',
  boleto: 'delayed',
  konbini: 'delayed',
  multibanco: 'delayed',
  nz_bank_account: 'delayed',
  oxxo: 'delayed',
  payto: 'delayed',
  sepa_debit: 'delayed',
  us_bank_account: 'delayed',
} as const satisfies Record<string, 'immediate' | 'delayed'>;

export type StripeMethod = keyof typeof stripeMethods;

export const stripeMethodNames = Object.keys(stripeMethods) as [StripeMethod, ...StripeMethod[]];

/** The methods of settings that were stored before a shop could choose them. */
export const earlierMethods: readonly StripeMethod[] = ['card'];

/** The methods of newly configured settings that name none. Link is a card saved at Stripe, and has to be named. */
export const usualMethods: readonly StripeMethod[] = ['card', 'link'];

/** True if Stripe tells days later whether the money came. */
export function isDelayed(method: StripeMethod): boolean {
  return stripeMethods[method] === 'delayed';
}
