import * as z from 'zod';
import { type Entity, entity, type GivenInput, type Input, written } from '../../fields/entity.ts';
import { choice, flag, integer, kind, money, nullable, requiredText } from '../../fields/kinds.ts';
import { objectOf } from '../../fields/nested.ts';
import { maxPostalPrefixes, maxShippingMethods, maxShippingRates } from '../../kernel/limits.ts';
import { minorOf } from '../../kernel/money.ts';
import { ruled, text } from '../../kernel/parse.ts';
import { countries, methodId, uniqueIds } from './methods.ts';

/** How goods reach the buyer. */
export const shippingKinds = ['ship', 'pickup'] as const;
export type ShippingKind = (typeof shippingKinds)[number];

/** Maximum weight of a product, in grams: a thousand tonnes. */
export const maxWeight = 1_000_000_000;

const decimalWords = "A decimal string with at most the currency's decimals.";

const bandShape = {
  /** Weight in grams up to which the price counts; null for a band of the subtotal, and without end in the last one. */
  upToWeight: written(nullable(integer(1, maxWeight)), {
    words:
      'Weight in grams up to which the price counts; null for a band of the subtotal, and without end in the last one.',
    example: 2000,
  }),
  /** Subtotal before discounts up to which the price counts; null for a band of the weight, and without end in the last one. */
  upToSubtotal: written(nullable(money()), {
    words:
      'Subtotal before discounts up to which the price counts; null for a band of the weight, and without end in the last one.',
    input: { words: `Subtotal before discounts up to which the price counts. ${decimalWords}` },
  }),
  /** The price. */
  price: written(money(), { words: 'The price.', example: '4.90', required: true, input: { words: decimalWords } }),
};

const bandEntity = entity(bandShape, { words: 'What a way to ship costs up to a weight or a subtotal.', strict: true });

/** A price up to a weight or a subtotal. */
export type ShippingBand = Entity<typeof bandShape>;
type GivenBand = GivenInput<typeof bandShape>;

/** What is wrong with the bands of a method: the place in the list, and the rule. */
function wrongBand(bands: readonly GivenBand[]): [at: (number | string)[], rule: ReturnType<typeof ruled>] | undefined {
  const fields = ['upToWeight', 'upToSubtotal'] as const;
  const used = fields.filter((field) => bands.some((band) => band[field] != null));
  if (used.length > 1) return [[], ruled('must all be by upToWeight, or all by upToSubtotal', 'CONFLICTING')];
  const [field] = used;
  if (!field) {
    if (bands.length === 1) return undefined;
    return [[0, 'upToWeight'], ruled('is required, as is upToSubtotal of bands by subtotal', 'REQUIRED')];
  }
  let before = 0n;
  for (const [i, band] of bands.entries()) {
    const given = band[field];
    if (given == null) {
      if (i === bands.length - 1) return undefined;
      return [[i, field], ruled('is required: only the last band may be open', 'REQUIRED')];
    }
    const end = typeof given === 'string' ? minorOf(given) : BigInt(given);
    if (end <= before) return [[i, field], ruled('must be more than in the band before', 'CONFLICTING')];
    before = end;
  }
  return undefined;
}

const bands = {
  rule: (decimals: number): z.ZodType<GivenBand[], Input<typeof bandShape>[]> =>
    z
      .array(bandEntity.inputs(decimals).create, 'must be a list of bands')
      .min(1, 'must have at least one band, or be null for one price')
      .max(maxShippingRates, `must have at most ${maxShippingRates} bands`)
      .superRefine((list, context) => {
        const wrong = wrongBand(list);
        if (wrong)
          context.addIssue({ code: 'custom', path: wrong[0], message: wrong[1].error, params: wrong[1].params });
      }) as never,
  answer: () => z.array(bandEntity.answer()),
  cell: 'json' as const,
};

/** Beginnings of postal codes in upper case, without blanks. */
const prefixesRule = z
  .array(
    text(20)
      .transform((prefix) => prefix.replace(/\s/g, '').toUpperCase())
      .refine((prefix) => prefix !== '', ruled('must not be empty', 'REQUIRED')),
    'must be a list of beginnings of postal codes',
  )
  .min(1, 'must name at least one beginning, or be null')
  .max(maxPostalPrefixes, `must have at most ${maxPostalPrefixes} beginnings`)
  .transform((prefixes) => [...new Set(prefixes)]);
const prefixes = () => kind(prefixesRule, () => z.array(z.string()), 'json');

const postalShape = {
  /** Beginnings of the postal codes that it serves; null for all. */
  include: written(nullable(prefixes()), {
    words: 'Beginnings of the postal codes that it serves; null for all.',
    example: ['IV', 'KW'],
  }),
  /** Beginnings of postal codes that it does not serve. */
  exclude: written(nullable(prefixes()), { words: 'Beginnings of postal codes that it does not serve.' }),
};
const postalEntity = entity(postalShape, {
  words: 'Postal codes that a way to ship serves. Case and blanks make no difference.',
  strict: true,
});

