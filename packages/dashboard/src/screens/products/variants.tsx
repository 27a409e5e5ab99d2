import { useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import {
  Button,
  type Column,
  Dialog,
  FormView,
  List,
  MoneyField,
  Page,
  type Rows,
  type ScreenProps,
  Shown,
  TextField,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { InPlace } from '../goods/in-place.tsx';
import { randomSlug, slugOf } from '../goods/slug.ts';
import { AttributesField } from './attributes.tsx';
import { BulkDialog, useBulk } from './bulk-dialog.tsx';
import { attributesText, productColumns } from './columns.tsx';
import { attributesOf, bodyOf, type Product, type ProductValues, valuesOf } from './values.ts';

const words = t.products.variants;

/** The variants of a product as a grid; prices, stocks and SKUs are edited in place. */
export default function Variants({ params }: ScreenProps) {
  const { id = '' } = params;
  const [isAdding, setAdding] = useState(false);
  const loaded = useLoad(id, async (signal) => (await itemsOf('products').read(id, signal)).item);
  const categories = useLoad('categories', loadCategories);
  const rows = useRef<Rows<Product> | undefined>(undefined);
  const bulk = useBulk();
  const product = loaded.data;
  return (
    <Page
      title={product ? words.of(product.title) : words.title}
      back={{ to: `products/${id}`, label: t.products.one }}
      actions={
        product &&
        can('product.write') && (
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <Shown of={loaded} what={t.products.it} rows={6}>
        {(first) => (
          <List<Product>
            key={first.variantGroupId}
            what={words.many}
            columns={variantColumns(() => rows.current)}
            idOf={({ id: one }) => one}
            nameOf={(one) => attributesText(one) || one.title}
            to={({ id: one }) => `products/${one}`}
            load={(_, window, signal) => loadVariants(first, window, signal)}
            onRows={(now) => {
              rows.current = now;
            }}
            bulk={[bulk.action]}
            empty={{ title: words.none }}
          />
        )}
      </Shown>
      {product && isAdding && (
        <VariantDialog
          product={product}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            loaded.reload();
            rows.current?.reload();
          }}
        />
      )}
      {bulk.asked && <BulkDialog asked={bulk.asked} categories={categories} />}
    </Page>
  );
}

/** One page of the group; only the product itself, if it has no group. */
async function loadVariants(
  product: Product,
  window: { limit: number; offset: number },
  signal: AbortSignal,
): Promise<{ items: Product[]; total: number }> {
  const { variantGroupId } = product;
  if (variantGroupId === null) return { items: [product], total: 1 };
  const query = { variantGroupId, ...window };
  return had(api.GET('/stores/{storeId}/products/by-variant-group', { params: { path: at(), query }, signal }));
}

/** Attributes first, because the titles are alike; the SKU is editable. */
function variantColumns(rows: () => Rows<Product> | undefined): readonly Column<Product>[] {
  return productColumns(rows).map((column) =>
    column.label === t.products.columns.sku && can('product.write')
      ? {
          ...column,
          cell: (product) => (
            <InPlace
              key={product.id}
              label={t.products.inPlace.sku(attributesText(product) || product.title)}
              value={product.sku ?? ''}
              save={async (typed) => {
                const products = itemsOf('products');
                const { etag } = await products.read(product.id);
                const { item } = await products.update(product.id, { sku: typed || null }, etag);
                rows()?.replace(({ id }) => id === item.id, item);
              }}
            >
              {product.sku ? <UserText>{product.sku}</UserText> : <span class="quiet">{t.products.inPlace.noSku}</span>}
            </InPlace>
          ),
        }
      : column,
  );
}

type Values = Pick<ProductValues, 'title' | 'slug' | 'attributes' | 'price' | 'sku'> & { stock: string };

/** A variant of this product, with its own values. */
function VariantDialog({ product, onDone, onClose }: { product: Product; onDone(): void; onClose(): void }) {
  const { id, title, price, attributes } = product;
  const form = useForm<Values>({
    key: `products/${id}/variant`,
    read: {
      values: {
        title,
        slug: '',
        attributes: Object.keys(attributes).length > 0 ? Object.keys(attributes).map((name) => [name, '']) : [['', '']],
        price,
        sku: '',
        stock: '0',
      },
    },
    saved: words.created,
    async save(_, __, all) {
      const variantGroupId = await groupOf(product);
      const own = attributesOf(all.attributes);
      await itemsOf('products').create({
        ...bodyOf({ ...valuesOf(product), barcode: '', ...all, variantGroupId }),
        slug: all.slug || variantSlug(product.slug, [Object.values(own).join(' '), all.sku]),
      });
      onDone();
      return { values: all };
    },
  });
  return (
    <Dialog title={words.add} onClose={onClose}>
      <FormView form={form} saveLabel={words.create}>
        <p class="quiet">{filled(words.copied, { title: <UserText key="title">{title}</UserText> })}</p>
        <AttributesField form={form} />
        <div class="field-row">
          <MoneyField form={form} name="price" label={t.products.form.price} />
          <TextField form={form} name="stock" label={t.products.form.inStock} inputMode="numeric" />
          <TextField form={form} name="sku" label={t.products.form.sku} />
        </div>
        <TextField form={form} name="slug" label={t.products.form.slug} hint={words.slugHint} />
      </FormView>
    </Dialog>
  );
}

/** The slug of a variant: the product's, and the first of these texts that has a Latin spelling. */
function variantSlug(product: string, texts: readonly string[]): string {
  const own = texts.map(slugOf).find((slug) => slug !== '');
  return own === undefined ? randomSlug(product.slice(0, 150)) : `${product.slice(0, 150)}-${own}`;
}

/**
 * The group of a product; a product without one gets one named after itself.
 * @throws ApiError
 */
async function groupOf({ id, variantGroupId, slug }: Product): Promise<string> {
  if (variantGroupId !== null) return variantGroupId;
  const { item, etag } = await itemsOf('products').read(id);
  if (item.variantGroupId !== null) return item.variantGroupId;
  const params = { path: at({ id }), header: { 'If-Match': etag } };
  await had(api.PUT('/stores/{storeId}/products/{id}', { params, body: { variantGroupId: slug } }));
  return slug;
}
