import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { who } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import { Button, Fields, FormView, Section, useItemForm, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { loadCategories } from '../goods/all-categories.ts';
import { SearchSection } from '../goods/search-preview.tsx';
import { useSlug } from '../goods/use-slug.ts';
import { MetadataField } from '../labels/metadata.tsx';
import { GtinSign, priorPriceText } from '../listing/hints.tsx';
import { SafetySection } from '../listing/safety-section.tsx';
import { UnitPriceSection } from '../listing/unit-price-section.tsx';
import { AttributesField } from './attributes.tsx';
import { CategoryField } from './category-field.tsx';
import { DescriptionFields } from './description.tsx';
import { ImagesSection } from './images.tsx';
import { StockFacts } from './stock.tsx';
import { TaxClassField } from './tax-class-field.tsx';
import {
  begun,
  coded,
  counted,
  exempt,
  named,
  newValues,
  type Product,
  type ProductValues,
  productFields,
  shipped,
  sold,
  tracked,
  weighed,
} from './values.ts';

const words = t.products.form;

/** The form of a product, new or existing. */
export function Editor({
  read,
  initial = newValues,
  draft,
  onSaved,
  onNext,
  onAdjust,
  variants,
  hidden = [],
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
  /** The options and variants of an existing product. */
  variants?: ComponentChildren;
  /** Names of attributes that are options. */
  hidden?: readonly string[];
}) {
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
    saved: isNew ? words.created : words.saved,
    onSaved: (now) => (goesOn.current ? onNext() : onSaved(now)),
  });
  const { values } = form;
  const saveAndNew = async () => {
    if (!isNew && !form.dirty.value) return onNext();
    goesOn.current = true;
    await form.save();
    goesOn.current = false;
  };
  const prior = product && priorPriceText(product);
  const titled = useSlug(form, 'product', ['title', 'sku'], isNew);
  return (
    <FormView
      form={form}
      saveLabel={isNew ? words.create : words.save}
      actions={<Button onClick={() => void saveAndNew()}>{words.saveAndNew}</Button>}
    >
      <div class="columns">
        <Section title={words.basics}>
          <Fields
            form={titled}
            of={named}
            but={{
              slug: {
                hint: isNew ? words.slugNew : words.slugOld,
              },
            }}
          />
          <DescriptionFields form={form} />
        </Section>
        <div class="aside">
          <Section title={words.selling}>
            <Fields
              form={form}
              of={sold}
              but={{
                price: { label: words.priceIn(currency) },
                compareAtPrice: {
                  hint: (
                    <>
                      {words.compareAtHint}
                      {prior && <span class="prior">{prior}</span>}
                    </>
                  ),
                },
              }}
            />
            <TaxClassField form={form} />
            <Fields form={form} of={exempt} />
          </Section>
          <Section title={words.shipping}>
            <Fields form={form} of={shipped} />
            {values.value.requiresShipping && <Fields form={form} of={weighed} />}
          </Section>
          <Section title={words.stock}>
            {product && <StockFacts product={product} {...(onAdjust ? { onAdjust } : {})} />}
            <Fields form={form} of={tracked} />
            {isNew && values.value.trackStock && <Fields form={form} of={begun} />}
            {values.value.trackStock && <Fields form={form} of={counted} />}
            <Fields form={titled} of={coded} but={{ barcode: { hint: <GtinSign barcode={values.value.barcode} /> } }} />
          </Section>
          <Section title={words.categories}>
            <CategoryField form={form} categories={categories} />
          </Section>
          <UnitPriceSection form={form} />
        </div>
        <div>
          <ImagesSection form={form} />
          {variants ?? (
            <Section title={t.variants.title}>
              <p class="quiet">{t.variants.afterwards}</p>
            </Section>
          )}
          <Section title={t.variants.more}>
            <p class="quiet intro">{t.variants.moreHint}</p>
            <AttributesField form={form} hidden={hidden} />
          </Section>
          <SafetySection form={form} />
          <SearchSection form={form} title={values.value.title} description={values.value.description} />
          <div class="card">
            <MetadataField form={form} />
          </div>
        </div>
      </div>
    </FormView>
  );
}

/** Goes to a product that was just created. */
export function goToNew({ item }: Versioned<Product>): void {
  void navigate(`products/${item.id}`, { replace: true });
}
