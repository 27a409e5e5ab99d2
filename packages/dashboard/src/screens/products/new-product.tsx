import { useState } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import type { Read } from '../../kit/index.ts';
import { Page, Shown, useLoad } from '../../kit/index.ts';
import { Editor, goToNew, readProduct } from './editor.tsx';
import { copyOf, newValues, type ProductValues } from './values.ts';

/** A product that is not there yet; with `copy` in the address, one that begins as a copy. */
export default function NewProduct() {
  const [turn, setTurn] = useState(0);
  const copied = query.value.get('copy');
  const loaded = useLoad(`${copied} ${turn}`, async (signal): Promise<Read<ProductValues>> => {
    if (!copied) return { values: newValues };
    return { values: copyOf((await readProduct(copied, signal)).item) };
  });
  const next = () => {
    setQuery({ copy: undefined }, { replace: true });
    setTurn(turn + 1);
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <Page title={copied ? 'Copy of a product' : 'New product'} back={{ to: 'products', label: 'Products' }}>
      <Shown of={loaded} what="the product" rows={8}>
        {(read) => (
          <Editor
            key={`${copied} ${turn}`}
            read={read}
            draft={copied ? `products/copy/${copied}` : 'products/new'}
            onSaved={goToNew}
            onNext={next}
          />
        )}
      </Shown>
    </Page>
  );
}
