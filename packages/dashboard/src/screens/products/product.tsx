import { useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  confirm,
  Facts,
  LinkButton,
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
import { PublishingState } from '../goods/publishing.tsx';
import { Thumb } from '../media/thumb.tsx';
import { attributesText } from './columns.tsx';
import { Editor } from './editor.tsx';
import { StockDialog, StockFacts } from './stock.tsx';
import type { Product } from './values.ts';

/** One product. */
export default function ProductScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useItem('products', id);
  const [isAdjusting, setAdjusting] = useState(false);
  const product = loaded.data?.item;
  return (
    <Page
      title={product?.title ?? 'Product'}
      back={{ to: 'products', label: 'Products' }}
      beside={product && <PublishingState status={product.status} />}
      actions={product && <Actions product={product} version={loaded.data?.etag ?? ''} onChanged={loaded.set} />}
    >
      <Shown of={loaded} what="the product" rows={8}>
        {(read) =>
          can('product.write') ? (
            <Editor
              key={id}
              read={read}
              draft={`products/${id}`}
              onSaved={loaded.set}
              onNext={() => void navigate('products/new')}
              onAdjust={() => setAdjusting(true)}
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
      toast(next === 'archived' ? 'Product archived: shoppers no longer see it.' : 'It is now a draft.');
    });
  const remove = () =>
    attempt(async () => {
      const isSure = await confirm(
        `Delete ${title}?`,
        'It is removed from all lists and can no longer be ordered. Orders keep their data, and its pictures stay in the library. This cannot be undone; to hide it for a while, archive it.',
        { yes: 'Delete product' },
      );
      if (!isSure) return;
      await itemsOf('products').remove(id);
      toast('Product deleted.');
      await navigate('products');
    });
  const items: MenuItem[] = can('product.write')
    ? [
        { label: 'Duplicate', icon: 'copy', run: () => void navigate(`products/new?copy=${id}`) },
        status === 'archived'
          ? { label: 'Bring back as a draft', icon: 'back', run: () => void setStatus('draft') }
          : { label: 'Archive', icon: 'lock', run: () => void setStatus('archived') },
      ]
    : [];
  if (can('product.delete')) items.push({ label: 'Delete', icon: 'trash', danger: true, run: () => void remove() });
  return (
    <>
      <LinkButton to={`products/${id}/variants`} icon="categories">
        Variants
      </LinkButton>
      <Menu label="More to do" items={items} />
    </>
  );
}

/** A product for a key that can only read. */
function ProductFacts({ product }: { product: Product }) {
  const { description, price, compareAtPrice, sku, barcode, slug, primaryMediaId, mediaIds } = product;
  return (
    <div class="columns">
      <Section title="Product">
        <UserText block>{description ?? 'No description'}</UserText>
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
        <Section title="Facts">
          <StockFacts product={product} />
          <Facts
            of={[
              ['Price', <Money key="p" amount={price} />],
              ['Price before', <Money key="c" amount={compareAtPrice} />],
              ['SKU', <UserText key="s">{sku ?? '–'}</UserText>],
              ['Barcode', <UserText key="b">{barcode ?? '–'}</UserText>],
              ['Address', slug],
              ['Attributes', <UserText key="a">{attributesText(product) || '–'}</UserText>],
            ]}
          />
        </Section>
      </div>
    </div>
  );
}
