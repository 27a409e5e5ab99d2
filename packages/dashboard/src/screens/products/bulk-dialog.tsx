import { useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { ApiError, type Detail, refusal, toApiError } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';
import { who } from '../../api/session.ts';
import {
  type BulkResult,
  Button,
  Dialog,
  FormView,
  MoneyField,
  SelectField,
  TextField,
  toast,
  UserText,
  useForm,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { percentText, readPercent } from '../goods/percent.ts';
import { statusOptions } from '../goods/status.ts';
import { type Categories, categoryOptions } from '../goods/tree.ts';
import { attributesText } from './columns.tsx';
import type { Product } from './values.ts';

const words = t.products.bulk;

/** Most products per request. */
const maxAtOnce = 200;

type Values = {
  status: string;
  how: string;
  price: string;
  pricePercent: string;
  addCategoryIds: string;
  removeCategoryIds: string;
};

/** Changes several products alike, all or none; products that prevent it are named, and can be left out. */
export function BulkDialog({
  products,
  categories,
  onEnd,
}: {
  products: readonly Product[];
  categories: Categories | undefined;
  /** @param result undefined if nothing was changed */
  onEnd(result: BulkResult<Product> | undefined): void;
}) {
  const [inWay, setInWay] = useState<{ row: Product; error: ApiError }[]>([]);
  const left = useRef(products);
  const failed = useRef<{ row: Product; error: ApiError }[]>([]);
  const currency = who.value?.store.currency ?? '';
  const form = useForm<Values>({
    key: 'products/bulk',
    read: { values: { status: '', how: '', price: '', pricePercent: '', addCategoryIds: '', removeCategoryIds: '' } },
    saved: words.saved(left.current.length),
    async save(_, __, all) {
      const changes = changesOf(all);
      if (Object.keys(changes).length === 0) {
        throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: words.nothing });
      }
      const rows = left.current;
      setInWay([]);
      try {
        await had(
          api.PUT('/stores/{storeId}/products/bulk', {
            params: { path: at() },
            body: { ids: rows.map(({ id }) => id), changes },
          }),
        );
      } catch (thrown) {
        throw explained(toApiError(thrown), rows);
      }
      onEnd({ done: [...rows], failed: failed.current });
      return { values: all };
    },
  });
  /** Names the products of a refusal, and keeps the rest of the service's words. */
  const explained = (error: ApiError, rows: readonly Product[]): ApiError => {
    const found = rowsOf(error.details, rows);
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
  const options = categories ? categoryOptions(categories) : [];
  return (
    <Dialog title={words.title(products.length)} onClose={() => onEnd(undefined)} closes={!form.busy.value}>
      <FormView form={form} saveLabel={inWay.length > 0 ? words.again : words.save}>
        {inWay.length > 0 && (
          <div class="in-way">
            <ul class="results">
              {inWay.map(({ row, error }) => (
                <li key={row.id}>
                  <strong>
                    <UserText>{[row.title, attributesText(row)].filter(Boolean).join(', ')}</UserText>
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
        {form.values.value.how === 'set' && <MoneyField form={form} name="price" label={words.newPrice(currency)} />}
        {form.values.value.how === 'percent' && (
          <TextField
            form={form}
            name="pricePercent"
            label={words.percent}
            inputMode="decimal"
            placeholder="-10"
            hint={percentEffect(form.values.value.pricePercent, left.current.length)}
          />
        )}
        {options.length > 0 && (
          <>
            <SelectField
              form={form}
              name="addCategoryIds"
              label={words.addCategory}
              options={[['', words.noCategory], ...options]}
            />
            <SelectField
              form={form}
              name="removeCategoryIds"
              label={words.removeCategory}
              options={[['', words.noCategory], ...options]}
            />
          </>
        )}
      </FormView>
    </Dialog>
  );
}

function changesOf({ status, how, price, pricePercent, addCategoryIds, removeCategoryIds }: Values) {
  return {
    ...(status ? { status: status as Product['status'] & ('draft' | 'published' | 'archived') } : {}),
    ...(how === 'set' ? { price: price.trim() } : {}),
    ...(how === 'percent' ? { pricePercent: percentOf(pricePercent) } : {}),
    ...(addCategoryIds ? { addCategoryIds: [addCategoryIds] } : {}),
    ...(removeCategoryIds ? { removeCategoryIds: [removeCategoryIds] } : {}),
  };
}

/** @throws ApiError if it is not a percentage with at most two decimals */
function percentOf(typed: string): string {
  const percent = readPercent(typed);
  if (percent === undefined || !/^-?\d+(\.\d{1,2})?$/.test(percent)) throw refusal('pricePercent', words.notPercent);
  return percent;
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

/** The products that details such as `ids.3` refer to. */
function rowsOf(details: readonly Detail[], rows: readonly Product[]): { row: Product; error: ApiError }[] {
  return details.flatMap((detail) => {
    const { field } = detail;
    const row = field.startsWith('ids.') ? rows[Number(field.slice(4))] : undefined;
    return row ? [{ row, error: new ApiError({ status: 409, code: 'CONFLICT', message: reasonOf(detail) }) }] : [];
  });
}

/** The same refusal with `changes.price` renamed to `price`, the field of the form. */
function fieldsOf(error: ApiError): ApiError {
  return error.with(error.details.map((detail) => ({ ...detail, field: detail.field.replace(/^changes\./, '') })));
}

/** A change to several products: a dialog asks for it, then the list is shown again. */
export function useBulk() {
  const [asked, setAsked] = useState<{
    products: readonly Product[];
    end(result: BulkResult<Product> | undefined): void;
  }>();
  const ask = (products: readonly Product[]): Promise<BulkResult<Product> | undefined> => {
    if (products.length > maxAtOnce) {
      toast(words.tooMany(products.length, maxAtOnce), { tone: 'bad' });
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) =>
      setAsked({
        products,
        end(result) {
          setAsked(undefined);
          resolve(result);
        },
      }),
    );
  };
  return { asked, ask };
}
