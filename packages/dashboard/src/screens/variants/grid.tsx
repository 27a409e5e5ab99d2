import { useId, useState } from 'preact/hooks';
import { explain } from '../../api/explain.ts';
import { href } from '../../browser/places.ts';
import { AmountInput } from '../../kit/form/amount-input.tsx';
import { Badge, Button, shopDecimals, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { MediaPicker } from '../media/picker.tsx';
import { Thumb } from '../media/thumb.tsx';
import { filledOptions, type Product, textsOf } from './options.ts';
import type { Row } from './plan.ts';
import type { Variants } from './use-variants.ts';

const words = t.variants;

/** Rows per page of the grid. */
const pageSize = 50;

/** The variants of a product: price, stock, SKU and picture of each are edited in place, and stored together. */
export function VariantGrid({ variants, product }: { variants: Variants; product: Product }) {
  const { rows, edit, errors } = variants;
  const [page, setPage] = useState(0);
  const [picking, setPicking] = useState<string>();
  const last = Math.max(0, Math.ceil(rows.length / pageSize) - 1);
  const first = Math.min(page, last) * pageSize;
  const options = filledOptions(variants.options);
  return (
    <>
      <table class="variants">
        <thead>
          <tr>
            <th>{words.variant}</th>
            <th class="end">{t.products.columns.price}</th>
            <th class="end">{t.products.columns.stock}</th>
            <th>{t.products.columns.sku}</th>
            <th>
              <span class="unseen">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody onKeyDown={moveInColumn}>
          {rows.slice(first, first + pageSize).map((row) => (
            <VariantRow
              key={row.key}
              row={row}
              name={textsOf(row.combination, options).join(' · ')}
              isThis={row.variant?.id === product.id}
              tracks={(row.variant ?? product).trackStock}
              said={errors[row.key] && explain(errors[row.key] as Parameters<typeof explain>[0])[1]}
              onEdit={(cells) => edit(row.key, cells)}
              onPicture={() => setPicking(row.key)}
              onLeaveOut={() => variants.leaveOut(row.key)}
            />
          ))}
        </tbody>
      </table>
      {last > 0 && (
        <nav class="blocks" aria-label={words.pages}>
          {first > 0 && <Button onClick={() => setPage(first / pageSize - 1)}>{t.kit.list.previous}</Button>}
          <span>{t.kit.list.range(first + 1, Math.min(rows.length, first + pageSize), rows.length)}</span>
          {first + pageSize < rows.length && (
            <Button onClick={() => setPage(first / pageSize + 1)}>{t.kit.list.next}</Button>
          )}
        </nav>
      )}
      {picking !== undefined && (
        <MediaPicker
          onPick={([mediaId = null]) => {
            edit(picking, { mediaId });
            setPicking(undefined);
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  );
}

function VariantRow({
  row: { variant, cells },
  name,
  isThis,
  tracks,
  said,
  onEdit,
  onPicture,
  onLeaveOut,
}: {
  row: Row;
  /** Texts of the combination. */
  name: string;
  /** Whether it is the product of this page. */
  isThis: boolean;
  tracks: boolean;
  /** Why it was not stored. */
  said: string | undefined;
  onEdit(cells: Partial<Row['cells']>): void;
  onPicture(): void;
  onLeaveOut(): void;
}) {
  const id = useId();
  const reasonId = said ? `${id}-reason` : undefined;
  return (
    <tr class={said ? 'refused' : ''}>
      <th scope="row">
        <span class="variant-name">
          <button type="button" class="variant-picture" aria-label={words.picture(name)} onClick={onPicture}>
            <Thumb id={cells.mediaId} />
          </button>
          <span>
            {variant && !isThis ? (
              <a href={href(`products/${variant.id}`)}>
                <UserText>{name}</UserText>
              </a>
            ) : (
              <UserText>{name}</UserText>
            )}
            {!variant && <Badge tone="wait">{words.isNew}</Badge>}
            {variant?.status === 'draft' && <Badge tone="plain">{t.products.status.draft}</Badge>}
          </span>
        </span>
        {said && (
          <span class="reason" id={reasonId} dir="auto">
            {said}
          </span>
        )}
      </th>
      <td class="end">
        <label class="cell-label" htmlFor={`${id}-price`}>
          {t.products.columns.price}
        </label>
        <AmountInput
          id={`${id}-price`}
          aria-label={words.priceOf(name)}
          value={cells.price}
          decimals={shopDecimals()}
          aria-describedby={reasonId}
          aria-invalid={said ? 'true' : undefined}
          onValue={(price) => onEdit({ price })}
        />
      </td>
      <td class="end">
        {tracks ? (
          <label>
            <span class="cell-label">{t.products.columns.stock}</span>
            <input
              aria-label={words.stockOf(name)}
              value={cells.stock}
              inputMode="numeric"
              autoComplete="off"
              onInput={({ currentTarget }) => onEdit({ stock: currentTarget.value.trim() })}
            />
          </label>
        ) : (
          <span class="quiet">{t.products.notTracked}</span>
        )}
      </td>
      <td>
        <label>
          <span class="cell-label">{t.products.columns.sku}</span>
          <input
            aria-label={words.skuOf(name)}
            value={cells.sku}
            autoComplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onEdit({ sku: currentTarget.value })}
          />
        </label>
      </td>
      <td class="variant-out">
        {!variant && <Button kind="quiet" icon="close" label={words.leaveOut(name)} onClick={onLeaveOut} />}
      </td>
    </tr>
  );
}

/** Enter and the arrow keys go to the same cell of the next or the previous row. */
function moveInColumn(event: KeyboardEvent): void {
  const steps: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  const input = event.target as HTMLElement;
  if (step === undefined || !(input instanceof HTMLInputElement)) return;
  event.preventDefault();
  const cell = input.closest('td');
  const row = cell?.parentElement;
  const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const column = cell && row ? [...row.children].indexOf(cell) : -1;
  const target = next?.children[column]?.querySelector('input');
  target?.focus();
  target?.select();
}
