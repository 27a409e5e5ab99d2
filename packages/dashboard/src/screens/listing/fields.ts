import { area, choice, line } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';
import { unitPriceField } from './measure.ts';

const words = t.listing.safety;

/** A choice among the makers and responsible persons of the settings, which the screen loads. */
const party = (label: string, hint: string) => choice<string>(label, [], { start: '', hint, sent: (id) => id || null });

export const branded = { brand: line(words.brand, { hint: words.brandHint }) };

export const made = {
  manufacturerId: party(words.manufacturer, words.manufacturerHint),
  responsiblePersonId: party(words.responsible, words.responsibleHint),
};

export const warned = { safetyNotes: area(words.notes, { rows: 4, hint: words.notesHint }) };

/** What the law and search engines want to know about a product. */
export const listingFields = { ...branded, ...made, ...warned, unitPricing: unitPriceField };
