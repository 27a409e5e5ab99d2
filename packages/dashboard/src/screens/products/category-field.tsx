import { Button, Field, type Form, type Loaded, Shown, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { type Categories, categoryOptions } from '../goods/tree.ts';
import type { ProductValues } from './values.ts';

const words = t.products.form;

type Values = Pick<ProductValues, 'categoryIds'>;

/** Chosen categories, and a choice of further ones. */
export function CategoryField<T extends Values>({
  form: given,
  categories,
  label = words.addCategory,
  hint,
}: {
  form: Form<T>;
  categories: Loaded<Categories>;
  label?: string;
  hint?: string | undefined;
}) {
  const form = given as unknown as Form<Values>;
  const chosen = form.values.value.categoryIds;
  return (
    <Shown of={categories} what={t.categories.these} rows={2}>
      {(all) => (
        <Field form={form} name="categoryIds" label={label} hint={all.items.length === 0 ? words.noCategories : hint}>
          {(control) => (
            <>
              <select
                {...control}
                value=""
                onChange={({ currentTarget }) => {
                  if (currentTarget.value) form.set('categoryIds', [...chosen, currentTarget.value]);
                  currentTarget.value = '';
                }}
              >
                <option value="">{words.choose}</option>
                {categoryOptions(all)
                  .filter(([id]) => !chosen.includes(id))
                  .map(([id, label]) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
              </select>
              <ul class="chips">
                {chosen.map((id) => {
                  const name = all.byId.get(id)?.name ?? id;
                  return (
                    <li key={id}>
                      <UserText>{name}</UserText>
                      <Button
                        kind="quiet"
                        icon="close"
                        label={words.removeCategory(name)}
                        onClick={() =>
                          form.set(
                            'categoryIds',
                            chosen.filter((one) => one !== id),
                          )
                        }
                      />
                    </li>
                  );
                })}
              </ul>
            </>
          )}
        </Field>
      )}
    </Shown>
  );
}
