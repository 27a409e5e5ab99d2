import { useRef, useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { who } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import { Button, Fields, FormView, Section, useItemForm, useLoad } from '../../kit/index.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { SearchSection } from '../goods/search-preview.tsx';
import { withSlug } from '../goods/with-slug.ts';
import { MediaDialog } from '../media/media-dialog.tsx';
import { keepPicture } from '../media/pictures.ts';
import { AttributesField } from './attributes.tsx';
import { CategoryField } from './category-field.tsx';
import { DescriptionFields } from './description.tsx';
import { ImagesSection } from './images.tsx';
import { StockFacts } from './stock.tsx';
import {
  begun,
  coded,
  counted,
  grouped,
  named,
  newValues,
  type Product,
  type ProductValues,
  productFields,
  sold,
  tracked,
} from './values.ts';

/** The form of a product, new or existing. */
export function Editor({
  read,
  initial = newValues,
  draft,
  onSaved,
  onNext,
  onAdjust,
}: {
  /** Undefined for a new product. */
  read?: Versioned<Product>;
  /** Initial values of a new product. */
  initial?: ProductValues;
  /** Names the draft. */
  draft: string;
  onSaved(saved: Versioned<Product>): void;
  /** Goes to the new product after saving. */
  onNext(): void;
  onAdjust?(): void;
}) {
  const [described, setDescribed] = useState<string>();
  const goesOn = useRef(false);
  const product = read?.item;
  const isNew = product === undefined;
  const categories = useLoad('categories', loadCategories);
  const currency = who.value?.store.currency ?? '';
  const form = useItemForm({
    of: 'products',
    fields: productFields,
    key: draft,
    read,
    initial,
    saved: isNew ? 'Product created.' : 'Product saved.',
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
        saveLabel={isNew ? 'Create product' : 'Save'}
        actions={<Button onClick={() => void saveAndNew()}>Save and new</Button>}
      >
        <div class="columns">
          <Section title="Product">
            <Fields
              form={titled}
              of={named}
              but={{
                slug: {
                  hint: isNew
                    ? 'Created from the title until you enter one; lower-case letters, digits and single dashes'
                    : 'Links to the old address stop working when you change it',
                },
              }}
            />
            <DescriptionFields form={form} />
          </Section>
          <div class="aside">
            <Section title="Price and status">
              <Fields form={form} of={sold} but={{ price: { label: `Price in ${currency}` } }} />
            </Section>
            <Section title="Stock">
              {product && <StockFacts product={product} {...(onAdjust ? { onAdjust } : {})} />}
              <Fields form={form} of={tracked} />
              {isNew && values.value.trackStock && <Fields form={form} of={begun} />}
              {values.value.trackStock && <Fields form={form} of={counted} />}
              <Fields form={form} of={coded} />
            </Section>
            <Section title="Categories">
              <CategoryField form={form} categories={categories} />
            </Section>
          </div>
          <div>
            <ImagesSection form={form} onDescribe={setDescribed} />
            <Section title="Attributes">
              <AttributesField form={form} />
              <Fields form={form} of={grouped} />
            </Section>
            <SearchSection form={form} title={values.value.title} description={values.value.description} />
          </div>
        </div>
      </FormView>
      {described && <MediaDialog id={described} onChanged={keepPicture} onClose={() => setDescribed(undefined)} />}
    </>
  );
}

/** Goes to a product that was just created. */
export function goToNew({ item }: Versioned<Product>): void {
  void navigate(`products/${item.id}`, { replace: true });
}
