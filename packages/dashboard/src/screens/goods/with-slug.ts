import type { Form } from '../../kit/index.ts';
import { slugOf } from './slug.ts';

/**
 * A form with a slug that follows the title until another slug is typed. An empty slug follows again.
 * @param title name of the field that it follows
 * @param isNew the slug of an existing item stays, because addresses name it
 * @param otherwise a text to make the slug of, if the title has no Latin spelling
 */
export function withSlug<T extends Record<string, unknown> & { slug: string }>(
  form: Form<T>,
  title: keyof T & string,
  isNew: boolean,
  otherwise: (values: T) => string = () => '',
): Form<T> {
  const made = (values: T) => slugOf(String(values[title])) || slugOf(otherwise(values));
  return {
    ...form,
    set(field, value) {
      const { value: before } = form.values;
      form.set(field, value);
      if (field !== title || !isNew || (before.slug !== '' && before.slug !== made(before))) return;
      form.set('slug', made(form.values.value) as T['slug']);
    },
  };
}
