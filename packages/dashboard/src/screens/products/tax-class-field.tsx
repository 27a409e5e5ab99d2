import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { Field, type Form, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { ClassInput } from '../goods/class-input.tsx';
import { classOf, standardClass } from '../goods/tax-class.ts';
import type { ProductValues } from './values.ts';

const words = t.products.form;

/** Classes that have a rate in the settings; undefined for a shop with one rate, and for a key that may not see them. */
async function ratedClasses(signal: AbortSignal): Promise<string[] | undefined> {
  if (!can('settings.read')) return undefined;
  const { item } = await had(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal }));
  return item.taxes?.rates.map((row) => row.class);
}

/** The kind of goods that a product is taxed as. Shops with one rate for everything only see it if it is not the usual one. */
export function TaxClassField({ form }: { form: Form<ProductValues> }) {
  const loaded = useLoad('products/tax-classes', ratedClasses);
  const typed = form.values.value.taxClass;
  const name = classOf(typed);
  const isRated = loaded.data?.includes(name) ?? true;
  if (!loaded.data && name === standardClass && !form.errors.value.taxClass) return null;
  return (
    <Field
      form={form}
      name="taxClass"
      label={words.taxClass}
      hint={isRated || name === standardClass ? words.taxClassHint : words.taxClassUnknown}
    >
      {(control) => (
        <ClassInput
          {...control}
          used={loaded.data ?? []}
          value={typed}
          onValue={(text) => form.set('taxClass', text)}
        />
      )}
    </Field>
  );
}
