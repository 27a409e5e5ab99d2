import { Button, Copy, Dialog, ExternalLink, Time } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';

const words = t.newOrder;

/** The page of the provider where the buyer pays, to be sent to them. */
export function LinkDialog({ url, expiresAt, onClose }: { url: string; expiresAt: string | null; onClose(): void }) {
  return (
    <Dialog
      title={words.linkReady}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {words.toOrder}
        </Button>
      }
    >
      <p>{words.linkHint}</p>
      <p class="shown-once">
        <code>{url}</code>
        <Copy text={url} what={words.theLink} />
      </p>
      <p class="quiet">{expiresAt && filled(words.linkEnds, { time: <Time at={expiresAt} /> })}</p>
      <ExternalLink to={url}>{words.openLink}</ExternalLink>
    </Dialog>
  );
}
