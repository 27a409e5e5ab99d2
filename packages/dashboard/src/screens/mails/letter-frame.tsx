import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { letterNodes, setStyles } from './letter-nodes.ts';

/**
 * A mail as its receiver sees it, in a frame where nothing runs: no script, no form, no other place. The frame keeps the origin, because
 * styles have to be set from here: the policy of the page is the policy of the frame.
 */
export function LetterFrame({ html, label }: { html: string; label: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isBroken, setBroken] = useState(false);
  // Browsers that load an empty frame later replace what was shown in it.
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again in the loaded frame
  useEffect(() => {
    let isLate = false;
    void letterNodes(html)
      .catch(() => undefined)
      .then((nodes) => {
        const inner = frame.current?.contentDocument;
        if (isLate || !inner?.body) return;
        setBroken(nodes === undefined);
        if (!nodes) return;
        inner.documentElement.lang = document.documentElement.lang;
        inner.title = label;
        inner.body.style.margin = '0';
        inner.body.replaceChildren(...nodes.map((node) => inner.importNode(node, true)));
        setStyles(inner.body);
        frame.current?.style.setProperty('height', `${Math.max(160, inner.body.offsetHeight)}px`);
      });
    return () => {
      isLate = true;
    };
  }, [html, turn]);
  return (
    <>
      {isBroken && <p class="reason">{t.markup.noPreview}</p>}
      <iframe
        ref={frame}
        class="letter-frame"
        sandbox="allow-same-origin"
        title={label}
        onLoad={() => setTurn((n) => n + 1)}
      />
    </>
  );
}
