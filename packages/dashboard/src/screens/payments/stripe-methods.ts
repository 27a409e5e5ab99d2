import type { CheckGroup } from '../../kit/index.ts';
import { methodName } from '../../kit/terms/payment.ts';
import { countryName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';

const words = t.payments.pageMethods;

/** Where nearly all buyers of a method are: a country, another area, or null for many countries. */
type Areas = Record<string, string | null>;

/** All methods that a page of Stripe can offer, in groups. The ones that most shops want come first. */
const areas = {
  everywhere: {
    ...{ card: null, link: null, paypal: null, klarna: null, revolut_pay: null, amazon_pay: null },
    ...{ afterpay_clearpay: null, billie: null, crypto: null },
  },
  europe: {
    ...{ ideal: 'NL', bancontact: 'BE', eps: 'AT', twint: 'CH', blik: 'PL', p24: 'PL', swish: 'SE', mobilepay: 'DK' },
    ...{ bizum: 'ES', mb_way: 'PT', satispay: 'IT', pay_by_bank: 'GB', alma: 'FR', scalapay: 'IT', sequra: 'ES' },
  },
  america: { affirm: 'US', cashapp: 'US', sunbit: 'US', zip: 'US', pix: 'BR' },
  asia: {
    ...{ alipay: 'CN', fpx: 'MY', grabpay: 'SG', paynow: 'SG', promptpay: 'TH', paypay: 'JP', upi: 'IN' },
    ...{ kakao_pay: 'KR', kr_card: 'KR', naver_pay: 'KR', payco: 'KR', samsung_pay: 'KR' },
  },
  /** Their money comes, or fails, days later. */
  delayed: {
    ...{ sepa_debit: 'SEPA', multibanco: 'PT', bacs_debit: 'GB', us_bank_account: 'US', au_becs_debit: 'AU' },
    ...{ nz_bank_account: 'NZ', payto: 'AU', boleto: 'BR', oxxo: 'MX', konbini: 'JP' },
  },
} as const satisfies Record<string, Areas>;

export const methodGroups: readonly CheckGroup[] = Object.entries(areas).map(([name, methods]) => ({
  label: words.groups[name as keyof typeof areas],
  options: Object.entries<string | null>(methods).map(([method, area]) => [
    method,
    area === null ? methodName(method) : `${methodName(method)} (${countryName(area)})`,
  ]),
}));

/** True if the money comes, or fails, days later. */
export const isDelayed = (method: string): boolean => Object.hasOwn(areas.delayed, method);
