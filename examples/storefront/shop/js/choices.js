import { h } from './dom.js';
import { shop } from './shop.js';

/** What the choice of a variant needs. @typedef {Pick<import('./api.js').Variant, 'slug' | 'attributes' | 'available'>} Variant */

/** The first letter as a capital, as people write labels. @param {string} text */
export function capitalised(text) {
  const [first = ''] = text;
  return first.toLocaleUpperCase(shop.locale) + text.slice(first.length);
}

/** CSS accepts these names as colours, but the colour depends on the page or the system, so they make no swatch. */
const notColours = new Set(
  'inherit initial unset revert transparent currentcolor accentcolor accentcolortext activetext activeborder activecaption appworkspace background buttonborder buttonface buttonhighlight buttonshadow buttontext canvas canvastext captiontext field fieldtext graytext highlight highlighttext inactiveborder inactivecaption inactivecaptiontext infobackground infotext linktext mark marktext menu menutext scrollbar selecteditem selecteditemtext threeddarkshadow threedface threedhighlight threedlightshadow threedshadow visitedtext window windowframe windowtext'.split(
    ' ',
  ),
);

/**
 * The CSS colour that a value names, such as "Indigo" or "light blue".
 * @param {string} value
 */
export function colourOf(value) {
  const name = value.toLowerCase().replaceAll(' ', '');
  return /^[a-z]+$/.test(name) && !notColours.has(name) && CSS.supports('color', name) ? name : undefined;
}

/** A value of an attribute: a swatch if it is a colour, and its name. @param {string} value */
export function valueLabel(value) {
  const colour = colourOf(value);
  const text = h('span', {}, capitalised(value));
  if (!colour) return [text];
  const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
  // The policy of the page refuses style attributes, but not styles that are set by a script.
  swatch.style.backgroundColor = colour;
  return [swatch, text];
}

/**
 * Attributes in which the variants differ, as radio buttons; a choice leads to the variant that fits it best.
 * @param {Variant} product
 * @param {Variant[]} variants
 * @param {(variant: Variant, name: string, value: string) => void} choose
 */
export function choices(product, variants, choose) {
  const names = [...new Set(variants.flatMap(({ attributes }) => Object.keys(attributes)))];
  const differing = names.filter((name) => new Set(variants.map(({ attributes }) => attributes[name])).size > 1);
  return differing.map((name) => {
    const values = [...new Set(variants.map(({ attributes }) => attributes[name]))]
      .filter((value) => value !== undefined)
      .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    return h(
      'fieldset',
      { class: 'choice' },
      h('legend', {}, capitalised(name)),
      h(
        'div',
        { class: 'chips' },
        values.map((value) => {
          const variant = nearest(product, variants, name, value);
          const isGone = variant.available === 0;
          const checked = product.attributes[name] === value;
          const onchange = () => choose(variant, name, value);
          return h(
            'label',
            { class: isGone ? 'chip gone' : 'chip' },
            h('input', { type: 'radio', name, value, checked, onchange }),
            ...valueLabel(value),
            isGone && h('span', { class: 'hidden' }, ' (sold out)'),
          );
        }),
      ),
    );
  });
}

/**
 * The variant with a value that shares most of the other attributes.
 * @param {Variant} product
 * @param {Variant[]} variants
 * @param {string} name
 * @param {string} value
 * @returns {Variant}
 */
function nearest(product, variants, name, value) {
  const shared = (/** @type {Variant} */ one) =>
    Object.entries(product.attributes).filter(([key, its]) => key !== name && one.attributes[key] === its).length;
  const fitting = variants.filter(({ attributes }) => attributes[name] === value);
  return fitting.reduce((best, one) => (shared(one) > shared(best) ? one : best), fitting[0] ?? product);
}
