import { useRef, useState } from 'preact/hooks';
import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { who } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  Button,
  CheckField,
  type Form,
  FormView,
  MoneyField,
  type Read,
  Section,
  SelectField,
  TextField,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { statusOptions } from '../goods/publishing.tsx';
import { SearchSection } from '../goods/search-preview.tsx';
import { slugOf } from '../goods/slug.ts';
import { MediaDialog } from '../media/media-dialog.tsx';
import { keepPicture } from '../media/pictures.ts';
import { AttributesField } from './attributes.tsx';
import { CategoryField } from './category-field.tsx';
import { DescriptionFields } from './description.tsx';
import { ImagesSection } from './images.tsx';
import { StockFacts } from './stock.tsx';
import { bodyOf, type Product, type ProductValues, valuesOf } from './values.ts';

const labels: Partial<Record<keyof ProductValues, string>> = {
  title: 'Title',
  slug: 'Address',
  description: 'Description',
  descriptionFormat: 'Written as',
  status: 'Status',
  price: 'Price',
  compareAtPrice: 'Price before',
  sku: 'SKU',
  barcode: 'Barcode',
  variantGroupId: 'Group of variants',
  attributes: 'Attributes',
  categoryIds: 'Categories',
  trackStock: 'Stock is counted',
  allowBackorder: 'Back-orders',
  lowStockThreshold: 'Low from',
  mediaIds: 'Pictures',
  primaryMediaId: 'Main picture',
  seoTitle: 'Title for search engines',
  seoDescription: 'Description for search engines',
  seoKeywords: 'Keywords',
};

export const toRead = ({ item, etag }: Versioned<Product>): Read<ProductValues> => ({ values: valuesOf(item), etag });

export function readProduct(id: string, signal?: AbortSignal): Promise<Versioned<Product>> {
  return hadItem(api.GET('/stores/{storeId}/products/{id}', { params: { path: at({ id }) }, signal: signal ?? null }));
}

/** Saves a new product, or the changes of one that is there. @throws ApiError */
async function saveProduct(
  id: string | undefined,
  changes: Partial<ProductValues>,
  etag: string | undefined,
  all: ProductValues,
): Promise<Versioned<Product>> {
  const names = (changes.attributes ?? []).map(([name]) => name.trim()).filter(Boolean);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const reason = `has ${JSON.stringify(twice)} twice, and each name may be there once`;
    const details = [{ field: 'attributes', reason }];
    throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: `attributes: ${reason}`, details });
  }
  if (id === undefined) {
    const { title, slug, price } = all;
    return hadItem(
      api.POST('/stores/{storeId}/products', {
        params: { path: at() },
        body: { ...bodyOf(all), title, slug, price: price.trim() },
      }),
    );
  }
  return hadItem(
    api.PUT('/stores/{storeId}/products/{id}', {
      params: { path: at({ id }), header: { 'If-Match': etag ?? '' } },
      body: bodyOf(changes),
    }),
  );
}

/** The form of a product, new or there already. */
export function Editor({
  id,
  read,
  product,
  draft,
  onSaved,
  onNext,
  onAdjust,
}: {
  /** Undefined for a new one. */
  id?: string;
  read: Read<ProductValues>;
  product?: Product | undefined;
  /** Names the draft of what is typed. */
  draft: string;
  onSaved(saved: Versioned<Product>): void;
  /** Goes to a new one after saving. */
  onNext(): void;
  onAdjust?(): void;
}) {
  const [described, setDescribed] = useState<string>();
  const goesOn = useRef(false);
  const isNew = id === undefined;
  const isSlugOwn = useRef(!isNew || read.values.slug !== slugOf(read.values.title));
  const categories = useLoad('categories', loadCategories);
  const currency = who.value?.store.currency ?? '';
  const form = useForm<ProductValues>({
    key: draft,
    read,
    saved: isNew ? 'The product is made.' : 'The product is saved.',
    async save(changes, etag, all) {
      const saved = await saveProduct(id, changes, etag, all);
      const isNext = goesOn.current;
      // After the form has taken it, so that nothing counts as unsaved any more.
      setTimeout(() => {
        if (isNext) onNext();
        else onSaved(saved);
      });
      return toRead(saved);
    },
    ...(isNew ? {} : { reread: async () => toRead(await readProduct(id)) }),
  });
  const { values } = form;
  const typeTitle = (title: string) => {
    form.set('title', title);
    if (!isSlugOwn.current) form.set('slug', slugOf(title) || slugOf(form.values.value.sku));
  };
  const saveAndNew = async () => {
    if (!isNew && !form.dirty.value) return onNext();
    goesOn.current = true;
    await form.save();
    goesOn.current = false;
  };
  // A field of the kit, whose typing is seen here, too.
  const titled: Form<ProductValues> = {
    ...form,
    set: (name, value) => (name === 'title' ? typeTitle(String(value)) : form.set(name, value)),
  };
  const slugged: Form<ProductValues> = {
    ...form,
    set: (name, value) => {
      isSlugOwn.current = value !== '';
      form.set(name, value);
    },
  };
  return (
    <>
      <FormView
        form={form}
        labels={labels}
        saveLabel={isNew ? 'Make the product' : 'Save'}
        actions={<Button onClick={() => void saveAndNew()}>Save and new</Button>}
      >
        <div class="columns">
          <Section title="Product">
            <TextField form={titled} name="title" label="Title" />
            <TextField
              form={slugged}
              name="slug"
              label="Address (slug)"
              hint={
                isNew
                  ? 'Made of the title until you write one; lower-case letters, digits and single dashes'
                  : 'Links to the old address end when it is changed'
              }
            />
            <DescriptionFields form={form} />
          </Section>
          <div class="aside">
            <Section title="Price and status">
              <SelectField form={form} name="status" label="Status" options={statusOptions} />
              <MoneyField form={form} name="price" label={`Price in ${currency}`} />
              <MoneyField
                form={form}
                name="compareAtPrice"
                label="Price before"
                hint="Shown beside the price where it was reduced"
              />
            </Section>
            <Section title="Stock">
              {product && <StockFacts product={product} {...(onAdjust ? { onAdjust } : {})} />}
              <CheckField form={form} name="trackStock" label="Count the stock" />
              {isNew && values.value.trackStock && (
                <TextField form={form} name="stock" label="In stock" inputMode="numeric" />
              )}
              {values.value.trackStock && (
                <>
                  <TextField form={form} name="lowStockThreshold" label="Low from" inputMode="numeric" hint="Pieces" />
                  <CheckField form={form} name="allowBackorder" label="Sell more than there is" />
                </>
              )}
              <TextField form={form} name="sku" label="SKU" />
              <TextField form={form} name="barcode" label="Barcode" />
            </Section>
            <Section title="Categories">
              <CategoryField form={form} categories={categories} />
            </Section>
          </div>
          <div>
            <ImagesSection form={form} onDescribe={setDescribed} />
            <Section title="Attributes">
              <AttributesField form={form} />
              <TextField
                form={form}
                name="variantGroupId"
                label="Group of variants"
                hint="Products with the same text here are variants of each other"
              />
            </Section>
            <SearchSection form={form} title={values.value.title} description={values.value.description} />
          </div>
        </div>
      </FormView>
      {described && <MediaDialog id={described} onChanged={keepPicture} onClose={() => setDescribed(undefined)} />}
    </>
  );
}

/** Goes to a product that was made just now. */
export function goToNew({ item }: Versioned<Product>): void {
  void navigate(`products/${item.id}`, { replace: true });
}
