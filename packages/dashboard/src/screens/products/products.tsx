import type { paths } from '@commerce/server/api';
import { useRef } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { ExportButton, type Filter, LinkButton, List, Page, type Rows, useLoad, valuesOf } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { statusOptions } from '../goods/status.ts';
import { categoryOptions } from '../goods/tree.ts';
import { BulkDialog, useBulk } from './bulk-dialog.tsx';
import { attributesText, productColumns } from './columns.tsx';
import { EndsOfPages } from './ends-of-pages.ts';
import type { Product } from './values.ts';

const words = t.products;

type Query = NonNullable<paths['/stores/{storeId}/products']['get']['parameters']['query']>;

/** The products of the shop; prices and stocks are edited in their rows. */
export default function Products() {
  const rows = useRef<Rows<Product> | undefined>(undefined);
  const ends = useRef(new EndsOfPages());
  const categories = useLoad('categories', loadCategories);
  const bulk = useBulk();
  const options = categories.data ? categoryOptions(categories.data) : [];
  const filters: readonly Filter[] = [
    { name: 'status', label: words.columns.status, options: statusOptions },
    ...(options.length > 0 ? [{ name: 'categoryId', label: words.columns.category, options }] : []),
    { name: 'lowStock', label: words.columns.stock, options: [['true', words.lowOnly]] },
  ];
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
      <List<Product>
        what={words.many}
        search={words.search}
        filters={filters}
        columns={productColumns(() => rows.current)}
        idOf={({ id }) => id}
        nameOf={(product) => [product.title, attributesText(product)].filter(Boolean).join(', ')}
        to={({ id }) => `products/${id}`}
        load={async (values, window, signal) => {
          const asked = { ...(values as Query), ...ends.current.windowOf(values, window) };
          const params = { path: at(), query: asked };
          const page = await had(api.GET('/stores/{storeId}/products', { params, signal }));
          ends.current.note(values, window.offset, page.items);
          return page;
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