const daysShape = {
  /** The fewest. */
  min: written(integer(0, 365), { words: 'The fewest.', example: 2, required: true }),
  /** The most. */
  max: written(integer(0, 365), { words: 'The most.', example: 3, required: true }),
};
const daysEntity = entity(daysShape, { words: 'Days until the delivery.', strict: true });
const days = () => {
  const { rule, ...rest } = objectOf(daysEntity);
  return {
    ...rest,
    rule: (decimals: number) =>
      rule(decimals).refine(({ min, max }) => min <= max, {
        ...ruled('must be at least min', 'CONFLICTING'),
        path: ['max'],
      }) as unknown as ReturnType<typeof rule>,
  };
};

/** Days until the delivery, as they are answered. */
export const deliveryDays = () =>
  daysEntity.answer().nullable().meta({ description: 'Days until the delivery; null if they are not known.' });

const methodShape = {
  /** The id, which orders name. */
  id: written(
    kind(methodId, () => z.string(), 'word'),
    { words: 'The id, which orders name.', example: 'standard', initial: '' },
  ),
  /** The name that buyers see. */
  name: written(requiredText(100), {
    words: 'The name that buyers see.',
    example: 'Standard, 2-3 days',
    required: true,
  }),
  /** `pickup`: buyers fetch the goods at the shop. */
  kind: written(choice(shippingKinds), {
    words: '`pickup`: buyers fetch the goods at the shop.',
    example: 'ship',
    initial: 'ship',
  }),
  /** The price; with `rates`, the lowest of them. */
  price: written(money(), {
    words: 'The price; with `rates`, the lowest of them.',
    example: '4.90',
    initial: '0',
    input: { words: `${decimalWords} Required without \`rates\`, ignored with them.`, example: '4.90' },
  }),
  /** Prices by weight or subtotal, ascending; null for one price. A cart above the last band is not served. */
  rates: written(nullable(bands), {
    words: 'Prices by weight or subtotal, ascending; null for one price. A cart above the last band is not served.',
    input: {
      words: 'Prices by weight or subtotal, one of the two throughout, ascending. Only the last one may be open.',
    },
    entries: bandShape,
  }),
  /** Subtotal before discounts from which it costs nothing; null for never. */
  freeFrom: written(nullable(money()), {
    words: 'Subtotal before discounts from which it costs nothing; null for never.',
    example: '50.00',
    input: { words: `Subtotal before discounts from which it costs nothing. ${decimalWords}` },
  }),
  /** Subtotal before discounts from which it is offered; null for always. */
  minSubtotal: written(nullable(money()), {
    words: 'Subtotal before discounts from which it is offered; null for always.',
    input: { words: `Subtotal before discounts from which it is offered. ${decimalWords}` },
  }),
  /** Codes of the countries it serves; null for all. */
  countries: written(nullable(kind(countries, () => z.array(z.string()), 'json')), {
    words: 'Codes of the countries it serves; null for all.',
    example: ['DE', 'AT'],
    input: { words: 'ISO 3166 codes of two letters; null for everywhere.' },
  }),
  /** Postal codes that it serves; null for all. */
  postalPrefixes: written(nullable(objectOf(postalEntity)), {
    words: 'Postal codes that it serves; null for all.',
    entries: postalShape,
  }),
  /** Days until the delivery; null if they are not known. */
  deliveryDays: written(nullable(days()), {
    words: 'Days until the delivery; null if they are not known.',
    entries: daysShape,
  }),
  /** Whether buyers can choose it. */
  active: written(flag(), { words: 'Whether buyers can choose it.', example: true, initial: true }),
};

const methodEntity = entity(methodShape, { words: 'A way in which a store ships.' });

/** One way in which a store ships. Amounts are decimal strings in the store's currency. */
export type ShippingMethod = Entity<typeof methodShape>;
type GivenMethod = GivenInput<typeof methodShape>;

/** The method with the price that is answered. */
function priced(method: GivenMethod): GivenMethod {
  const [first, ...others] = method.rates ?? [];
  if (!first) return method;
  const lowest = others.reduce((low, { price }) => (minorOf(price) < minorOf(low) ? price : low), first.price);
  return { ...method, price: lowest };
}

const methods = {
  rule: (decimals: number): z.ZodType<GivenMethod[], Input<typeof methodShape>[]> =>
    z
      .array(
        methodEntity
          .inputs(decimals)
          .create.refine(({ price, rates }) => price !== undefined || rates != null, {
            ...ruled('is required, unless the method has rates', 'REQUIRED'),
            path: ['price'],
          })
          .transform(priced),
        'must be a list of shipping methods',
      )
      .max(maxShippingMethods, `must have at most ${maxShippingMethods} methods`)
      .refine(uniqueIds, ruled('must not have two methods of one id', 'CONFLICTING')) as never,
  answer: () => z.array(methodEntity.answer()),
  cell: 'json' as const,
};

/** The settings of shipping. */
export const shippingSettings = {
  /** The ways in which the shop ships, the usual one first. */
  shippingMethods: written(methods, {
    words: 'The ways in which the shop ships, the usual one first.',
    input: { words: 'Replaced as a whole. An entry with an `id` keeps it, one without gets one. The usual one first.' },
    initial: [],
    entries: methodShape,
  }),
};
