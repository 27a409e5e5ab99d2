import * as z from 'zod';
import { type Entity, entity, type GivenInput, type Input, written } from '../../fields/entity.ts';
import { choice, flag, integer, kind, money, nullable, requiredText } from '../../fields/kinds.ts';
import { maxPaymentMethods } from '../../kernel/limits.ts';
import { minorOf } from '../../kernel/money.ts';
import { ruled } from '../../kernel/parse.ts';
import { providerNames } from '../../storage/tables/payments.ts';
import { countries, methodId, uniqueIds } from './methods.ts';

interface KindFacts {
  /** The shop takes the money itself; no provider opens a page. */
  isOffline: boolean;
  /** The goods can leave before they are paid, so the order holds its stock without end. */
  shipsUnpaid: boolean;
  /** Storefront keys cannot choose it. */
  needsSecretKey: boolean;
}

const kindFacts = {
  provider: { isOffline: false, shipsUnpaid: false, needsSecretKey: false },
  transfer: { isOffline: true, shipsUnpaid: false, needsSecretKey: false },
  cash_on_delivery: { isOffline: true, shipsUnpaid: true, needsSecretKey: false },
  on_pickup: { isOffline: true, shipsUnpaid: true, needsSecretKey: false },
  // Anyone has a storefront key, and an invoice is a credit.
  invoice: { isOffline: true, shipsUnpaid: true, needsSecretKey: true },
} as const satisfies Record<string, KindFacts>;

export type PaymentKind = keyof typeof kindFacts;
export const paymentKinds = Object.keys(kindFacts) as [PaymentKind, ...PaymentKind[]];

/** The facts of a way to pay that orders, stock and prices depend on. */
export function factsOfKind(kind: PaymentKind): KindFacts {
  return kindFacts[kind];
}

/** Days for which a bank transfer is waited for. */
export const usualHoldDays = 7;

const paymentMethodShape = {
  /** The id, which checkouts name. */
  id: written(
    kind(methodId, () => z.string(), 'word'),
    { words: 'The id, which checkouts name.', example: 'transfer', initial: '' },
  ),
  /** The name that buyers see. */
  name: written(requiredText(100), { words: 'The name that buyers see.', example: 'Bank transfer', required: true }),
  /** `provider` opens a page; the shop takes the money itself in the other ways. `invoice` is only for secret keys. */
  kind: written(choice(paymentKinds), {
    words:
      '`provider` opens a page; the shop takes the money itself in the other ways. `invoice` is only for secret keys.',
    example: 'transfer',
    required: true,
  }),
  /** The provider, for the kind `provider`; null for the others. */
  provider: written(nullable(choice(providerNames)), {
    words: 'The provider, for the kind `provider`; null for the others.',
  }),
  /** What the buyer reads after ordering; `{orderNumber}`, `{total}` and `{currency}` are filled in. */
  instructions: written(nullable(requiredText(2000)), {
    words: 'What the buyer reads after ordering; `{orderNumber}`, `{total}` and `{currency}` are filled in.',
    example: 'Please transfer {total} {currency} to DE02 1203 0000 0000 2020 51, reference {orderNumber}.',
  }),
  /** Codes of the countries it serves; null for all. */
  countries: written(nullable(kind(countries, () => z.array(z.string()), 'json')), {
    words: 'Codes of the countries it serves; null for all.',
    example: ['DE', 'AT'],
    input: { words: 'ISO 3166 codes of two letters; null for everywhere.' },
  }),
  /** Minimum total of an order; null for none. */
  minTotal: written(nullable(money()), {
    words: 'Minimum total of an order; null for none.',
    input: { words: "A decimal string with at most the currency's decimals." },
  }),
  /** Maximum total of an order; null for none. */
  maxTotal: written(nullable(money()), {
    words: 'Maximum total of an order; null for none.',
    example: '500.00',
    input: { words: "A decimal string with at most the currency's decimals." },
  }),
  /** Days for which a `transfer` holds the stock of its order; null for the other kinds. */
  holdDays: written(nullable(integer(1, 30)), {
    words: 'Days for which a `transfer` holds the stock of its order; null for the other kinds.',
    example: usualHoldDays,
  }),
  /** Whether buyers can choose it. */
  active: written(flag(), { words: 'Whether buyers can choose it.', example: true, initial: true }),
};

const paymentMethodEntity = entity(paymentMethodShape, { words: 'A way in which buyers pay.' });

/** One way in which buyers pay, as the settings have it. Amounts are decimal strings in the store's currency. */
export type PaymentSetting = Entity<typeof paymentMethodShape>;
export type PaymentSettingInput = GivenInput<typeof paymentMethodShape>;

type Wrong = [field: keyof PaymentSettingInput, rule: ReturnType<typeof ruled>] | undefined;

/** What is wrong with a way to pay whose fields are right one by one. */
function wrongIn({ kind, provider, holdDays, minTotal, maxTotal }: PaymentSettingInput): Wrong {
  if (kind === 'provider' && !provider) {
    return ['provider', ruled(`must be one of ${providerNames.join(', ')} for the kind "provider"`, 'REQUIRED')];
  }
  if (kind !== 'provider' && provider) {
    return ['provider', ruled(`must be left out for the kind "${kind}"`, 'CONFLICTING')];
  }
  if (kind !== 'transfer' && holdDays != null) {
    return ['holdDays', ruled('must be left out, except for the kind "transfer"', 'CONFLICTING')];
  }
  if (minTotal != null && maxTotal != null && minorOf(minTotal) > minorOf(maxTotal)) {
    return ['minTotal', ruled('must be at most maxTotal', 'CONFLICTING')];
  }
  return undefined;
}

const paymentMethods = {
  rule: (decimals: number): z.ZodType<GivenInput<typeof paymentMethodShape>[], Input<typeof paymentMethodShape>[]> =>
    z
      .array(
        paymentMethodEntity.inputs(decimals).create.superRefine((method, context) => {
          const wrong = wrongIn(method);
          if (wrong)
            context.addIssue({ code: 'custom', path: [wrong[0]], message: wrong[1].error, params: wrong[1].params });
        }),
        'must be a list of ways to pay',
      )
      .max(maxPaymentMethods, `must have at most ${maxPaymentMethods} ways to pay`)
      .refine(uniqueIds, ruled('must not have two ways to pay of one id', 'CONFLICTING')),
  answer: () => z.array(paymentMethodEntity.answer()),
  cell: 'json' as const,
};

/** The settings about ways to pay. */
export const paymentSettings = {
  /** The ways to pay in the order that buyers see. Without any, each provider that can open pages is one. */
  paymentMethods: written(paymentMethods, {
    words: 'The ways to pay in the order that buyers see. Without any, each provider that can open pages is one.',
    input: { words: 'Replaced as a whole. An entry with an `id` keeps it, one without gets one.' },
    initial: [],
    entries: paymentMethodShape,
  }),
  /** Maximum unpaid orders to pay without a provider, made with storefront keys and not yet shipped. */
  maxOpenOffline: written(integer(1, 10_000), {
    words: 'Maximum unpaid orders to pay without a provider, made with storefront keys and not yet shipped.',
    example: 100,
    initial: 100,
  }),
};
