import { useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  confirm,
  type Fact,
  Facts,
  Menu,
  type MenuItem,
  Money,
  Page,
  type ScreenProps,
  Section,
  Shown,
  toast,
  UserText,
  useItem,
} from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { weightText } from '../../kit/terms/weight.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { PublishingState } from '../goods/publishing.tsx';
import { classText } from '../goods/tax-class.ts';
import { MetadataFacts } from '../labels/metadata.tsx';
import { priorPriceText } from '../listing/hints.tsx';
import { measureText } from '../listing/measure.ts';
import { SafetyFacts } from '../listing/safety-section.tsx';
import { Thumb } from '../media/thumb.tsx';
import { VariantsSection } from '../variants/variants-section.tsx';
import { attributesText } from './columns.tsx';
import { Editor } from './editor.tsx';
import { StockDialog, StockFacts } from './stock.tsx';
import type { Product } from './values.ts';

const words = t.products;

/** One product. */
export default function ProductScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useItem('products', id);
  const [isAdjusting, setAdjusting] = useState(false);
  const [optionNames, setOptionNames] = useState<readonly string[]>([]);
  const product = loaded.data?.item;
  return (
    <Page
      title={product?.title ?? words.one}
      back={{ to: 'products', label: words.title }}
      beside={product && <PublishingState status={product.status} />}
      actions={product && <Actions product={product} version={loaded.data?.etag ?? ''} onChanged={loaded.set} />}
    >
      <Shown of={loaded} what={words.it} rows={8}>
        {(read) =>
          can('product.write') ? (
            <Editor
              key={id}
              read={read}
              draft={`products/${id}`}
              onSaved={loaded.set}
              onNext={() => void navigate('products/new')}
              onAdjust={() => setAdjusting(true)}
              hidden={optionNames}
              variants={
                <VariantsSection
                  product={read.item}
                  onOptions={setOptionNames}
                  onSaved={async () => {
                    const now = await itemsOf('products').read(id);
                    loaded.set(now);
                    return now.item;
                  }}
                />
              }
            />
          ) : (
            <ProductFacts product={read.item} />
          )
        }
      </Shown>
      {product && isAdjusting && (
        <StockDialog
          product={product}
          onClose={() => setAdjusting(false)}
          onDone={(now) => {
            setAdjusting(false);
            loaded.set(now);
          }}
        />
      )}
    </Page>
  );
}

function Actions({
  product,
  version,
  onChanged,
}: {
  product: Product;
  version: string;
  onChanged(now: Versioned<Product>): void;
}) {
  const { id, title, status } = product;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (thrown) {
      toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    }
  };
  const setStatus = (next: 'archived' | 'draft') =>
    attempt(async () => {
      onChanged(await itemsOf('products').update(id, { status: next }, version));
      toast(next === 'archived' ? words.actions.archived : words.actions.unarchived);
    });
  const remove = () =>
    attempt(async () => {
      const { sure, sureText, sureYes } = words.actions;
      const isSure = await confirm(sure(title), sureText, { yes: sureYes });
      if (!isSure) return;
      await itemsOf('products').remove(id);
      toast(words.actions.deleted);
      await navigate('products');
    });
  const items: MenuItem[] = can('product.write')
    ? [
        { label: words.actions.duplicate, icon: 'copy', run: () => void navigate(`products/new?copy=${id}`) },
        status === 'archived'
          ? { label: words.actions.unarchive, icon: 'back', run: () => void setStatus('draft') }
          : { label: words.actions.archive, icon: 'lock', run: () => void setStatus('archived') },
      ]
    : [];
  if (can('product.delete'))
    items.push({ label: words.actions.delete, icon: 'trash', danger: true, run: () => void remove() });
  return <Menu label={words.actions.more} items={items} />;
}

/** A product for a key that can only read. */
function ProductFacts({ product }: { product: Product }) {
  const { description, price, compareAtPrice, sku, barcode, slug, primaryMediaId, mediaIds } = product;
  const { taxClass, weight, requiresShipping, unitPricing } = product;
  const prior = priorPriceText(product);
  return (
    <div class="columns">
      <Section title={words.form.basics}>
        <UserText block>{description ?? words.facts.noDescription}</UserText>
        <ul class="thumbs">
          {[...new Set([primaryMediaId, ...mediaIds])]
            .filter((id) => id !== null)
            .map((id) => (
              <li key={id}>
                <Thumb id={id} />
              </li>
            ))}
        </ul>
      </Section>
      <div class="aside">
        <Section title={words.facts.title}>
          <StockFacts product={product} />
          <Facts
            of={[
              [words.form.price, <Money key="p" amount={price} />],
              [
                words.form.compareAt,
                <span key="c">
                  <Money amount={compareAtPrice} />
                  {prior && <span class="prior quiet">{prior}</span>}
                </span>,
              ],
              ...(unitPricing
                ? [
                    [
                      t.listing.unitPrice.title,
                      <span key="u">
                        {filled(t.listing.unitPrice.facts, {
                          measure: <bdi>{measureText(unitPricing.measure)}</bdi>,
                          amount: <Money amount={unitPricing.price} />,
                          base: <bdi>{measureText(unitPricing.base)}</bdi>,
                        })}
                      </span>,
                    ] as Fact,
                  ]
                : []),
              [words.form.sku, <UserText key="s">{sku ?? '–'}</UserText>],
              [words.form.barcode, <UserText key="b">{barcode ?? '–'}</UserText>],
              [words.form.taxClass, classText(taxClass)],
              [
                words.form.shipping,
                requiresShipping ? (weight === null ? t.kit.none : weightText(weight)) : words.facts.notShipped,
              ],
              [words.facts.slug, slug],
              [words.form.attributes, <UserText key="a">{attributesText(product) || '–'}</UserText>],
            ]}
          />
        </Section>
        <SafetyFacts product={product} />
        <MetadataFacts metadata={product.metadata} />
      </div>
    </div>
  );
}
