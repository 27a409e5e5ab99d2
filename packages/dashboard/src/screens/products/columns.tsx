import { api, at, had } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';
import { itemsOf } from '../../api/items.ts';
import { can, who } from '../../api/session.ts';
import { Icon } from '../../icons/icon.tsx';
import {
  amountText,
  Button,
  type Column,
  decimalsOf,
  formatMoney,
  Money,
  minorUnits,
  readAmount,
  shopDecimals,
  toast,
  UserText,
} from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { InPlace } from '../goods/in-place.tsx';
import { PublishingState } from '../goods/publishing.tsx';
import { Thumb } from '../media/thumb.tsx';
import { countedOf, type ProductRow } from './folded.ts';
import type { Product } from './values.ts';

const words = t.products;

/** The texts that distinguish a variant. */
export const attributesText = ({ attributes }: Product) => Object.values(attributes).join(' · ');

/** A product in words, with what distinguishes a variant. */
export const nameOf = (product: Product) => [product.title, attributesText(product)].filter(Boolean).join(', ');

/** The sum of the stocks that are tracked; undefined if none is. */
function stockOf(members: readonly Product[]): number | undefined {
  const tracked = members.filter(({ trackStock }) => trackStock);
  return tracked.length === 0 ? undefined : tracked.reduce((sum, { stock }) => sum + stock, 0);
}

/**
 * Columns of a list of products; price and stock are edited in place. A group of variants has its sum and the range of its prices.
 * @param show called with a changed product
 * @param onToggle opens or closes a group
 */
export function productColumns(
  show: (product: Product) => void,
  onToggle: (row: ProductRow) => void,
): readonly Column<ProductRow>[] {
  const editable = can('product.write');
  return [
    {
      label: words.columns.product,
      card: 'title',
      sort: { asc: 'title', desc: '-title' },
      cell: ({ product, members, isMember }) => (
        <span class={`product-name${isMember ? ' member' : ''}`}>
          <Thumb id={product.primaryMediaId ?? product.mediaIds[0] ?? null} />
          <span>
            <UserText>{product.title}</UserText>
            <span class="quiet">
              {members ? (
                t.variants.total(countedOf(members).length, stockOf(countedOf(members)))
              ) : (
                <UserText>{attributesText(product)}</UserText>
              )}
            </span>
          </span>
        </span>
      ),
      beside: (row) =>
        row.members && (
          <Button
            kind="quiet"
            icon={row.isOpen ? 'up' : 'down'}
            label={row.isOpen ? t.variants.group.hide(row.product.title) : t.variants.group.show(row.product.title)}
            expanded={row.isOpen ?? false}
            onClick={() => onToggle(row)}
          />
        ),
    },
    { label: words.columns.sku, cell: ({ product, members }) => !members && <UserText>{product.sku}</UserText> },
    {
      label: words.columns.status,
      cell: ({ product, members = [product] }) => {
        const statuses = [...new Set(countedOf(members).map(({ status }) => status))];
        return statuses.map((status) => <PublishingState key={status} status={status} />);
      },
      card: 'meta',
    },
    {
      label: words.columns.stock,
      end: true,
      card: 'state',
      cell: ({ product, members }) => {
        if (members) return <StockSum sum={stockOf(countedOf(members))} />;
        const shown = <Stock product={product} />;
        return editable && product.trackStock ? (
          <InPlace
            key={product.id}
            label={words.inPlace.stock(nameOf(product))}
            value={String(product.stock)}
            inputMode="numeric"
            save={(typed) => changeStock(product, typed, show)}
          >
            {shown}
          </InPlace>
        ) : (
          shown
        );
      },
    },
    {
      label: words.columns.price,
      end: true,
      card: 'amount',
      sort: { asc: 'price', desc: '-price' },
      cell: ({ product, members }) => {
        if (members) return <Prices of={countedOf(members)} />;
        return editable ? (
          <InPlace
            key={product.id}
            label={words.inPlace.price(nameOf(product))}
            value={amountText(product.price)}
            inputMode="decimal"
            save={(typed) => changePrice(product, typed, show)}
          >
            <Money amount={product.price} />
          </InPlace>
        ) : (
          <Money amount={product.price} />
        );
      },
    },
  ];
}

const StockSum = ({ sum }: { sum: number | undefined }) =>
  sum === undefined ? <span class="quiet">{words.notTracked}</span> : <span>{formatNumber(sum)}</span>;

/** The lowest and the highest price. */
function Prices({ of }: { of: readonly Product[] }) {
  const decimals = shopDecimals();
  const prices = of.map(({ price }) => ({ price, minor: minorUnits(price, decimals) }));
  const sorted = prices.sort((a, b) => (a.minor < b.minor ? -1 : 1));
  const [low, high] = [sorted[0]?.price, sorted.at(-1)?.price];
  return (
    <span class="prices">
      <Money amount={low} />
      {low !== high && (
        <>
          {' – '}
          <Money amount={high} />
        </>
      )}
    </span>
  );
}

function Stock({ product: { trackStock, stock, lowStockThreshold } }: { product: Product }) {
  if (!trackStock) return <span class="quiet">{words.notTracked}</span>;
  const isLow = stock <= (lowStockThreshold ?? 0);
  return (
    <span class={isLow ? 'low' : ''}>
      {isLow && <Icon name="warning" />}
      {formatNumber(stock)}
      {isLow && <span class="unseen"> {words.low}</span>}
    </span>
  );
}

/** A refusal by these pages, in the form of an error of the service. */
function refused(status: 400 | 409, message: string): ApiError {
  return new ApiError({ status, code: status === 400 ? 'VALIDATION_ERROR' : 'CONFLICT', message });
}

/** Changes the stock by the difference between the shown and the typed number, so that orders at the same time are kept. */
async function changeStock(product: Product, typed: string, show: (product: Product) => void): Promise<void> {
  if (!/^-?\d{1,10}$/.test(typed)) throw refused(400, words.inPlace.notWhole(typed));
  const adjustment = Number(typed) - product.stock;
  const adjust = async (difference: number) => {
    const params = { path: at({ id: product.id }) };
    const body = { adjustment: difference, reason: null };
    const { item } = await had(api.POST('/stores/{storeId}/products/{id}/stock', { params, body }));
    show(item);
    return item;
  };
  const { stock } = await adjust(adjustment);
  toast(words.inPlace.stockSaved(nameOf(product), stock), { undo: () => void adjust(-adjustment).catch(() => {}) });
}

/** Changes the price of a product, if it still has the shown price. */
async function changePrice(product: Product, typed: string, show: (product: Product) => void): Promise<void> {
  const currency = who.value?.store.currency ?? 'USD';
  const decimals = decimalsOf(currency);
  const wanted = readAmount(typed, decimals);
  if (wanted === undefined) throw refused(400, reasonOf({ code: 'NOT_AN_AMOUNT', limits: { decimals } }));
  const products = itemsOf('products');
  const read = await products.read(product.id);
  if (read.item.price !== product.price) {
    show(read.item);
    throw refused(409, words.inPlace.priceChanged(formatMoney(read.item.price, currency)));
  }
  const put = async (price: string, etag: string) => {
    const saved = await products.update(product.id, { price }, etag);
    show(saved.item);
    return saved;
  };
  const { item, etag } = await put(wanted, read.etag);
  toast(words.inPlace.priceSaved(nameOf(product), formatMoney(item.price, currency)), {
    undo: () => void put(product.price, etag).catch(() => toast(words.inPlace.undoTooLate, { tone: 'bad' })),
  });
}
