import { useId } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { AmountInput, amountRefusal, shopDecimals, useGuard } from '../../kit/form/amount-input.tsx';
import { Button, type Form, Money, Section, UserText } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { PairsInput } from '../labels/pairs-input.tsx';
import { Thumb } from '../media/thumb.tsx';
import { Finder } from './finder.tsx';
import { isRepriced, type Line, lineOf, type NewOrderValues, piecesOf, subtotalOf } from './values.ts';

const words = t.newOrder;

/** The fields of a line that refusals name. */
export const lineFields = ['productId', 'quantity', 'price', 'lineDiscount', 'options'] as const;

/** Products that are offered at once. */
const limit = 8;

const findProducts = async (search: string, signal: AbortSignal) =>
  (await had(api.GET('/stores/{storeId}/products', { params: { path: at(), query: { search, limit } }, signal })))
    .items;

/** Chooses the products of the order, with quantities and prices. */
export function ItemsSection({
  form,
  currency,
  mayReprice,
}: {
  form: Form<NewOrderValues>;
  currency: string;
  mayReprice: boolean;
}) {
  const { items } = form.values.value;
  /** @param changed the line whose reasons no longer apply; all lines have moved without it */
  const put = (next: Line[], changed?: number) => {
    const prefix = changed === undefined ? 'items.' : `items.${changed}.`;
    form.errors.value = Object.fromEntries(
      Object.entries(form.errors.value).filter(([name]) => !name.startsWith(prefix)),
    );
    form.set('items', next);
  };
  useGuard(form, () =>
    Object.fromEntries(
      form.values.value.items.map(({ price }, i) => [`items.${i}.price`, amountRefusal(price, shopDecimals())]),
    ),
  );
  return (
    <Section title={words.items}>
      <Finder
        label={words.addProduct}
        placeholder={words.findProduct}
        reason={form.errors.value.items}
        load={findProducts}
        show={(product) => (
          <>
            <Thumb id={product.primaryMediaId} />
            <span class="found">
              <UserText>{product.title}</UserText>
              <span class="quiet">
                <UserText>{[...Object.values(product.attributes), product.sku].filter(Boolean).join(' · ')}</UserText>
                {product.trackStock && ` · ${words.inStock(product.stock)}`}
              </span>
            </span>
            <span class="end">
              <Money amount={product.price} currency={currency} />
            </span>
          </>
        )}
        onPick={(product) => {
          // A line with options is not that of a further piece, which may have others.
          const there = items.findIndex(({ productId, options }) => productId === product.id && options.length === 0);
          const line = items[there];
          if (!line) put([...items, lineOf(product)]);
          else put(items.with(there, { ...line, quantity: String((piecesOf(line) ?? 0) + 1) }), there);
        }}
      />
      {items.length > 0 && (
        <ul class="new-lines">
          {items.map((line, i) => (
            <LineRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a product can be there twice, with different options
              key={i}
              line={line}
              currency={currency}
              mayReprice={mayReprice}
              reasons={lineFields.flatMap((name) => form.errors.value[`items.${i}.${name}`] ?? [])}
              onChange={(next) => put(items.with(i, next), i)}
              onRemove={() => put(items.toSpliced(i, 1))}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

function LineRow({
  line,
  currency,
  mayReprice,
  reasons,
  onChange,
  onRemove,
}: {
  line: Line;
  currency: string;
  mayReprice: boolean;
  reasons: readonly string[];
  onChange(line: Line): void;
  onRemove(): void;
}) {
  const id = useId();
  const invalid = reasons.length > 0 ? ('true' as const) : undefined;
  return (
    <li>
      <Thumb id={line.mediaId} />
      <div class="what">
        <UserText>{line.title}</UserText>
        <span class="quiet">
          <UserText>{line.sku}</UserText>
        </span>
      </div>
      <div class="amounts">
        <label>
          <span class="unseen">{words.quantityOf(line.title)}</span>
          <input
            inputMode="numeric"
            autoComplete="off"
            value={line.quantity}
            aria-invalid={invalid}
            aria-describedby={`${id}-reason`}
            onInput={({ currentTarget }) => onChange({ ...line, quantity: currentTarget.value })}
          />
        </label>
        <span aria-hidden="true">×</span>
        {mayReprice ? (
          <>
            <label class="unseen" htmlFor={`${id}-price`}>
              {words.priceOf(line.title)}
            </label>
            <AmountInput
              id={`${id}-price`}
              value={line.price}
              decimals={shopDecimals()}
              onValue={(price) => onChange({ ...line, price })}
              aria-invalid={invalid}
              aria-describedby={`${id}-reason`}
            />
          </>
        ) : (
          <Money amount={line.price} currency={currency} />
        )}
      </div>
      <span class="price">
        <Money amount={subtotalOf([line], currency)} currency={currency} />
      </span>
      <Button kind="quiet" icon="trash" label={words.removeLine(line.title)} onClick={onRemove} />
      <div class="line-options">
        {line.options.length === 0 ? (
          <Button
            kind="quiet"
            icon="plus"
            label={words.options.firstFor(line.title)}
            onClick={() => onChange({ ...line, options: [['', '']] })}
          >
            {words.options.first}
          </Button>
        ) : (
          <PairsInput
            rows={line.options}
            label={words.options.of(line.title)}
            words={words.options}
            longest={{ name: 64, value: 500 }}
            onChange={(options) => onChange({ ...line, options })}
          />
        )}
      </div>
      <p id={`${id}-reason`} class={invalid ? 'reason' : 'hint'}>
        {invalid
          ? reasons.join(' ')
          : isRepriced(line, currency) &&
            filled(words.listPrice, { amount: <Money amount={line.listPrice} currency={currency} /> })}
      </p>
    </li>
  );
}
