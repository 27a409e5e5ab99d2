import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/** A button that copies a text. @param what names it: "Copy the address" */
export function Copy({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(`Copied ${what}.`);
    } catch {
      toast(`The browser did not allow copying ${what}; select it and copy it manually.`, { tone: 'bad' });
    }
  };
  return <Button kind="quiet" icon="copy" label={`Copy ${what}`} onClick={copy} />;
}
