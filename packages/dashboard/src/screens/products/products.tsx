import type { paths } from '@commerce/server/api';
import { useRef } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { LinkButton, List, Page, type Rows, useLoad } from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { statusOptions } from '../goods/status.ts';
import { categoryOptions } from '../goods/tree.ts';
import { BulkDialog, useBulk } from './bulk-dialog.tsx';
import { attributesText, productColumns } from './columns.tsx';
import { EndsOfPages } from './ends-of-pages.ts';
import type { Product } from './values.ts';

type Query = NonNullable<paths['/stores/{storeId}/products']['get']['parameters']['query']>;

/** The products of the shop; prices and stocks are edited in their rows. */
export default function Products() {
  const rows = useRef<Rows<Product> | undefined>(undefined);
  const ends = useRef(new EndsOfPages());
  const categories = useLoad('categories', loadCategories);
  const bulk = useBulk();
  const options = categories.data ? categoryOptions(categories.data) : [];
  return (
    <Page
      title="Products"
      actions={
        can('product.write') && (
          <>
            <LinkButton to="imports" icon="import">
              Import
            </LinkButton>
            <LinkButton to="products/new" icon="plus" kind="primary">
              New product
            </LinkButton>
          </>
        )
      }
    >
      <List<Product>
        what="products"
        search="Title, description or SKU"
        filters={[
          { name: 'status', label: 'Status', options: statusOptions },
          ...(options.length > 0 ? [{ name: 'categoryId', label: 'Category', options }] : []),
          { name: 'lowStock', label: 'Stock', options: [['true', 'Low']] },
        ]}
        columns={productColumns(() => rows.current)}
        idOf={({ id }) => id}
        nameOf={(product) => [product.title, attributesText(product)].filter(Boolean).join(', ')}
        to={({ id }) => `products/${id}`}
        load={async (values, window, signal) => {
          const query = { ...(values as Query), ...ends.current.windowOf(values, window) };
          const page = await had(api.GET('/stores/{storeId}/products', { params: { path: at(), query }, signal }));
          ends.current.note(values, window.offset, page.items);
          return page;
        }}
        onRows={(now) => {
          rows.current = now;
        }}
        bulk={[{ label: 'Change', icon: 'edit', scope: 'product.write', all: bulk.ask }]}
        empty={{
          title: 'No products yet',
          icon: 'products',
          children: (
            <>
              {can('product.write') && (
                <LinkButton to="products/new" icon="plus" kind="primary">
                  Create the first one
                </LinkButton>
              )}
              <p>
                To import a file from another shop, use <code>commerce products import products.csv</code>.
              </p>
            </>
          ),
        }}
      />
      {bulk.asked && <BulkDialog products={bulk.asked.products} categories={categories.data} onEnd={bulk.asked.end} />}
    </Page>
  );
}
