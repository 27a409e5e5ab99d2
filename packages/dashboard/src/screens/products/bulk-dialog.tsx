import { useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { ApiError, toApiError } from '../../api/errors.ts';
import { who } from '../../api/session.ts';
import {
  AreaField,
  type BulkResult,
  Button,
  CheckField,
  Dialog,
  FormView,
  type Loaded,
  MoneyField,
  maxAtOnce,
  patiently,
  SelectField,
  type Step,
  type Target,
  TextField,
  UserText,
  useForm,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { percentText, readPercent } from '../goods/percent.ts';
import { statusOptions } from '../goods/status.ts';
import type { Categories } from '../goods/tree.ts';
import { AttributesField } from './attributes.tsx';
import { type BulkValues, type Changes, changesOf, fieldsOf, noChanges, targetsOf } from './bulk-values.ts';
import { CategoryField } from './category-field.tsx';

const words = t.products.bulk;

const change = (changes: Changes, targets: readonly Target[]) =>
  had(
    api.PUT('/stores/{storeId}/products/bulk', {
      params: { path: at() },
      body: { ids: targets.map(({ id }) => id), changes },
    }),
  );

/** Changes up to 200 products per part. Those that prevent it are left out and reported, and the others are tried again. */
function stepOf(changes: Changes): Step {
  return {
    size: maxAtOnce,
    async run(part) {
      const failed: BulkResult['failed'] = [];
      let rest = [...part];
      while (rest.length > 0) {
        try {
          await patiently(() => change(changes, rest));
          return { done: rest, failed };
        } catch (thrown) {
          const error = toApiError(thrown);
          const inWay = targetsOf(error.details, rest);
          if (inWay.length === 0) throw fieldsOf(error);
          failed.push(...inWay);
          const ids = new Set(inWay.map(({ row }) => row.id));
          rest = rest.filter(({ id }) => !ids.has(id));
        }
      }
      return { done: [], failed };
    },
  };
}

interface Asked {
  count: number;
  /** The products, if they are changed at once; undefined for a task. */
  targets: readonly Target[] | undefined;
  /** @param result undefined if nothing was changed */
  onEnd(result: BulkResult | undefined): void;
  /** Receives the way to change them, for a task. */
  onStep(step: Step): void;
}

/**
 * Changes several products alike. Up to 200 are changed all or none: products that prevent it are named, and can be left out. More are changed
 * by a task, which this dialog only prepares.
 */
export function BulkDialog({
  asked: { count, targets, onEnd, onStep },
  categories,
}: {
  asked: Asked;
  categories: Loaded<Categories>;
}) {
  const [inWay, setInWay] = useState<BulkResult['failed']>([]);
  const left = useRef(targets ?? []);
  const failed = useRef<BulkResult['failed']>([]);
  const currency = who.value?.store.currency ?? '';
  const form = useForm<BulkValues>({
    key: 'products/bulk',
    read: { values: noChanges },
    saved: targets ? words.saved(left.current.length) : words.started,
    async save(_, __, all) {
      const changes = changesOf(all);
      if (Object.keys(changes).length === 0) {
        throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: words.nothing });
      }
      if (!targets) {
        onStep(stepOf(changes));
        return { values: all };
      }
      const rows = left.current;
      setInWay([]);
      try {
        await change(changes, rows);
      } catch (thrown) {
        throw explained(toApiError(thrown), rows);
      }
      onEnd({ done: [...rows], failed: failed.current });
      return { values: all };
    },
  });
  /** Names the products of a refusal, and keeps the rest of the service's words. */
  const explained = (error: ApiError, rows: readonly Target[]): ApiError => {
    const found = targetsOf(error.details, rows);
    if (found.length === 0) return fieldsOf(error);
    setInWay(found);
    return new ApiError({
      status: 409,
      code: error.code,
      message: words.refused(found.length, rows.length),
      requestId: error.requestId,
    });
  };
  const goOn = () => {
    const ids = new Set(inWay.map(({ row }) => row.id));
    left.current = left.current.filter(({ id }) => !ids.has(id));
    failed.current = [...failed.current, ...inWay];
    void form.save();
  };
  const rest = left.current.length - inWay.length;
  const affected = targets ? left.current.length : count;
  const { how, pricePercent, categoryHow, attributeHow } = form.values.value;
  return (
    <Dialog title={words.title(count)} onClose={() => onEnd(undefined)} closes={!form.busy.value}>
      <FormView form={form} saveLabel={inWay.length > 0 ? words.again : words.save}>
        {inWay.length > 0 && (
          <div class="in-way">
            <ul class="results">
              {inWay.map(({ row, error }) => (
                <li key={row.id}>
                  <strong>
                    <UserText>{row.name}</UserText>
                  </strong>
                  : <span dir="auto">{error.message}</span>
                </li>
              ))}
            </ul>
            {rest > 0 && <Button onClick={goOn}>{words.leaveOut(rest)}</Button>}
          </div>
        )}
        <SelectField
          form={form}
          name="status"
          label={t.products.columns.status}
          options={[['', words.keep], ...statusOptions]}
        />
        <SelectField
          form={form}
          name="how"
          label={words.price}
          options={[
            ['', words.keep],
            ['percent', words.byPercent],
            ['set', words.setTo],
          ]}
        />
        {how === 'set' && <MoneyField form={form} name="price" label={words.newPrice(currency)} />}
        {how === 'percent' && (
          <TextField
            form={form}
            name="pricePercent"
            label={words.percent}
            inputMode="decimal"
            placeholder="-10"
            hint={percentEffect(pricePercent, affected)}
          />
        )}
        {how !== '' && <CheckField form={form} name="compare" label={words.compare} hint={words.compareHint} />}
        {(categories.data?.items.length ?? 0) > 0 && (
          <>
            <SelectField
              form={form}
              name="categoryHow"
              label={t.products.form.categories}
              options={[
                ['', words.keep],
                ['add', words.addTo],
                ['remove', words.removeFrom],
                ['set', words.replaceBy],
              ]}
            />
            {categoryHow !== '' && (
              <CategoryField
                form={form}
                categories={categories}
                label={words.chooseCategory}
                hint={categoryHow === 'set' ? words.replaceHint : undefined}
              />
            )}
          </>
        )}
        <SelectField
          form={form}
          name="attributeHow"
          label={t.products.form.attributes}
          options={[
            ['', words.keep],
            ['set', words.setAttributes],
            ['remove', words.removeAttributes],
          ]}
        />
        {attributeHow === 'set' && <AttributesField form={form} />}
        {attributeHow === 'remove' && (
          <AreaField form={form} name="names" label={words.attributeNames} hint={words.attributeNamesHint} rows={2} />
        )}
      </FormView>
    </Dialog>
  );
}

/** What a typed percentage does to the prices. */
function percentEffect(typed: string, products: number): string {
  const percent = readPercent(typed);
  if (percent === undefined) return words.percentHint;
  if (!/[1-9]/.test(percent)) return words.unchanged;
  return percent.startsWith('-')
    ? words.lowers(products, percentText(percent.slice(1)))
    : words.raises(products, percentText(percent));
}

/** The change of several products of a list: a dialog asks for it, then the list is shown again. */
export function useBulk() {
  const [asked, setAsked] = useState<Asked>();
  const open = <R,>(count: number, targets: readonly Target[] | undefined): Promise<R | undefined> =>
    new Promise((resolve) => {
      const end = (result: BulkResult | Step | undefined) => {
        setAsked(undefined);
        resolve(result as R | undefined);
      };
      setAsked({ count, targets, onEnd: end, onStep: end });
    });
  return {
    asked,
    /** The action of a list. */
    action: {
      label: words.action,
      icon: 'edit',
      scope: 'product.write',
      all: (targets: readonly Target[]) => open<BulkResult>(targets.length, targets),
      prepare: (count: number) => open<Step>(count, undefined),
    } as const,
  };
}
