import { useEffect, useRef, useState } from 'preact/hooks';
import { Fields, type Form } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { nodesOf } from './markup.ts';
import { described, type ProductValues } from './values.ts';

/** Milliseconds after the last key before the preview is updated. */
const patience = 300;

/** The description, its format, and a preview for buyers. */
export function DescriptionFields({ form }: { form: Form<ProductValues> }) {
  const { description, descriptionFormat } = form.values.value;
  return (
    <>
      <Fields form={form} of={described} />
      {descriptionFormat !== 'text' && description !== '' && (
        <Preview description={description} format={descriptionFormat} />
      )}
    </>
  );
}

function Preview({ description, format }: { description: string; format: 'markdown' | 'html' }) {
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isLate = false;
    const timer = setTimeout(async () => {
      const nodes = await nodesOf(description, format).catch(() => undefined);
      if (isLate) return;
      setBroken(nodes === undefined);
      if (nodes) place.current?.replaceChildren(nodes);
    }, patience);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [description, format]);
  return (
    <section class="description-preview" aria-label={t.products.form.preview}>
      {isBroken && <p class="reason">{t.products.form.noPreview}</p>}
      <div ref={place} />
    </section>
  );
}
