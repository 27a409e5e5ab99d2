import { ApiError, refusal } from '../../../api/errors.ts';
import { amountText } from '../../../kit/amount.ts';
import { wholeNumber } from '../../../kit/form/kinds.ts';
import { gramsOf, kilogramsOf } from '../../../kit/terms/weight.ts';
import { t } from '../../../words/words.ts';
import type { Method } from './prices.ts';

/** A price up to a weight in kilograms or a subtotal, as decimal strings; without an end for all above. */
export interface Band {
  upTo: string;
  price: string;
}

export type Pricing = 'one' | 'weight' | 'subtotal';

/** A method as its form has it; names are those of refusals. */
export interface MethodValues extends Record<string, unknown> {
  kind: Method['kind'];
  name: string;
  pricing: Pricing;
  price: string;
  rates: Band[];
  freeFrom: string;
  minSubtotal: string;
  countries: string[];
  'postalPrefixes.include': string;
  'postalPrefixes.exclude': string;
  'deliveryDays.min': string;
  'deliveryDays.max': string;
}

/** The field of a band that says its end, by the pricing of the method. */
export const endOf = { one: 'upToSubtotal', weight: 'upToWeight', subtotal: 'upToSubtotal' } as const;

/** @param method undefined for a new one */
export function valuesOf(method: Method | undefined): MethodValues {
  const { rates = null, postalPrefixes, deliveryDays } = method ?? {};
  const isByWeight = rates?.some(({ upToWeight }) => upToWeight !== null) ?? false;
  return {
    kind: method?.kind ?? 'ship',
    name: method?.name ?? '',
    pricing: rates === null ? 'one' : isByWeight ? 'weight' : 'subtotal',
    price: rates === null ? (method?.price ?? '') : '',
    rates: (rates ?? []).map(({ upToWeight, upToSubtotal, price }) => ({
      upTo: upToWeight === null ? (upToSubtotal ?? '') : kilogramsOf(upToWeight),
      price,
    })),
    freeFrom: method?.freeFrom ?? '',
    minSubtotal: method?.minSubtotal ?? '',
    countries: method?.countries ?? [],
    'postalPrefixes.include': postalPrefixes?.include?.join(', ') ?? '',
    'postalPrefixes.exclude': postalPrefixes?.exclude?.join(', ') ?? '',
    'deliveryDays.min': deliveryDays ? String(deliveryDays.min) : '',
    'deliveryDays.max': deliveryDays ? String(deliveryDays.max) : '',
  };
}

/**
 * The method of a form.
 * @throws ApiError for values that no method can have
 */
export function methodOf(values: MethodValues): Omit<Method, 'id' | 'active'> {
  const { pricing } = values;
  const wrong = pricing === 'one' ? {} : bandRefusals(values);
  const details = Object.entries(wrong).map(([field, said]) => ({ field, reason: said, said }));
  const [first] = details;
  if (first) throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: first.said, details });
  const include = prefixesOf(values['postalPrefixes.include']);
  const exclude = prefixesOf(values['postalPrefixes.exclude']);
  const days = { min: daysOf(values, 'deliveryDays.min'), max: daysOf(values, 'deliveryDays.max') };
  const rates = values.rates.map(({ upTo, price }) => ({
    upToWeight: pricing === 'weight' && upTo !== '' ? (gramsOf(upTo) ?? null) : null,
    upToSubtotal: pricing === 'subtotal' ? upTo || null : null,
    price,
  }));
  return {
    kind: values.kind,
    name: values.name.trim(),
    // With bands, the service answers the lowest of their prices.
    price: pricing === 'one' ? values.price.trim() : '0',
    rates: pricing === 'one' ? null : rates,
    freeFrom: values.freeFrom.trim() || null,
    minSubtotal: values.minSubtotal.trim() || null,
    countries: values.countries.length > 0 ? values.countries : null,
    postalPrefixes: include || exclude ? { include, exclude } : null,
    deliveryDays: days.min === null && days.max === null ? null : (days as Method['deliveryDays']),
  };
}

/** Why bands cannot be saved, by the names of their fields. */
export function bandRefusals({ pricing, rates }: Pick<MethodValues, 'pricing' | 'rates'>): Record<string, string> {
  const words = t.settings.shipping.bands;
  const found: Record<string, string> = {};
  const end = endOf[pricing];
  if (rates.length === 0) found.rates = words.noBand;
  let before = 0;
  for (const [i, { upTo, price }] of rates.entries()) {
    if (price.trim() === '') found[`rates.${i}.price`] = t.kit.reasons.REQUIRED({});
    const value = pricing === 'weight' ? (gramsOf(upTo) ?? Number.NaN) : Number(upTo);
    const isLast = i === rates.length - 1;
    if (upTo.trim() === '') {
      if (!isLast || rates.length === 1) found[`rates.${i}.${end}`] = isLast ? words.onlyOne : words.onlyLast;
    } else if (Number.isNaN(value)) found[`rates.${i}.${end}`] = words.wrongWeight(amountText('0.5'));
    else if (value <= before) found[`rates.${i}.${end}`] = words.notMore;
    else before = value;
  }
  return found;
}

/** Beginnings of postal codes, between commas or on lines of their own. */
function prefixesOf(typed: string): string[] | null {
  const prefixes = typed.split(/[,;\n]/).map((one) => one.trim());
  const found = prefixes.filter((one) => one !== '');
  return found.length > 0 ? found : null;
}

function daysOf(values: MethodValues, name: 'deliveryDays.min' | 'deliveryDays.max'): number | null {
  const days = wholeNumber(values[name]);
  if (typeof days === 'string') throw refusal(name, t.kit.wholeNumber);
  return days;
}
