import type { paths } from '@commerce/server/api';
import { useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import {
  ExportButton,
  type Filter,
  LinkButton,
  List,
  type Order,
  Page,
  type Rows,
  useLoad,
  valuesOf,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { statusOptions } from '../goods/status.ts';
import { categoryOptions } from '../goods/tree.ts';
import { BulkDialog, useBulk } from './bulk-dialog.tsx';
import { nameOf, productColumns } from './columns.tsx';
import { EndsOfPages } from './ends-of-pages.ts';
import { countedOf, FoldedProducts, type ProductRow } from './folded.ts';

const words = t.products;

type Query = NonNullable<paths['/stores/{storeId}/products']['get']['parameters']['query']>;

const orders: readonly Order[] = [
  { value: '', label: words.orders.newest },
  { value: 'oldest', label: words.orders.oldest },
  { value: 'bestselling', label: words.orders.bestselling },
];

/** The products of the shop; prices and stocks are edited in their rows. */
export default function Products() {
  const rows = useRef<Rows<ProductRow> | undefined>(undefined);
  const folded = useRef(new FoldedProducts());
  const ends = useRef(new EndsOfPages());
  const categories = useLoad('categories', loadCategories);
  const bulk = useBulk();
  const options = categories.data ? categoryOptions(categories.data) : [];
  const filters: readonly Filter[] = [
    { name: 'status', label: words.columns.status, options: statusOptions },
    ...(options.length > 0 ? [{ name: 'categoryId', label: words.columns.category, options }] : []),
    { name: 'lowStock', label: words.columns.stock, options: [['true', words.lowOnly]] },
    { name: 'inStock', label: words.available, options: [['true', words.availableOnly]] },
    { name: 'onSale', label: words.sale, options: [['true', words.saleOnly]] },
    { name: 'minPrice', label: words.priceFrom, options: 'amount' },
    { name: 'maxPrice', label: words.priceTo, options: 'amount' },
  ];
  const [columns] = useState(() =>
    productColumns(
      (product) => {
        folded.current.replace(product);
        rows.current?.replace(
          (row) => row.product.id === product.id && row.members === undefined,
          (row) => ({ ...row, product }),
        );
      },
      ({ product }) => {
        folded.current.toggle(product.variantGroupId ?? product.id);
        rows.current?.reload();
      },
    ),
  );
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ExportButton what="products" query={valuesOf(query.value, ['search', ...filters.map(({ name }) => name)])} />
          {can('product.write') && (
            <>
              <LinkButton to="imports" icon="import">
                {words.import}
              </LinkButton>
              <LinkButton to="products/new" icon="plus" kind="primary">
                {words.create}
              </LinkButton>
            </>
          )}
        </>
      }
    >
      <List<ProductRow>
        what={words.many}
        search={words.search}
        filters={filters}
        orders={orders}
        columns={columns}
        idOf={({ product: { id }, members }) => (members ? `group ${id}` : id)}
        nameOf={({ product, members }) =>
          members ? `${product.title}, ${t.variants.total(countedOf(members).length, undefined)}` : nameOf(product)
        }
        to={({ product: { id } }) => `products/${id}`}
        targetsOf={({ product, members = [product] }) => members.map((one) => ({ id: one.id, name: nameOf(one) }))}
        matching={() => folded.current.count}
        onStale={() => folded.current.forget()}
        load={(values, window, signal) => {
          const load = async (own: typeof window, until: AbortSignal) => {
            const asked = { ...(values as Query), ...ends.current.windowOf(values, own) };
            const params = { path: at(), query: asked };
            const page = await had(api.GET('/stores/{storeId}/products', { params, signal: until }));
            ends.current.note(values, own.offset, page.items);
            return page;
          };
          return folded.current.page(JSON.stringify(values), window, load, signal);
        }}
        onRows={(now) => {
          rows.current = now;
        }}
        bulk={[bulk.action]}
        empty={{
          title: words.empty.title,
          icon: 'products',
          children: (
            <>
              {can('product.write') && (
                <LinkButton to="products/new" icon="plus" kind="primary">
                  {words.first}
                </LinkButton>
              )}
              <p>{words.empty.text}</p>
            </>
          ),
        }}
      />
      {bulk.asked && <BulkDialog asked={bulk.asked} categories={categories} />}
    </Page>
  );
}
