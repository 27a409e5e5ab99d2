import { api, at, had } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { can, who } from '../../api/session.ts';
import { Icon } from '../../icons/icon.tsx';
import { type Column, formatMoney, Money, type Rows, toast, UserText } from '../../kit/index.ts';
import { InPlace } from '../goods/in-place.tsx';
import { PublishingState } from '../goods/publishing.tsx';
import { Thumb } from '../media/thumb.tsx';
import type { Product } from './values.ts';

/** The texts that distinguish a variant. */
export const attributesText = ({ attributes }: Product) => Object.values(attributes).join(' · ');

const nameOf = (product: Product) => [product.title, attributesText(product)].filter(Boolean).join(', ');

/**
 * Columns of a list of products; price and stock are edited in place.
 * @param rows called after a change, to get the current rows
 */
export function productColumns(rows: () => Rows<Product> | undefined): readonly Column<Product>[] {
  const show = (product: Product) => rows()?.replace(({ id }) => id === product.id, product);
  const editable = can('product.write');
  return [
    {
      label: 'Product',
      card: 'title',
      cell: (product) => (
        <span class="product-name">
          <Thumb id={product.primaryMediaId ?? product.mediaIds[0] ?? null} />
          <span>
            <UserText>{product.title}</UserText>
            <span class="quiet">
              <UserText>{attributesText(product)}</UserText>
            </span>
          </span>
        </span>
      ),
    },
    { label: 'SKU', cell: ({ sku }) => <UserText>{sku}</UserText> },
    { label: 'Status', cell: ({ status }) => <PublishingState status={status} />, card: 'meta' },
    {
      label: 'Stock',
      end: true,
      card: 'state',
      cell: (product) => {
        const shown = <Stock product={product} />;
        return editable && product.trackStock ? (
          <InPlace
            key={product.id}
            label={`Stock of ${nameOf(product)}`}
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
      label: 'Price',
      end: true,
      card: 'amount',
      cell: (product) =>
        editable ? (
          <InPlace
            key={product.id}
            label={`Price of ${nameOf(product)}`}
            value={product.price}
            inputMode="decimal"
            save={(typed) => changePrice(product, typed, show)}
          >
            <Money amount={product.price} />
          </InPlace>
        ) : (
          <Money amount={product.price} />
        ),
    },
  ];
}

function Stock({ product: { trackStock, stock, lowStockThreshold } }: { product: Product }) {
  if (!trackStock) return <span class="quiet">Not counted</span>;
  const isLow = stock <= (lowStockThreshold ?? 0);
  return (
    <span class={isLow ? 'low' : ''}>
      {isLow && <Icon name="warning" />}
      {stock.toLocaleString()}
      {isLow && <span class="unseen"> (low)</span>}
    </span>
  );
}

/** A refusal by these pages, in the form of an error of the service. */
function refused(status: 400 | 409, message: string): ApiError {
  return new ApiError({ status, code: status === 400 ? 'VALIDATION_ERROR' : 'CONFLICT', message });
}

/** Changes the stock by the difference between the shown and the typed number, so that orders at the same time are kept. */
async function changeStock(product: Product, typed: string, show: (product: Product) => void): Promise<void> {
  if (!/^-?\d{1,10}$/.test(typed))
    throw refused(400, `the stock must be a whole number such as 12, not ${typed || 'empty'}`);
  const adjustment = Number(typed) - product.stock;
  const adjust = async (difference: number) => {
    const params = { path: at({ id: product.id }) };
    const body = { adjustment: difference, reason: null };
    const { item } = await had(api.POST('/stores/{storeId}/products/{id}/stock', { params, body }));
    show(item);
    return item;
  };
  const { stock } = await adjust(adjustment);
  toast(`${nameOf(product)}: ${stock} in stock.`, { undo: () => void adjust(-adjustment).catch(() => {}) });
}

/** Changes the price of a product, if it still has the shown price. */
async function changePrice(product: Product, typed: string, show: (product: Product) => void): Promise<void> {
  const currency = who.value?.store.currency ?? 'USD';
  const products = itemsOf('products');
  const read = await products.read(product.id);
  if (read.item.price !== product.price) {
    show(read.item);
    throw refused(
      409,
      `someone else changed the price to ${formatMoney(read.item.price, currency)}; check it and enter yours again`,
    );
  }
  const put = async (price: string, etag: string) => {
    const saved = await products.update(product.id, { price }, etag);
    show(saved.item);
    return saved;
  };
  const { item, etag } = await put(typed, read.etag);
  toast(`${nameOf(product)}: ${formatMoney(item.price, currency)}.`, {
    undo: () =>
      void put(product.price, etag).catch(() =>
        toast('The price was changed again in the meantime, and is kept.', { tone: 'bad' }),
      ),
  });
}
