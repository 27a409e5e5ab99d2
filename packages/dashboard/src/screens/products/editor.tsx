import { useRef, useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { refusal } from '../../api/errors.ts';
import type { Changes } from '../../api/items.ts';
import { who } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  Button,
  CheckField,
  FormView,
  MoneyField,
  Section,
  SelectField,
  TextField,
  useItemForm,
  useLoad,
} from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { statusOptions } from '../goods/publishing.tsx';
import { SearchSection } from '../goods/search-preview.tsx';
import { withSlug } from '../goods/with-slug.ts';
import { MediaDialog } from '../media/media-dialog.tsx';
import { keepPicture } from '../media/pictures.ts';
import { AttributesField } from './attributes.tsx';
import { CategoryField } from './category-field.tsx';
import { DescriptionFields } from './description.tsx';
import { ImagesSection } from './images.tsx';
import { StockFacts } from './stock.tsx';
import { bodyOf, newValues, type Product, type ProductValues, valuesOf } from './values.ts';

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

/** The body of a request. @throws ApiError for attributes that have a name twice */
function toBody(values: Partial<ProductValues>): Changes<'products'> {
  const names = (values.attributes ?? []).map(([name]) => name.trim()).filter(Boolean);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw refusal('attributes', `has ${JSON.stringify(twice)} twice, and each name may be there once`);
  }
  return bodyOf(values);
}

/** The form of a product, new or there already. */
export function Editor({
  read,
  initial = newValues,
  draft,
  onSaved,
  onNext,
  onAdjust,
}: {
  /** Undefined for a new one. */
  read?: Versioned<Product>;
  /** Values with which a new one begins. */
  initial?: ProductValues;
  /** Names the draft of what is typed. */
  draft: string;
  onSaved(saved: Versioned<Product>): void;
  /** Goes to a new one after saving. */
  onNext(): void;
  onAdjust?(): void;
}) {
  const [described, setDescribed] = useState<string>();
  const goesOn = useRef(false);
  const product = read?.item;
  const isNew = product === undefined;
  const categories = useLoad('categories', loadCategories);
  const currency = who.value?.store.currency ?? '';
  const form = useItemForm<'products', ProductValues>({
    of: 'products',
    id: product?.id,
    key: draft,
    read,
    saved: isNew ? 'The product is made.' : 'The product is saved.',
    toValues: (item) => (item ? valuesOf(item) : initial),
    toBody,
    onSaved: (now) => (goesOn.current ? onNext() : onSaved(now)),
  });
  const { values } = form;
  const saveAndNew = async () => {
    if (!isNew && !form.dirty.value) return onNext();
    goesOn.current = true;
    await form.save();
    goesOn.current = false;
  };
  const titled = withSlug(form, 'title', isNew, ({ sku }) => sku);
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
              form={form}
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
