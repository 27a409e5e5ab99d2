import { Fields, type Form } from '../../kit/index.ts';
import { MarkupField } from '../markup/markup-field.tsx';
import { described, type ProductValues } from './values.ts';

const { description, descriptionFormat } = described;

/** The description with its format. */
export function DescriptionFields({ form }: { form: Form<ProductValues> }) {
  const { descriptionFormat: format } = form.values.value;
  return (
    <>
      <MarkupField
        form={form}
        name="description"
        label={description.label}
        rows={9}
        markup={format === 'text' ? undefined : format}
      />
      <Fields form={form} of={{ descriptionFormat }} />
    </>
  );
}
