import config from '../../config.js';
import { allPart, catalogueUrl, named } from '../urls.js';

/**
 * `isAll` lists all products instead of the first page; `part` counts the files of a long list from 1.
 * @typedef {{ q: string, category: string, attributes: Record<string, string[]>, min: string, max: string, inStock: boolean, sort: string, isAll: boolean, part?: number }} Choice
 */

/** Begins the name of a parameter of an attribute. */
export const prefix = 'attr.';

/** Attributes that narrow the list. */
export const attributeNames = config.filters ?? ['color', 'size', 'material'];

/** Orders by their names in the address. A search is sorted by relevance unless a buyer chooses otherwise. @type {Record<string, string>} */
export const sorts = {
  newest: 'Newest',
  bestselling: 'Best-selling',
  price: 'Price, low to high',
  '-price': 'Price, high to low',
  title: 'Name',
};

/**
 * The chosen values of each attribute.
 * @param {Iterable<[string, FormDataEntryValue]>} entries
 */
export function attributesIn(entries) {
  /** @type {Record<string, string[]>} */
  const attributes = {};
  for (const [name, value] of entries) {
    const attribute = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (attribute !== '' && value !== '') attributes[attribute] = [...(attributes[attribute] ?? []), String(value)];
  }
  return attributes;
}

/** @returns {Choice} */
export function readChoice() {
  const query = new URLSearchParams(location.search);
  const { slug, part } = named('category', 'category');
  const sort = query.get('sort') ?? '';
  const amount = (/** @type {string} */ name) => /^\d{1,9}(\.\d+)?$/.exec(query.get(name) ?? '')?.[0] ?? '';
  return {
    q: query.get('q') ?? '',
    category: slug,
    isAll: query.has('all') || allPart() > 0,
    part: Math.max(part, allPart()),
    attributes: attributesIn(query),
    min: amount('min'),
    max: amount('max'),
    inStock: query.has('stock'),
    sort: Object.hasOwn(sorts, sort) ? sort : '',
  };
}

/** @param {Choice} choice */
export function urlOf({ q, category, attributes, min, max, inStock, sort, isAll }) {
  /** @type {[string, string][]} */
  const query = [
    ['category', category],
    ['q', q],
    ...Object.entries(attributes).flatMap(([name, values]) =>
      values.map((value) => /** @type {[string, string]} */ ([prefix + name, value])),
    ),
    ['min', min],
    ['max', max],
    ['stock', inStock ? '1' : ''],
    ['sort', sort],
  ];
  const named = query.filter(([, value]) => value !== '');
  return catalogueUrl(named.length === 0 && isAll ? [['all', '1']] : named);
}

/** The filters of a choice, which a buyer can remove one by one. @param {Choice} choice */
export function narrowed({ attributes, min, max, inStock }) {
  return Object.values(attributes).flat().length + (min ? 1 : 0) + (max ? 1 : 0) + (inStock ? 1 : 0);
}

/** A choice without filters. @type {Pick<Choice, 'attributes' | 'min' | 'max' | 'inStock'>} */
export const noFilters = { attributes: {}, min: '', max: '', inStock: false };
