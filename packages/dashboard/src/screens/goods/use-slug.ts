import { useState } from 'preact/hooks';
import type { Form } from '../../kit/index.ts';
import { randomSlug, slugOf } from './slug.ts';

/**
 * A form with a slug that follows the title until another slug is typed. An empty slug follows again.
 * @param noun begins a random slug, for an item whose texts have no Latin spelling: `product-x7k2m9`
 * @param from the fields that give the slug: the first one that has a Latin spelling
 * @param isNew the slug of an existing item stays, because addresses name it
 */
export function useSlug<T extends Record<string, unknown> & { slug: string }>(
  form: Form<T>,
  noun: 'product' | 'category' | 'page',
  from: readonly [title: keyof T & string, ...others: (keyof T & string)[]],
  isNew: boolean,
): Form<T> {
  const [spare] = useState(() => randomSlug(noun));
  const made = (values: T) => {
    const texts = from.map((name) => String(values[name]).trim());
    return texts[0] === '' ? '' : texts.map(slugOf).find((slug) => slug !== '') || spare;
  };
  return {
    ...form,
    set(field, value) {
      const { value: before } = form.values;
      form.set(field, value);
      if (!isNew || !from.includes(field) || (before.slug !== '' && before.slug !== made(before))) return;
      form.set('slug', made(form.values.value) as T['slug']);
    },
  };
}
