import { ApiError, type Detail, refusal } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';
import type { Schemas } from '../../api/types.ts';
import type { BulkResult, Target } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { readPercent } from '../goods/percent.ts';
import { textsOf } from '../labels/pairs.ts';
import type { ProductValues } from './values.ts';

const words = t.products.bulk;

export type Changes = Schemas['ProductsChanges']['changes'];

/** The form of a change of many products. A `how` that is empty leaves its values out. */
export type BulkValues = Pick<ProductValues, 'attributes' | 'categoryIds'> & {
  status: string;
  how: string;
  price: string;
  pricePercent: string;
  compare: boolean;
  categoryHow: string;
  attributeHow: string;
  /** Names of attributes, one a line. */
  names: string;
};

export const noChanges: BulkValues = {
  status: '',
  how: '',
  price: '',
  pricePercent: '',
  compare: false,
  categoryHow: '',
  categoryIds: [],
  attributeHow: '',
  attributes: [['', '']],
  names: '',
};

/**
 * The changes as the interface takes them.
 * @throws ApiError for a value that is missing or wrong
 */
export function changesOf(values: BulkValues): Changes {
  const { status, how, price, compare } = values;
  return {
    ...(status ? { status: status as NonNullable<Changes['status']> } : {}),
    ...(how === 'set' ? { price: price.trim() } : {}),
    ...(how === 'percent' ? { pricePercent: percentOf(values.pricePercent) } : {}),
    ...(how !== '' && compare ? { comparePreviousPrice: true } : {}),
    ...categoriesOf(values),
    ...attributeChanges(values),
  };
}

function categoriesOf({ categoryHow, categoryIds }: BulkValues): Changes {
  if (categoryHow === 'set') return { categoryIds };
  if (categoryHow === '') return {};
  if (categoryIds.length === 0) throw refusal('categoryIds', words.noneChosen);
  return categoryHow === 'add' ? { addCategoryIds: categoryIds } : { removeCategoryIds: categoryIds };
}

function attributeChanges({ attributeHow, attributes, names }: BulkValues): Changes {
  if (attributeHow === '') return {};
  if (attributeHow === 'set') {
    const setAttributes = textsOf(attributes);
    const twice = attributes.map(([name]) => name.trim()).find((name, i, all) => name && all.indexOf(name) !== i);
    if (twice !== undefined) throw refusal('attributes', t.products.attributes.twice(twice));
    if (Object.keys(setAttributes).length === 0) throw refusal('attributes', words.noAttribute);
    return { setAttributes };
  }
  const removeAttributes = names.split('\n').flatMap((name) => name.trim() || []);
  if (removeAttributes.length === 0) throw refusal('names', words.noAttribute);
  return { removeAttributes };
}

/** @throws ApiError if it is not a percentage with at most two decimals */
function percentOf(typed: string): string {
  const percent = readPercent(typed);
  if (percent === undefined || !/^-?\d+(\.\d{1,2})?$/.test(percent)) throw refusal('pricePercent', words.notPercent);
  return percent;
}

/** The products that details such as `ids.3` refer to. */
export function targetsOf(details: readonly Detail[], targets: readonly Target[]): BulkResult['failed'] {
  return details.flatMap((detail) => {
    const { field } = detail;
    const row = field.startsWith('ids.') ? targets[Number(field.slice(4))] : undefined;
    return row ? [{ row, error: new ApiError({ status: 409, code: 'CONFLICT', message: reasonOf(detail) }) }] : [];
  });
}

/** Fields of the form for the fields of the interface that have another name. */
const formNames: Readonly<Record<string, keyof BulkValues>> = {
  addCategoryIds: 'categoryIds',
  removeCategoryIds: 'categoryIds',
  setAttributes: 'attributes',
  removeAttributes: 'names',
  comparePreviousPrice: 'compare',
};

/** The same refusal with the names of the form: `changes.setAttributes.color` is `attributes.color`. */
export function fieldsOf(error: ApiError): ApiError {
  return error.with(
    error.details.map((detail) => {
      const [name = '', ...inside] = detail.field.replace(/^changes\./, '').split('.');
      return { ...detail, field: [formNames[name] ?? name, ...inside].join('.') };
    }),
  );
}
