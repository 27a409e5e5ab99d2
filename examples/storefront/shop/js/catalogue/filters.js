import { capitalised, valueLabel } from '../choices.js';
import { byId, fill, h } from '../dom.js';
import { money } from '../money.js';
import { shop } from '../shop.js';
import { attributeNames, narrowed, noFilters, prefix, sorts } from './choice.js';

/** @typedef {import('../api.js').Facets} Facets */
/** @typedef {import('./choice.js').Choice} Choice */

/**
 * The filters with the number of products of each value, and the chosen ones, each of which can be removed.
 * @param {Choice} choice
 * @param {Facets | undefined} facets
 * @param {(choice: Choice) => void} go
 */
export function showFilters(choice, facets, go) {
  const box = byId('filters');
  const focused = document.activeElement instanceof HTMLInputElement && box.contains(document.activeElement);
  const { name = '', value = '' } = focused ? /** @type {HTMLInputElement} */ (document.activeElement) : {};
  fill(
    box,
    ...attributeNames.map((attribute) => valuesOf(choice, attribute, facets?.attributes[attribute] ?? [])),
    facets?.price?.min !== undefined && facets.price.min !== facets.price.max && prices(choice, facets.price),
    (facets?.inStock || choice.inStock) &&
      h(
        'fieldset',
        {},
        h('legend', {}, 'Availability'),
        h('div', { class: 'chips' }, check('stock', '1', choice.inStock, 'In stock', facets?.inStock?.count)),
      ),
  );
  const count = narrowed(choice);
  fill(byId('filter-count'), count > 0 ? ` (${count})` : '');
  showChosen(choice, go);
  const sort = /** @type {HTMLSelectElement} */ (byId('sort'));
  fill(
    sort,
    choice.q.trim() !== '' && h('option', { value: '' }, 'Best match'),
    ...Object.entries(sorts).map(([order, text]) =>
      h(
        'option',
        { value: order === 'newest' && choice.q.trim() === '' ? '' : order, selected: order === choice.sort },
        text,
      ),
    ),
  );
  const label = sort.closest('label');
  if (label) label.hidden = false;
  if (!focused) return;
  for (const input of box.querySelectorAll('input'))
    if (input.name === name && (input.type !== 'checkbox' || input.value === value)) input.focus();
}

/** @param {string} name @param {string} value @param {boolean} checked @param {import('../dom.js').Child | Node[]} label @param {number} [count] */
function check(name, value, checked, label, count) {
  return h(
    'label',
    { class: 'chip' },
    h('input', { type: 'checkbox', name, value, checked }),
    ...(Array.isArray(label) ? label : [h('span', {}, label)]),
    count !== undefined && h('span', { class: 'note' }, ` ${count}`),
  );
}

/**
 * The values of an attribute. A chosen one stays, even if no product has it any more.
 * @param {Choice} choice
 * @param {string} attribute
 * @param {{ value: string, count: number }[]} counted
 */
function valuesOf(choice, attribute, counted) {
  const chosen = choice.attributes[attribute] ?? [];
  const gone = chosen.filter((value) => !counted.some((one) => one.value === value));
  const all = [...counted, ...gone.map((value) => ({ value, count: 0 }))];
  if (all.length === 0) return null;
  return h(
    'fieldset',
    {},
    h('legend', {}, capitalised(attribute)),
    h(
      'div',
      { class: 'chips' },
      all.map(({ value, count }) => check(prefix + attribute, value, chosen.includes(value), valueLabel(value), count)),
    ),
  );
}

/** @param {Choice} choice @param {{ min: string | null, max: string | null }} ends */
function prices({ min, max }, ends) {
  const field = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {string} */ value,
    /** @type {string | null} */ end,
  ) =>
    h(
      'div',
      { class: 'field' },
      h('label', { for: name }, label),
      h('input', {
        id: name,
        name,
        value,
        inputmode: 'decimal',
        maxlength: 12,
        placeholder: end ?? '',
        autocomplete: 'off',
      }),
    );
  return h(
    'fieldset',
    {},
    h('legend', {}, `Price in ${shop.currency}`),
    h('div', { class: 'range' }, field('min', 'From', min, ends.min), field('max', 'To', max, ends.max)),
  );
}

/** @param {Choice} choice @param {(choice: Choice) => void} go */
function showChosen(choice, go) {
  const { attributes, min, max, inStock } = choice;
  const remove = (/** @type {string} */ text, /** @type {Partial<Choice>} */ to) =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'chip', onclick: () => go({ ...choice, ...to, isAll: true }) },
        h('span', { class: 'hidden' }, 'Remove '),
        text,
        h('span', { 'aria-hidden': 'true' }, ' ×'),
      ),
    );
  const chosen = [
    ...Object.entries(attributes).flatMap(([name, values]) =>
      values.map((value) =>
        remove(capitalised(value), {
          attributes: { ...attributes, [name]: values.filter((one) => one !== value) },
        }),
      ),
    ),
    min && remove(`from ${money(min)}`, { min: '' }),
    max && remove(`to ${money(max)}`, { max: '' }),
    inStock && remove('In stock', { inStock: false }),
  ].filter((one) => one instanceof Node);
  const clear = h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'plain', onclick: () => go({ ...choice, ...noFilters, isAll: true }) },
      'Clear all',
    ),
  );
  fill(byId('chosen'), ...(chosen.length > 0 ? [...chosen, clear] : []));
}
