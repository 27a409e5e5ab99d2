import { useState } from 'preact/hooks';
import { itemsOf } from '../../api/items.ts';
import { query, setQuery } from '../../browser/router.ts';
import { Page, Shown, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Editor, goToNew } from './editor.tsx';
import { copyOf, newValues } from './values.ts';

/** A new product; with `copy` in the address, it starts as a copy. */
export default function NewProduct() {
  const [turn, setTurn] = useState(0);
  const copied = query.value.get('copy');
  const loaded = useLoad(`${copied} ${turn}`, async (signal) =>
    copied ? copyOf((await itemsOf('products').read(copied, signal)).item) : newValues,
  );
  const next = () => {
    setQuery({ copy: undefined }, { replace: true });
    setTurn(turn + 1);
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <Page title={copied ? t.products.form.copy : t.products.create} back={{ to: 'products', label: t.products.title }}>
      <Shown of={loaded} what={t.products.it} rows={8}>
        {(initial) => (
          <Editor
            key={`${copied} ${turn}`}
            initial={initial}
            draft={copied ? `products/copy/${copied}` : 'products/new'}
            onSaved={goToNew}
            onNext={next}
          />
        )}
      </Shown>
    </Page>
  );
}
