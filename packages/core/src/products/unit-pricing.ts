import * as z from 'zod';
import { type Entity, entity, made, written } from '../fields/entity.ts';
import { kind, madeAmount } from '../fields/kinds.ts';
import { objectOf } from '../fields/nested.ts';
import { formatMoney, type Minor } from '../kernel/money.ts';
import { ruled, text } from '../kernel/parse.ts';
import { areComparable, formatMeasure, measureUnits, parseMeasure, unitPrice } from './unit-price.ts';

const measure = () =>
  kind(
    text(30, 1)
      .refine(
        (given) => parseMeasure(given) !== undefined,
        ruled(`must be an amount and a unit such as "750 ml"; the units are ${measureUnits.join(', ')}`, 'NOT_OFFERED'),
      )
      .transform((given) => {
        const read = parseMeasure(given);
        return read ? formatMeasure(read) : given;
      }),
    () => z.string(),
    'text',
  );

export const unitPricingShape = {
  /** How much is in a piece. */
  measure: written(measure(), { words: 'How much is in a piece.', example: '750 ml', required: true }),
  /** What the price is told for. */
  base: written(measure(), { words: 'What the price is told for.', example: '1 l', required: true }),
  /** The price of the base, rounded half up. */
  price: made(madeAmount, { words: 'The price of the base, rounded half up.', example: '7.99', initial: '0' }),
};

const unitPricingEntity = entity(unitPricingShape, { words: 'The price of a unit: Directive 98/6/EC.' });

/** The price of a unit. */
export type UnitPricing = Entity<typeof unitPricingShape>;

const plain = objectOf(unitPricingEntity);

/** The kind of the field. */
export const unitPricing = {
  ...plain,
  rule: (decimals: number) =>
    plain.rule(decimals).refine(
      ({ measure, base }) => {
        const [one, other] = [parseMeasure(measure), parseMeasure(base)];
        return !one || !other || areComparable(one, other);
      },
      {
        ...ruled('must measure the same as measure: weight, volume, length, area, space or pieces', 'CONFLICTING'),
        path: ['base'],
      },
    ) as unknown as ReturnType<typeof plain.rule>,
};

/** With the price that follows from the price of the product. */
export function pricedPerUnit(given: UnitPricing | null, price: Minor, decimals: number): UnitPricing | null {
  const [measure, base] = [parseMeasure(given?.measure ?? ''), parseMeasure(given?.base ?? '')];
  if (!given || !measure || !base) return null;
  return { measure: given.measure, base: given.base, price: formatMoney(unitPrice(price, measure, base), decimals) };
}
