import { can } from '../../api/session.ts';
import { type Column, List, Money, UserText } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Thumb } from '../media/thumb.tsx';
import { type BestSeller, loadBest, loadBestWithPictures } from './best.ts';
import { CsvButton } from './csv-button.tsx';
import type { Period } from './period.ts';

const { columns: names } = t.statistics;

const columns: readonly Column<BestSeller>[] = [
  {
    label: names.product,
    cell: ({ primaryMediaId, title }) => (
      <span class="product-name">
        <Thumb id={primaryMediaId} />
        <UserText>{title ?? t.statistics.deleted}</UserText>
      </span>
    ),
    card: 'title',
  },
  { label: names.sku, cell: ({ sku }) => <UserText>{sku}</UserText>, card: 'meta' },
  { label: names.pieces, cell: ({ quantity }) => formatNumber(quantity), end: true, card: 'state' },
  { label: names.sales, cell: ({ gross }) => <Money amount={gross} />, end: true, card: 'amount' },
];

/** Most rows of one answer. */
const pageSize = 100;

/** The products of a period, those with the most pieces first. */
export function Products({ period }: { period: Period }) {
  return (
    <>
      <div class="view-actions">
        <CsvButton name="products" period={period} rows={() => rowsOf(period)} />
      </div>
      <List<BestSeller>
        what={t.statistics.products}
        also={['period', 'from', 'to']}
        columns={columns}
        idOf={({ productId }) => productId}
        nameOf={({ title }) => title ?? t.statistics.deleted}
        {...(can('product.read') ? { to: ({ productId }) => `products/${productId}` } : {})}
        load={(_, window, signal) => loadBestWithPictures(period, window, signal)}
        empty={{ title: t.statistics.noSales, icon: 'chart' }}
      />
    </>
  );
}

/** All products of the period, also those that the list has not loaded. */
async function rowsOf(period: Period): Promise<string[][]> {
  const { signal } = new AbortController();
  const items: BestSeller[] = [];
  for (let total = 1; items.length < total; ) {
    const page = await loadBest(period, { limit: pageSize, offset: items.length }, signal);
    if (page.items.length === 0) break;
    items.push(...page.items);
    total = page.total;
  }
  return [
    [names.product, names.sku, names.pieces, names.sales],
    ...items.map(({ title, sku, quantity, gross }) => [title ?? '', sku ?? '', String(quantity), gross]),
  ];
}
