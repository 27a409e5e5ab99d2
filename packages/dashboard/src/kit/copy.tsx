import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/** A button that copies a text. @param what names it: "the address" */
export function Copy({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t.kit.copy.done(what));
    } catch {
      toast(t.kit.copy.refused(what), { tone: 'bad' });
    }
  };
  return <Button kind="quiet" icon="copy" label={t.kit.copy.label(what)} onClick={copy} />;
}
