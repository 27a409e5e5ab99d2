import type { ApiError, Detail } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';
import { countryName, formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';

type Tax = Pick<Schemas['Order']['taxes'][number], 'country' | 'region' | 'rate' | 'name'>;

const words = t.taxes;

/** A tax of an order: its name, its rate, and whose it is. */
export function taxText({ name, rate, country, region }: Tax, isIncluded: boolean): string {
  const percent = formatNumber(rate, { style: 'percent', maximumFractionDigits: 6 });
  const place = [country && countryName(country), region].filter(Boolean).join(', ');
  const tax = words.of(name ?? words.tax, percent);
  return [isIncluded ? words.included(tax) : tax, place].filter(Boolean).join(' · ');
}

/** An error whose refusals of a VAT number and of a region are said in words for people. */
export function inTaxWords(error: ApiError): ApiError {
  return error.with(error.details.map((detail) => ({ ...detail, ...said(detail) })));
}

function said({ field, code }: Detail): { said?: string } {
  if (field.endsWith('vatId') && code === 'WRONG_TYPE') return { said: words.wrongVatId };
  if (field.endsWith('region') && code === 'NOT_OFFERED') return { said: words.wrongRegion };
  return {};
}
