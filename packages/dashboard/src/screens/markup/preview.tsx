import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { type Markup, nodesOf } from './nodes.ts';

/** A text as buyers see it, as far as that does not depend on the shop's own styles. */
export function Preview({ text, markup, label }: { text: string; markup: Markup; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isLate = false;
    void nodesOf(text, markup)
      .catch(() => undefined)
      .then((nodes) => {
        if (isLate) return;
        setBroken(nodes === undefined);
        if (nodes) place.current?.replaceChildren(nodes);
      });
    return () => {
      isLate = true;
    };
  }, [text, markup]);
  return (
    <section class="markup-preview" aria-label={label}>
      {isBroken && <p class="reason">{t.markup.noPreview}</p>}
      {text.trim() === '' && <p class="quiet">{t.markup.empty}</p>}
      <div ref={place} dir="auto" />
    </section>
  );
}
