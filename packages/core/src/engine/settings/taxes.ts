import * as z from 'zod';
import { type Entity, entity, type GivenInput, type Input, written } from '../../fields/entity.ts';
import { choice, kind, nullable, requiredText } from '../../fields/kinds.ts';
import { taxRate as taxRateRule } from '../../fields/money.ts';
import { objectOf } from '../../fields/nested.ts';
import { maxTaxRates } from '../../kernel/limits.ts';
import { ruled, text } from '../../kernel/parse.ts';
import { country } from './methods.ts';
import { regionCode, regionsOf } from './regions.ts';
import { standardClass } from './tax-rows.ts';

export { standardClass };

export const taxScopes = ['origin', 'destination'] as const;
export type TaxScope = (typeof taxScopes)[number];

/** The class of goods without tax, as imports name it. */
export const zeroClass = 'zero';

const shippingWords = ['proportional', 'none'] as const;

const classRule = text(40).refine(
  (name) => /^[a-z0-9_-]+$/.test(name),
  ruled('must be of small letters, digits, - and _, such as "reduced"', 'NOT_A_SLUG'),
);

/** The name of a class of goods for tax. */
export const taxClassRule = classRule
  .refine(
    (name) => !shippingWords.includes(name as 'none'),
    ruled(`must not be "${shippingWords.join('" or "')}", which the tax of shipping can be`, 'CONFLICTING'),
  )
  .meta({ pattern: '^[a-z0-9_-]{1,40}$' });

/** The kind of a field with a class of goods for tax. */
export const taxClass = () => kind(taxClassRule, () => z.string(), 'word');

const rate = () => kind(taxRateRule, () => z.string().meta({ pattern: '^[01](\\.\\d{1,6})?$' }), 'decimal');

const rateShape = {
  /** Country whose tax it is, ISO 3166-1 alpha-2. */
  country: written(
    kind(country, () => z.string(), 'word'),
    { words: 'Country whose tax it is, ISO 3166-1 alpha-2.', example: 'DE', required: true },
  ),
  /** Part of the country, ISO 3166-2 with or without the country; null for all of it. */
  region: written(nullable(kind(text(12, 1), () => z.string(), 'word')), {
    words: 'Part of the country, ISO 3166-2 without the country; null for all of it.',
    input: {
      words:
        'Part of the country, ISO 3166-2 with or without the country, such as "CA" or "US-CA"; null for all of it.',
    },
  }),
  /** Class of goods, as products name it. */
  class: written(taxClass(), {
    words: 'Class of goods, as products name it.',
    example: 'standard',
    initial: standardClass,
  }),
  /** A fraction: "0.19" is 19 %. */
  rate: written(rate(), { words: 'A fraction: "0.19" is 19 %.', example: '0.19', required: true }),
  /** Name of the tax, as invoices show it. */
  name: written(nullable(requiredText(50)), { words: 'Name of the tax, as invoices show it.', example: 'MwSt.' }),
};

const rateEntity = entity(rateShape, { words: 'The tax on a class of goods in a country, or in a part of it.' });

/** One rate of tax. */
export type TaxRateSetting = Entity<typeof rateShape>;
type Given = GivenInput<typeof rateShape>;

/** With the region as a code without the country. */
const rateRule = (decimals: number) =>
  rateEntity.inputs(decimals).create.transform((given, check) => {
    if (given.region == null) return given;
    const region = regionCode(given.country, given.region);
    if (region !== undefined) return { ...given, region };
    const codes = [...regionsOf(given.country)];
    const some =
      codes.length === 0 ? 'be null: the country has no parts' : `be a part of ${given.country}, such as "${codes[0]}"`;
    check.addIssue({ code: 'custom', message: `must ${some}`, path: ['region'], params: { code: 'NOT_OFFERED' } });
    return given;
  });

/** What a row says the rate of. */
const placeOf = ({ country, region, class: taxClass = standardClass }: Given) =>
  `${country} ${region ?? ''} ${taxClass}`;

const rates = {
  rule: (decimals: number): z.ZodType<Given[], Input<typeof rateShape>[]> =>
    z
      .array(rateRule(decimals), 'must be a list of rates')
      .max(maxTaxRates, `must have at most ${maxTaxRates} rates`)
      .refine(
        (list) => new Set(list.map(placeOf)).size === list.length,
        ruled('must not have two rates of one country, region and class', 'CONFLICTING'),
      ) as never,
  answer: () => z.array(rateEntity.answer()),
  cell: 'json' as const,
};

const taxesShape = {
  /** `destination`: rates of the country that the goods go to. `origin`: the shop's own, in the EU in all member states. */
  scope: written(choice(taxScopes), {
    words:
      "`destination`: rates of the country that the goods go to. `origin`: the shop's own, in the EU in all member states.",
    example: 'destination',
    required: true,
  }),
  /** The rates by country, part of it, and class of goods. */
  rates: written(rates, {
    words: 'The rates by country, part of it, and class of goods.',
    input: { words: 'Replaced as a whole.' },
    initial: [],
    entries: rateShape,
  }),
  /** Tax of shipping: `proportional` to the goods, `none`, or that of a class. Null: proportional if prices include the tax, else none. */
  shipping: written(nullable(kind(classRule, () => z.string(), 'word')), {
    words:
      'Tax of shipping: `proportional` to the goods, `none`, or that of a class. Null: proportional if prices include the tax, else none.',
    example: 'proportional',
  }),
};

const taxesEntity = entity(taxesShape, { words: 'Taxes by country and class of goods.', strict: true });

/** Taxes by country and class of goods. */
export type TaxSettings = Entity<typeof taxesShape>;

/** A misspelt class would silently be taxed as the standard one. */
const taxes = () => {
  const { rule, ...rest } = objectOf(taxesEntity);
  return {
    ...rest,
    rule: (decimals: number) =>
      rule(decimals).superRefine(({ shipping, rates = [] }, check) => {
        const classes = rates.map((row) => row.class ?? standardClass);
        const values = [...new Set([...shippingWords, standardClass, ...classes])];
        if (shipping == null || values.includes(shipping)) return;
        const message = `must be one of ${values.join(', ')}: a class needs a rate`;
        const params = { code: 'NOT_OFFERED', limits: { values } };
        check.addIssue({ code: 'custom', message, path: ['shipping'], params });
      }) as unknown as ReturnType<typeof rule>,
  };
};

/** The settings of tax. */
export const taxSettings = {
  /** Taxes by country and class of goods; null for the one rate `taxRate`. They need `country`. */
  taxes: written(nullable(taxes()), {
    words: 'Taxes by country and class of goods; null for the one rate `taxRate`. They need `country`.',
    input: { words: 'Replaced as a whole. They need `country`.' },
    entries: taxesShape,
  }),
};
