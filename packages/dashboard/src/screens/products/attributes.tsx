import { useId } from 'preact/hooks';
import { Button, type Form } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { ProductValues } from './values.ts';

const words = t.products.attributes;

/**
 * Names and values, such as color and blue: one row each.
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
  const id = useId();
  const rows = form.values.value.attributes;
  const reason = form.errors.value.attributes;
  const shown = rows
    .flatMap(([name, value], i) =>
      // The second of two rows with one name is shown, so that its reason can be seen.
      hidden.includes(name) && rows.findIndex(([one]) => one === name) === i ? [] : [{ name, value, i }],
    )
    .map((row, n) => ({ ...row, n: n + 1 }));
  const put = (next: ProductValues['attributes']) => form.set('attributes', next);
  const change = (i: number, row: readonly [string, string]) => put(rows.map((old, at) => (at === i ? row : old)));
  return (
    <div
      class="field attributes"
      role="group"
      aria-label={t.products.form.attributes}
      aria-describedby={reason ? id : undefined}
    >
      {shown.map(({ name, value, i, n }) => (
        <div key={i} class="attribute">
          <input
            aria-label={words.name(n)}
            placeholder={words.exampleName}
            dir="auto"
            autoComplete="off"
            aria-invalid={reason ? 'true' : undefined}
            value={name}
            onInput={({ currentTarget }) => change(i, [currentTarget.value, value])}
          />
          <input
            aria-label={words.value(name || words.nth(n))}
            placeholder={name === '' ? words.exampleValue : undefined}
            dir="auto"
            autoComplete="off"
            value={value}
            onInput={({ currentTarget }) => change(i, [name, currentTarget.value])}
          />
          <Button
            kind="quiet"
            icon="trash"
            label={words.remove(name || words.nth(n))}
            onClick={() => put(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {reason && (
        <p class="reason" id={id} dir="auto">
          {reason}
        </p>
      )}
      <div>
        <Button icon="plus" onClick={() => put([...rows, ['', '']])}>
          {words.add}
        </Button>
      </div>
    </div>
  );
}
