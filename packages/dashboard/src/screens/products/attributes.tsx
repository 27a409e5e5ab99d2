import type { Form } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { PairsInput } from '../labels/pairs-input.tsx';
import type { ProductValues } from './values.ts';

/**
 * The attributes of a product: one row each.
 * @param hidden names that are edited elsewhere
 */
export function AttributesField<T extends Pick<ProductValues, 'attributes'>>({
  form: given,
  hidden = [],
}: {
  form: Form<T>;
  hidden?: readonly string[];
}) {
  const form = given as unknown as Form<Pick<ProductValues, 'attributes'>>;
  return (
    <PairsInput
      rows={form.values.value.attributes}
      label={t.products.form.attributes}
      reason={form.errors.value.attributes}
      words={t.products.attributes}
      hidden={hidden}
      onChange={(rows) => form.set('attributes', rows)}
    />
  );
}
